import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../../access/mode.js';
import { displayOfApiKey } from '../../api-keys/api-key-token.js';
import type { SearchQuery } from '../../contacts/search/search-query.js';
import type { SearchResultDto } from './search.dto.js';
import type { SearchScope } from './search-scope.js';

interface FoundKey {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly display: string;
  readonly mode: Mode;
  readonly is_revoked: boolean;
}

interface FoundTemplate {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly status: string;
  readonly mode: Mode;
}

/** `pk_live_` and the first four characters of the random part, which stay visible. */
const shownStart = 12;
const wholeKeyForm = /^pk_(?:live|test)_[\dA-Za-z]{40}$/;
/** As they are shown, keys have so few characters that less would find any. */
const displayPartMin = 4;

/** Finds API keys and templates. There are few of them: these read whole tables. */
@Injectable()
export class ManagedSearch {
  constructor(private readonly dataSource: DataSource) {}

  /** By a part of the name, by id, and by what is shown of the key. A whole key finds its own. */
  async findKeys(
    { text, id }: SearchQuery,
    scope: SearchScope,
    limit: number,
  ): Promise<SearchResultDto[]> {
    const shown = wholeKeyForm.test(text)
      ? displayOfApiKey(text)
      : /^pk_(?:live|test)_/.test(text) && !text.includes('…')
        ? text.slice(0, shownStart)
        : text;
    const keys: FoundKey[] = await this.dataSource.query(
      `select k.id, k.account_id, k.name, k.display, k.mode, k.revoked_at is not null as is_revoked
       from api_keys k where k.account_id = any ($1::uuid[]) and (position(lower($2) in lower(k.name)) > 0
         or k.id = $3 or (length($4) >= $5 and position($4 in k.display) > 0))
       order by k.revoked_at is not null, not starts_with(lower(k.name), lower($2)), k.name, k.id limit $6`,
      [scope.accountIds, text, id, shown, displayPartMin, limit],
    );
    return keys.map((key) => ({
      kind: 'key',
      id: key.id,
      title: key.name,
      subtitle: scope.subtitle(
        key.account_id,
        `API key ${key.display}`,
        key.mode === 'test' ? 'test mode' : null,
        key.is_revoked ? 'revoked' : null,
      ),
      at: null,
      href: `/dashboard/keys/${key.id}`,
    }));
  }

  /** By a part of the name, which has _ instead of blanks, and by id. */
  async findTemplates(
    { text, id }: SearchQuery,
    scope: SearchScope,
    limit: number,
  ): Promise<SearchResultDto[]> {
    const templates: FoundTemplate[] = await this.dataSource.query(
      `select t.id, t.account_id, t.name, t.language, t.category, t.status, t.mode
       from templates t where t.account_id = any ($1::uuid[]) and t.deleted_at is null
         and (position($2 in lower(t.name)) > 0 or t.id = $3)
       order by not starts_with(lower(t.name), $2), t.name, t.language, t.id limit $4`,
      [scope.accountIds, text.toLowerCase().replaceAll(/\s+/g, '_'), id, limit],
    );
    return templates.map((template) => ({
      kind: 'template',
      id: template.id,
      title: template.name,
      subtitle: scope.subtitle(
        template.account_id,
        `Template ${template.language}`,
        template.category.toLowerCase(),
        template.status.toLowerCase(),
        template.mode === 'test' ? 'test mode' : null,
      ),
      at: null,
      href: `/dashboard/templates/${template.id}`,
    }));
  }
}
