import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../access/mode.js';
import type { RowOf } from '../database/statements/sql-types.js';
import { pageOf } from '../http/validation/page.dto.js';
import { cursorAfter, placeOf } from './template-cursor.js';
import type { TemplateListDto } from './template-list.dto.js';
import * as sql from './template-lists.statements.js';

/** A template as it is listed. */
export type ListedTemplate = RowOf<typeof sql.listedColumns>;

/** Whose templates are listed. */
export interface ListScope {
  /** Null: all accounts. */
  readonly accountId: string | null;
  /** Null: both. */
  readonly mode: Mode | null;
  /** Whose mappings count; null: anybody's. */
  readonly apiKeyId: string | null;
  /** One template alone; null: all. */
  readonly id?: string | null;
}

/** Which templates are listed; absent fields do not restrict. */
export interface ListFilter extends Partial<Omit<TemplateListDto, 'limit'>> {
  readonly nameContains?: string | undefined;
  readonly category?: string | undefined;
  readonly platformId?: string | undefined;
  readonly limit: number;
}

/** Pages of templates, by name and language. What the platform no longer has is not listed. */
@Injectable()
export class TemplateLists {
  constructor(private readonly dataSource: DataSource) {}

  async page(
    scope: ListScope,
    filter: ListFilter,
  ): Promise<{ templates: ListedTemplate[]; next_cursor: string | null }> {
    const after = filter.cursor === undefined ? null : placeOf(filter.cursor);
    const { nameContains, category, platformId, name, language, status, configured } = filter;
    const given = {
      ...scope,
      name,
      nameContains,
      category,
      platformId,
      language,
      status,
      configured,
      afterName: after?.name,
      afterLanguage: after?.language,
      afterId: after?.id,
      // One more than requested shows whether there is another page.
      limit: filter.limit + 1,
    };
    const rows = await sql.listTemplates.of(given).rows(this.dataSource, given);
    const { page, next_cursor } = pageOf(rows, filter.limit, cursorAfter);
    return { templates: page, next_cursor };
  }
}
