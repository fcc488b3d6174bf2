import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import type { Row } from '../../database/statements/statement.js';
import {
  type Filling,
  fitVariables,
  type MappedVariables,
  problemText,
} from '../plan/mapped-variables.js';
import { compileTemplate, type TemplatePlan } from '../plan/template-plan.js';
import * as sql from './template-directory.statements.js';

/** A template with the mapping of one key, ready for sends. */
export interface KnownTemplate {
  readonly name: string;
  readonly language: string;
  /** The platform's status; only `APPROVED` can be sent. */
  readonly status: string;
  /** `MARKETING`, `UTILITY`, `AUTHENTICATION`, or another word of the platform. */
  readonly category: string;
  readonly plan: TemplatePlan;
  /** Null: the key has no mapping for it. */
  readonly mapping: { readonly filling: Filling } | { readonly brokenReason: string } | null;
}

type Caller = Pick<Principal, 'apiKeyId' | 'accountId' | 'mode' | 'accountVersion'>;

/** The most templates, counted by key, that a process keeps in memory. */
const cachedMax = 10_000;

interface Cached {
  readonly accountVersion: number;
  readonly template: Promise<KnownTemplate | null>;
}

/**
 * Templates and mappings for sends: one read for both, compiled once and cached under the account's
 * version. Like the cached keys it may only admit: load from PostgreSQL before refusing.
 */
@Injectable()
export class TemplateDirectory {
  private readonly cache = new Map<string, Cached>();

  constructor(private readonly dataSource: DataSource) {}

  /** From memory when it is of the caller's version of the account, else from PostgreSQL. */
  findTemplate(caller: Caller, name: string, language: string): Promise<KnownTemplate | null> {
    const cached = this.cache.get(keyOf(caller, name, language));
    return cached?.accountVersion === caller.accountVersion
      ? cached.template
      : this.load(caller, name, language);
  }

  /** Always from PostgreSQL; null when there is no such template. */
  async load(caller: Caller, name: string, language: string): Promise<KnownTemplate | null> {
    const key = keyOf(caller, name, language);
    // Sends that arrive meanwhile share the read.
    const entry = {
      accountVersion: caller.accountVersion,
      template: this.read(caller, name, language),
    };
    this.keep(key, entry);
    try {
      const template = await entry.template;
      if (!template && this.cache.get(key) === entry) this.cache.delete(key);
      return template;
    } catch (error) {
      if (this.cache.get(key) === entry) this.cache.delete(key);
      throw error;
    }
  }

  /** The languages in which there is a template of this name, at most 20. */
  async languagesOf(
    { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>,
    name: string,
  ): Promise<string[]> {
    const rows = await sql.findTemplateLanguages.rows(this.dataSource, { accountId, mode, name });
    return rows.map(({ language }) => language);
  }

  private keep(key: string, entry: Cached): void {
    // Deleted first, so that the newest entry is always the last one: the first is the oldest.
    this.cache.delete(key);
    this.cache.set(key, entry);
    if (this.cache.size > cachedMax) {
      const [oldest] = this.cache.keys();
      if (oldest !== undefined) this.cache.delete(oldest);
    }
  }

  private async read(
    caller: Caller,
    name: string,
    language: string,
  ): Promise<KnownTemplate | null> {
    const { accountId, mode, apiKeyId } = caller;
    const given = { accountId, mode, name, language, apiKeyId };
    const row = await sql.loadTemplate.row(this.dataSource, given);
    return row && toKnownTemplate(row);
  }
}

function keyOf({ apiKeyId }: Caller, name: string, language: string): string {
  return JSON.stringify([apiKeyId, name, language]);
}

function toKnownTemplate(row: Row<typeof sql.loadTemplate>): KnownTemplate {
  const plan = compileTemplate({
    parameterFormat: row.parameter_format,
    category: row.category,
    components: row.components,
  });
  return {
    name: row.name,
    language: row.language,
    status: row.status,
    category: row.category,
    plan,
    mapping: row.variables && toMapping(plan, row.variables, row.broken_reason),
  };
}

function toMapping(
  plan: TemplatePlan,
  variables: MappedVariables,
  brokenReason: string | null,
): KnownTemplate['mapping'] {
  if (brokenReason !== null) return { brokenReason };
  // An older release may have stored the template with fewer checks.
  const { filling, problems } = fitVariables(plan, variables);
  return filling ? { filling } : { brokenReason: problemText(problems) };
}
