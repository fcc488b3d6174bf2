import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { TemplateDefinitionComponent } from '#libs/whatsapp';
import type { Mode } from '../access/mode.js';
import { pageOf } from '../http/validation/page.dto.js';
import type { MappedVariables } from './plan/mapped-variables.js';
import { cursorAfter, placeOf } from './template-cursor.js';
import type { TemplateListDto } from './template-list.dto.js';

/** A template as it is listed. */
export interface ListedTemplate {
  id: string;
  /** The platform's; null where it gave none. */
  platform_id: string | null;
  account_id: string;
  mode: Mode;
  name: string;
  language: string;
  category: string;
  status: string;
  parameter_format: 'POSITIONAL' | 'NAMED';
  components: TemplateDefinitionComponent[];
  quality_score: string | null;
  rejected_reason: string | null;
  configured: boolean;
  /** The asked key's mapping, or null. */
  variables: MappedVariables | null;
  last_synced_at: Date;
}

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
    const parameters: unknown[] = [scope.apiKeyId];
    const conditions = ['t.deleted_at is null'];
    const where = (condition: (place: string) => string, value: unknown) => {
      if (value === undefined || value === null) return;
      parameters.push(value);
      conditions.push(condition(`$${parameters.length}`));
    };
    where((place) => `t.account_id = ${place}`, scope.accountId);
    where((place) => `t.id = ${place}`, scope.id);
    where((place) => `t.mode = ${place}`, scope.mode);
    where((place) => `t.name = ${place}`, filter.name);
    where((place) => `strpos(t.name, ${place}) > 0`, filter.nameContains);
    where((place) => `t.category = ${place}`, filter.category);
    where((place) => `t.platform_id = ${place}`, filter.platformId);
    where((place) => `t.language = ${place}`, filter.language);
    where((place) => `t.status = ${place}`, filter.status);
    where((place) => `m.configured = ${place}`, filter.configured);
    if (after) {
      parameters.push(after.name, after.language, after.id);
      const [name, language, id] = [2, 1, 0].map((back) => `$${parameters.length - back}`);
      conditions.push(`(t.name, t.language, t.id) > (${name}, ${language}, ${id}::uuid)`);
    }
    // One more than requested shows whether there is another page.
    parameters.push(filter.limit + 1);
    const rows: ListedTemplate[] = await this.dataSource.query(
      `select t.id, t.platform_id, t.account_id, t.mode, t.name, t.language, t.category, t.status,
         t.parameter_format, t.components, t.quality_score, t.rejected_reason, m.configured,
         m.variables, greatest(t.updated_at, s.synced_at) as last_synced_at
       from templates t
       left join template_syncs s on s.account_id = t.account_id and s.mode = t.mode
       cross join lateral (
         select count(*) filter (where broken_reason is null) > 0 as configured,
           case when $1::uuid is not null then (jsonb_agg(variables))->0 end as variables
         from template_mappings
         where template_id = t.id and ($1::uuid is null or api_key_id = $1)) m
       where ${conditions.join(' and ')}
       order by t.name, t.language, t.id limit $${parameters.length}`,
      parameters,
    );
    const { page, next_cursor } = pageOf(rows, filter.limit, cursorAfter);
    return { templates: page, next_cursor };
  }
}
