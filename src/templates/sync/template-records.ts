import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TemplateDefinition } from '#libs/whatsapp';
import { newId } from '../../database/ids.js';
import { storableText } from '../../database/storable-text.js';
import { fitVariables, problemText } from '../plan/mapped-variables.js';
import { compileTemplate } from '../plan/template-plan.js';
import type { TemplateScope } from './platform-templates.js';
import * as sql from './template-records.statements.js';

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
      const written = await sql.writeTemplates.rows(manager, {
        accountId,
        mode,
        rows: JSON.stringify(rows.slice(start, start + chunkSize)),
        asOf: options.asOf,
      });
      touched.push(...written.map(({ id }) => id));
      added += written.filter((row) => row.added).length;
    }
    const removed = await sql.removeTemplates.rows(manager, {
      accountId,
      mode,
      name: options.name,
      names: rows.map((row) => row.name),
      languages: rows.map((row) => row.language),
      asOf: options.asOf,
    });
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
    const mappings = await sql.findMappingsOfTemplates.rows(manager, { templateIds });
    for (const mapping of mappings) {
      const { components, parameter_format: parameterFormat } = mapping;
      const { problems } = fitVariables(
        compileTemplate({ parameterFormat, components }),
        mapping.variables,
      );
      const reason = mapping.deleted ? goneReason : problems && problemText(problems);
      if (reason === mapping.broken_reason) continue;
      const { api_key_id: apiKeyId, template_id: templateId } = mapping;
      await sql.judgeMapping.run(manager, { apiKeyId, templateId, reason });
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
