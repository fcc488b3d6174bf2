import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { plainNumber } from '#libs/phone-numbers';
import { displayOfApiKey } from '../../api-keys/api-key-token.js';
import type { SearchQuery } from '../../contacts/search/search-query.js';
import * as sql from './managed-search.statements.js';
import type { SearchResultDto } from './search.dto.js';
import type { SearchScope } from './search-scope.js';

/** `pk_live_` and the first four characters of the random part, which stay visible. */
const shownStart = 12;
const wholeKeyForm = /^pk_(?:live|test)_[\dA-Za-z]{40}$/;
/** As they are shown, keys have so few characters that less would find any. */
const displayPartMin = 4;

/** Finds what people manage. There are few of each: these read whole tables. */
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
    const keys = await sql.findKeysByText.rows(this.dataSource, {
      accountIds: scope.accountIds,
      text,
      id,
      shown,
      shownMin: displayPartMin,
      limit,
    });
    return keys.map((key) => ({
      kind: 'key',
      id: key.id,
      title: key.name,
      subtitle: scope.subtitle(
        key.account_id,
        `API key ${key.display}`,
        key.is_revoked ? 'revoked' : null,
      ),
      mode: key.mode,
      at: null,
      href: `/dashboard/keys/${key.id}`,
    }));
  }

  /** Campaigns and endpoints, by a part of the name or of the address, and by id. */
  async findNamed(
    { text, id }: SearchQuery,
    scope: SearchScope,
    limit: number,
  ): Promise<SearchResultDto[]> {
    const { accountIds } = scope;
    const found = await sql.findNamedByText.rows(this.dataSource, { accountIds, text, id, limit });
    return found.map(({ kind, id: of, account_id, name, about, mode }) => ({
      kind,
      id: of,
      title: name,
      subtitle: scope.subtitle(account_id, kind === 'campaign' ? 'Campaign' : 'Endpoint', about),
      mode,
      at: null,
      href:
        kind === 'campaign' ? `/dashboard/campaigns/${of}` : `/dashboard/webhooks?endpoint=${of}`,
    }));
  }

  /** Accounts and users, for operators: by a part of the name, number or address, and by id. */
  async findOperated({ text, id }: SearchQuery, limit: number): Promise<SearchResultDto[]> {
    const digits = /\d{4}/.test(text) ? plainNumber(text).replace('+', '') : null;
    const found = await sql.findOperatedByText.rows(this.dataSource, { text, digits, id, limit });
    return found.map(({ kind, id: of, name, about }) => ({
      kind,
      id: of,
      title: name,
      subtitle: [kind === 'account' ? 'Account' : 'User', about].filter(Boolean).join(' · '),
      mode: null,
      at: null,
      href: kind === 'account' ? `/dashboard/accounts/${of}` : '/dashboard/users',
    }));
  }

  /** By a part of the name, which has _ instead of blanks, and by id. */
  async findTemplates(
    { text, id }: SearchQuery,
    scope: SearchScope,
    limit: number,
  ): Promise<SearchResultDto[]> {
    const templates = await sql.findTemplatesByText.rows(this.dataSource, {
      accountIds: scope.accountIds,
      text: text.toLowerCase().replaceAll(/\s+/g, '_'),
      id,
      limit,
    });
    return templates.map((template) => ({
      kind: 'template',
      id: template.id,
      title: template.name,
      subtitle: scope.subtitle(
        template.account_id,
        `Template ${template.language}`,
        template.category.toLowerCase(),
        template.status.toLowerCase(),
      ),
      mode: template.mode,
      at: null,
      href: `/dashboard/templates/${template.id}`,
    }));
  }
}
