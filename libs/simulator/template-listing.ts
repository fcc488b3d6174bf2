import { type JsonObject, textOf } from './checks.js';
import { PlatformError } from './errors.js';
import type { Template } from './templates.js';

const defaultFields = 'name,parameter_format,components,language,status,category,sub_category,id';
const knownFields = new Set([
  ...defaultFields.split(','),
  'correct_category',
  'cta_url_link_tracking_opted_out',
  'last_updated_time',
  'library_template_name',
  'message_send_ttl_seconds',
  'previous_category',
  'quality_score',
  'rejected_reason',
]);
/** Values of fields that every template has and a definition need not give. */
const defaultValues: JsonObject = {
  quality_score: { score: 'UNKNOWN' },
  rejected_reason: 'NONE',
};
const limitMax = 1000;

/** One page of an account's templates. `pageUrl` is the address asked for, without its query. */
export const listTemplates = (
  templates: readonly Template[],
  query: URLSearchParams,
  pageUrl: string,
): JsonObject => {
  const matching = templates.filter((template) => isWanted(template, query));
  const limit = readLimit(query);
  const after = readCursor(query, 'after');
  const before = readCursor(query, 'before');
  const end = before === null ? null : Math.max(0, before);
  const start = end === null ? (after ?? -1) + 1 : Math.max(0, end - limit);
  const page = matching.slice(start, end ?? start + limit);
  if (page.length === 0) return { data: [] };
  const last = start + page.length - 1;
  const link = (name: string, position: number): string => {
    const parameters = new URLSearchParams(query);
    parameters.delete('after');
    parameters.delete('before');
    parameters.set('limit', String(limit));
    parameters.set(name, cursor(position));
    return `${pageUrl}?${parameters.toString()}`;
  };
  return {
    data: page.map((template) => project(template, query.get('fields') ?? defaultFields)),
    paging: {
      cursors: { before: cursor(start), after: cursor(last) },
      // The last page has cursors too: only the missing `next` shows that it is the last.
      ...(last + 1 < matching.length ? { next: link('after', last) } : {}),
      ...(start > 0 ? { previous: link('before', start) } : {}),
    },
  };
};

const isWanted = (template: Template, query: URLSearchParams): boolean => {
  const name = query.get('name');
  const content = query.get('content');
  const either = query.get('name_or_content');
  return (
    (name === null || template.name.includes(name)) &&
    (content === null || hasContent(template, content)) &&
    (either === null || template.name.includes(either) || hasContent(template, either)) &&
    isListed(query, 'status', template.status) &&
    isListed(query, 'category', template.category) &&
    isListed(query, 'language', template.language) &&
    isListed(query, 'quality_score', qualityOf(template))
  );
};

const qualityOf = (template: Template): string => {
  const score = template.quality_score ?? defaultValues.quality_score;
  return typeof score === 'object' && score !== null && 'score' in score
    ? String(score.score)
    : 'UNKNOWN';
};

const hasContent = (template: Template, text: string): boolean =>
  template.components.some(({ text: content }) =>
    textOf(content).toLowerCase().includes(text.toLowerCase()),
  );

/** Filters are lists: `A,B` or `["A","B"]`. */
const isListed = (query: URLSearchParams, name: string, value: string): boolean => {
  const wanted = query.get(name);
  if (wanted === null || wanted === '') return true;
  const choices = wanted.replaceAll(/[[\]"\s]/g, '').split(',');
  return choices.some((choice) => choice.toLowerCase() === value.toLowerCase());
};

const readLimit = (query: URLSearchParams): number => {
  const text = query.get('limit') ?? '25';
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) {
    throw new PlatformError(100, { message: '(#100) Param limit must be a positive integer' });
  }
  return Math.min(Number(text), limitMax);
};

const cursor = (position: number): string =>
  `${Buffer.from(String(position)).toString('base64').replaceAll('=', '')}ZD`;

const readCursor = (query: URLSearchParams, name: string): number | null => {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const position = Buffer.from(text.replace(/ZD$/, ''), 'base64').toString('latin1');
  if (!text.endsWith('ZD') || !/^\d{1,9}$/.test(position)) {
    throw new PlatformError(131059, { message: `(#131059) Invalid cursor "${text}" for ${name}` });
  }
  return Number(position);
};

const project = (template: Template, fields: string): JsonObject => {
  const projected: JsonObject = {};
  for (const field of fields.split(',').map((name) => name.trim())) {
    if (field === '') continue;
    if (!knownFields.has(field)) {
      throw new PlatformError(100, {
        message: `(#100) Tried accessing nonexisting field (${field}) on node type (WhatsAppBusinessHSM)`,
      });
    }
    const value = template[field] ?? defaultValues[field];
    if (value !== undefined) projected[field] = value;
  }
  projected.id = template.id;
  return projected;
};
