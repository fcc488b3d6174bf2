import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TemplateDefinition, TemplateDefinitionComponent } from '#libs/whatsapp';
import { newId } from '../../database/ids.js';
import { storableText } from '../../database/storable-text.js';
import { fitVariables, type MappedVariables, problemText } from '../plan/mapped-variables.js';
import { compileTemplate } from '../plan/template-plan.js';
import type { TemplateScope } from './platform-templates.js';

/** What a sync changed. */
export interface TemplateChanges {
  /** Templates that the platform has now. */
  readonly total: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** What a list of definitions covers. */
export interface ApplyOptions {
  /** All templates of this name; absent: all templates. */
  readonly name?: string;
  /** When the platform was asked. Rows written later are newer and stay. */
  readonly asOf?: Date;
}

/** Rows in one statement; a definition has a few kilobytes. */
const chunkSize = 500;

/** Why a mapping is broken if its template no longer exists. */
const goneReason = 'WhatsApp no longer has the template';

const upsertSql = `
  insert into templates (id, account_id, mode, name, language, platform_id, category, status,
    parameter_format, components, quality_score, rejected_reason)
  select id, $1, $2, name, language, platform_id, category, status, parameter_format, components,
    quality_score, rejected_reason
  from jsonb_to_recordset($3::jsonb) as t (id uuid, name text, language text, platform_id text,
    category text, status text, parameter_format text, components jsonb, quality_score text,
    rejected_reason text)
  on conflict (account_id, mode, name, language) do update set
    platform_id = excluded.platform_id, category = excluded.category, status = excluded.status,
    parameter_format = excluded.parameter_format, components = excluded.components,
    quality_score = excluded.quality_score, rejected_reason = excluded.rejected_reason,
    deleted_at = null, updated_at = now()
  where ($4::timestamptz is null or templates.updated_at <= $4) and (templates.deleted_at is not null
    or (templates.platform_id, templates.category, templates.status, templates.parameter_format,
        templates.components, templates.quality_score, templates.rejected_reason)
      is distinct from (excluded.platform_id, excluded.category, excluded.status,
        excluded.parameter_format, excluded.components, excluded.quality_score,
        excluded.rejected_reason))
  returning id, xmax = 0 as added`;

const removeSql = `
  update templates set deleted_at = now(), updated_at = now()
  where account_id = $1 and mode = $2 and deleted_at is null and ($3::text is null or name = $3)
    and ($6::timestamptz is null or updated_at <= $6)
    and id not in (
      select t.id from templates t
      join unnest($4::text[], $5::text[]) as k (name, language)
        on t.name = k.name and t.language = k.language
      where t.account_id = $1 and t.mode = $2)
  returning id`;

/** Writes what the platform reports about templates, and checks their mappings against it. */
@Injectable()
export class TemplateRecords {
  /**
   * Brings the rows of an account to what the platform has. The caller raises the account's version
   * when something changed.
   * @param definitions all of them, or all of one name.
   */
  async apply(
    manager: EntityManager,
    { accountId, mode }: TemplateScope,
    definitions: readonly TemplateDefinition[],
    options: ApplyOptions = {},
  ): Promise<TemplateChanges> {
    const rows = rowsOf(definitions);
    const touched: string[] = [];
    let added = 0;
    for (let start = 0; start < rows.length; start += chunkSize) {
      // One after the other: they share a transaction.
      const written: { id: string; added: boolean }[] = await manager.query(upsertSql, [
        accountId,
        mode,
        JSON.stringify(rows.slice(start, start + chunkSize)),
        options.asOf ?? null,
      ]);
      touched.push(...written.map(({ id }) => id));
      added += written.filter((row) => row.added).length;
    }
    const [removed]: [{ id: string }[], number] = await manager.query(removeSql, [
      accountId,
      mode,
      options.name ?? null,
      rows.map((row) => row.name),
      rows.map((row) => row.language),
      options.asOf ?? null,
    ]);
    await this.judgeMappings(manager, [...touched, ...removed.map(({ id }) => id)]);
    return {
      total: rows.length,
      added,
      changed: touched.length - added,
      removed: removed.length,
    };
  }

  /** Marks the mappings of changed templates as broken, or as whole again. */
  private async judgeMappings(manager: EntityManager, templateIds: string[]): Promise<void> {
    if (templateIds.length === 0) return;
    const mappings: {
      api_key_id: string;
      template_id: string;
      variables: MappedVariables;
      broken_reason: string | null;
      parameter_format: 'POSITIONAL' | 'NAMED';
      components: TemplateDefinitionComponent[];
      deleted: boolean;
    }[] = await manager.query(
      `select m.api_key_id, m.template_id, m.variables, m.broken_reason, t.parameter_format,
         t.components, t.deleted_at is not null as deleted
       from template_mappings m join templates t on t.id = m.template_id
       where m.template_id = any ($1::uuid[]) order by m.api_key_id, m.template_id`,
      [templateIds],
    );
    for (const mapping of mappings) {
      const { components, parameter_format: parameterFormat } = mapping;
      const { problems } = fitVariables(
        compileTemplate({ parameterFormat, components }),
        mapping.variables,
      );
      const reason = mapping.deleted ? goneReason : problems && problemText(problems);
      if (reason === mapping.broken_reason) continue;
      await manager.query(
        `update template_mappings set broken_reason = $3, updated_at = now()
         where api_key_id = $1 and template_id = $2`,
        [mapping.api_key_id, mapping.template_id, reason],
      );
    }
  }
}

/** Sorted as every group of rows is, and each name and language once: a list may shift between two pages. */
function rowsOf(definitions: readonly TemplateDefinition[]) {
  const byKey = new Map(
    definitions.map((definition) => [`${definition.name}\n${definition.language}`, definition]),
  );
  return [...byKey]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, definition]) => ({
      id: newId(),
      name: storableText(definition.name),
      language: storableText(definition.language),
      platform_id: definition.id && storableText(definition.id),
      category: storableText(definition.category),
      status: storableText(definition.status),
      parameter_format: definition.parameterFormat,
      components: cleaned(definition.components),
      quality_score: definition.qualityScore && storableText(definition.qualityScore),
      rejected_reason: definition.rejectedReason && storableText(definition.rejectedReason),
    }));
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [storableText(key), cleaned(one)]),
  );
}
