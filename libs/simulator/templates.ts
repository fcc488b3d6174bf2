import { createHash } from 'node:crypto';
import { isObject, type JsonObject, textOf } from './checks.js';
import { ControlError } from './control-request.js';
import { demoTemplates } from './demo-templates.js';

/** A template as the platform's management API returns it. */
export interface Template extends JsonObject {
  id: string;
  name: string;
  language: string;
  status: string;
  category: string;
  parameter_format: 'POSITIONAL' | 'NAMED';
  components: JsonObject[];
}

const statuses = [
  'APPROVED',
  'PENDING',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'PENDING_DELETION',
  'DELETED',
  'LIMIT_EXCEEDED',
  'ARCHIVED',
];

/** The templates of each business account; a demo set where none has been put. */
export class Templates {
  private readonly accounts = new Map<string, Template[]>();

  of(accountId: string): Template[] {
    let templates = this.accounts.get(accountId);
    if (templates === undefined) {
      templates = demoTemplates.map((template) => readTemplate(accountId, template));
      if (this.accounts.size < 1000) this.accounts.set(accountId, templates);
    }
    return templates;
  }

  find(accountId: string, name: string, language: string): Template | null {
    const isWanted = (template: Template) =>
      template.name === name && template.language === language;
    return this.of(accountId).find(isWanted) ?? null;
  }

  /** Replaces an account's templates; returns those that have another status than before. */
  replace(accountId: string, definitions: unknown): Template[] {
    if (!/^\d+$/.test(accountId)) {
      throw new ControlError('business_account_id must be a string of digits');
    }
    if (!Array.isArray(definitions)) throw new ControlError('templates must be an array');
    const templates = definitions.map((definition) => readTemplate(accountId, definition));
    const keys = new Set(templates.map(({ name, language }) => `${name} ${language}`));
    if (keys.size < templates.length) {
      throw new ControlError('two templates have the same name and language');
    }
    const changed = templates.filter((template) => {
      const before = this.find(accountId, template.name, template.language);
      return before !== null && before.status !== template.status;
    });
    this.accounts.set(accountId, templates);
    return changed;
  }
}

const readTemplate = (accountId: string, definition: unknown): Template => {
  if (!isObject(definition)) throw new ControlError('a template must be a JSON object');
  const { name, language, category = 'UTILITY', status = 'APPROVED', components } = definition;
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name)) {
    throw new ControlError('name takes lower-case letters, digits and _, 512 at most');
  }
  if (typeof language !== 'string' || language === '') {
    throw new ControlError(`template ${name}: language is required`);
  }
  if (typeof status !== 'string' || !statuses.includes(status)) {
    throw new ControlError(`template ${name}: status must be one of ${statuses.join(', ')}`);
  }
  if (typeof category !== 'string') {
    throw new ControlError(`template ${name}: category must be a string`);
  }
  if (!Array.isArray(components) || !components.every(isObject)) {
    throw new ControlError(`template ${name}: components must be an array of objects`);
  }
  const format = textOf(definition.parameter_format, 'POSITIONAL').toUpperCase();
  if (format !== 'POSITIONAL' && format !== 'NAMED') {
    throw new ControlError(`template ${name}: parameter_format must be POSITIONAL or NAMED`);
  }
  return {
    ...definition,
    name,
    language,
    status,
    category,
    parameter_format: format,
    components,
    id:
      typeof definition.id === 'string'
        ? definition.id
        : templateId(`${accountId}/${name}/${language}`),
  };
};

/** Fifteen digits that stay the same for the same template: webhooks carry the id as a number. */
const templateId = (key: string): string => {
  const digest = createHash('sha256').update(key).digest();
  return String(100_000_000_000_000 + (digest.readUIntBE(0, 6) % 900_000_000_000_000));
};

/** Name and language of a template send. */
export const templateKey = (sent: JsonObject): [name: string, language: string] => [
  textOf(sent.name),
  isObject(sent.language) ? textOf(sent.language.code) : '',
];

/** Placeholders in a template's text, in order and each once: `1`, `2` or names. */
export const placeholdersOf = (text: unknown): string[] => {
  const names = textOf(text).matchAll(/\{\{\s*(\w+)\s*\}\}/g);
  return [...new Set([...names].map((match) => match[1] ?? ''))];
};
