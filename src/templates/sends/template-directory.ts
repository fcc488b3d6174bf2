import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { TemplateDefinitionComponent } from '#libs/whatsapp';
import type { Principal } from '../../access/principal.js';
import {
  type Filling,
  fitVariables,
  type MappedVariables,
  problemText,
} from '../plan/mapped-variables.js';
import { compileTemplate, type TemplatePlan } from '../plan/template-plan.js';

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

interface Row {
  name: string;
  language: string;
  status: string;
  category: string;
  parameter_format: 'POSITIONAL' | 'NAMED';
  components: TemplateDefinitionComponent[];
  variables: MappedVariables | null;
  broken_reason: string | null;
}

const loadSql = `
  select t.name, t.language, t.status, t.category, t.parameter_format, t.components, m.variables, m.broken_reason
  from templates t
  left join template_mappings m on m.template_id = t.id and m.api_key_id = $5
  where t.account_id = $1 and t.mode = $2 and t.name = $3 and t.language = $4
    and t.deleted_at is null`;

const languagesSql = `
  select language from templates
  where account_id = $1 and mode = $2 and name = $3 and deleted_at is null order by 1 limit 20`;

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
    const rows: { language: string }[] = await this.dataSource.query(languagesSql, [
      accountId,
      mode,
      name,
    ]);
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
    const [row]: Row[] = await this.dataSource.query(loadSql, [
      caller.accountId,
      caller.mode,
      name,
      language,
      caller.apiKeyId,
    ]);
    return row ? toKnownTemplate(row) : null;
  }
}

function keyOf({ apiKeyId }: Caller, name: string, language: string): string {
  return JSON.stringify([apiKeyId, name, language]);
}

function toKnownTemplate(row: Row): KnownTemplate {
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
  // It was checked when it was stored, but a newer release may check more.
  const { filling, problems } = fitVariables(plan, variables);
  return filling ? { filling } : { brokenReason: problemText(problems) };
}
