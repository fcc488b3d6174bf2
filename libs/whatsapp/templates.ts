import { isObject, type JsonObject, toId, toList, toObject, toText } from './json.js';
import { PlatformRequestError, type ReadTarget, requestJson } from './reads.js';

/** A business account and a token that may read it. */
export interface BusinessAccount {
  /** The WABA id. */
  businessAccountId: string;
  accessToken: string;
}

/** A button as defined: `QUICK_REPLY`, `URL`, `PHONE_NUMBER`, `COPY_CODE`, `OTP`, `FLOW` …, spelled by the platform. */
export interface TemplateDefinitionButton {
  type: string;
  text?: string;
  /** May hold one variable, at its end. */
  url?: string;
  phone_number?: string;
  [member: string]: unknown;
}

/** A component as defined: `HEADER`, `BODY`, `FOOTER`, `BUTTONS`, `CAROUSEL` …, in the platform's spelling. */
export interface TemplateDefinitionComponent {
  type: string;
  /** Of a header: `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT`, `LOCATION`, `GIF`. */
  format?: string;
  text?: string;
  buttons?: TemplateDefinitionButton[];
  /** `body_text` (list of lists), `body_text_named_params`, `header_text`, `header_handle` … */
  example?: JsonObject;
  [member: string]: unknown;
}

/** One language of one template. The key is account, name and language; the id differs by language. */
export interface TemplateDefinition {
  id: string | null;
  name: string;
  language: string;
  /** Only `APPROVED` can be sent. */
  status: string;
  /** `MARKETING`, `UTILITY`, `AUTHENTICATION`. */
  category: string;
  parameterFormat: 'POSITIONAL' | 'NAMED';
  components: TemplateDefinitionComponent[];
  /** `GREEN`, `YELLOW`, `RED`, `UNKNOWN`. */
  qualityScore: string | null;
  rejectedReason: string | null;
}

const askedFields =
  'id,name,status,category,language,components,parameter_format,quality_score,rejected_reason';
const pageSize = 100;

/** An account holds 6,000 templates at most, in several languages each; more pages than this are a loop. */
const maxPages = 1000;

/** The cursor of a page is not valid any more, such as when templates have changed meanwhile. */
const invalidCursor = 131059;

/** Which templates to list, and how. */
export interface TemplateListOptions {
  /** Only those that the platform finds by this name, which may include longer names. */
  name?: string;
  signal?: AbortSignal;
  /** Awaited before each page is requested, so that the caller can limit calls to the platform. */
  beforePage?: () => Promise<void>;
}

/**
 * All templates of an account, or those whose name the platform finds by `name`. See `WhatsAppClient.listTemplates`.
 * The last page may still have a cursor, so the end is the missing `next`. When a cursor is refused, the list begins
 * again without one, once.
 */
export async function listTemplates(
  target: ReadTarget,
  account: BusinessAccount,
  options: TemplateListOptions = {},
): Promise<TemplateDefinition[]> {
  const query = new URLSearchParams({ fields: askedFields, limit: String(pageSize) });
  if (options.name !== undefined) {
    query.set('name', options.name);
  }
  const id = encodeURIComponent(account.businessAccountId);
  const firstPage = `${target.basePath}/${id}/message_templates?${query.toString()}`;
  try {
    return await listFrom(target, firstPage, account, options);
  } catch (error) {
    if (!isRefusedCursor(error)) throw error;
    return await listFrom(target, firstPage, account, options);
  }
}

async function listFrom(
  target: ReadTarget,
  firstPage: string,
  account: BusinessAccount,
  options: TemplateListOptions,
): Promise<TemplateDefinition[]> {
  const templates: TemplateDefinition[] = [];
  let path: string | null = firstPage;
  for (let page = 0; path !== null; page += 1) {
    if (page === maxPages) {
      throw new PlatformRequestError('bad_paging', `more than ${maxPages} pages`);
    }
    // Each page names the next one.
    // oxlint-disable-next-line no-await-in-loop
    await options.beforePage?.();
    // oxlint-disable-next-line no-await-in-loop
    const body = await requestJson(target, account.accessToken, { path, signal: options.signal });
    templates.push(...toList(body.data).flatMap(toTemplate));
    path = nextPath(target, path, toObject(body.paging).next);
  }
  return templates;
}

function isRefusedCursor(error: unknown): boolean {
  return error instanceof PlatformRequestError && error.error?.code === invalidCursor;
}

/** The next page's path. The token goes to no other origin than the one it was given for. */
function nextPath(target: ReadTarget, current: string, next: unknown): string | null {
  if (next === undefined || next === null || next === '') {
    return null;
  }
  const url = typeof next === 'string' && URL.canParse(next) ? new URL(next) : null;
  if (url?.origin !== target.origin) {
    throw new PlatformRequestError('bad_paging', 'the next page lies on another origin');
  }
  const path = url.pathname + url.search;
  if (path === current) {
    throw new PlatformRequestError('bad_paging', 'a page names itself as the next one');
  }
  return path;
}

function toTemplate(value: unknown): TemplateDefinition[] {
  const fields = toObject(value);
  const name = toText(fields.name);
  const language = toText(fields.language);
  if (!name || !language) {
    return [];
  }
  const isNamed = toText(fields.parameter_format)?.toUpperCase() === 'NAMED';
  const rejectedReason = toText(fields.rejected_reason);
  return [
    {
      id: toId(fields.id),
      name,
      language,
      status: toText(fields.status) ?? 'UNKNOWN',
      category: toText(fields.category) ?? 'UNKNOWN',
      parameterFormat: isNamed ? 'NAMED' : 'POSITIONAL',
      components: toList(fields.components).filter(isTemplateComponent),
      qualityScore: toText(toObject(fields.quality_score).score),
      rejectedReason: rejectedReason === 'NONE' ? null : rejectedReason,
    },
  ];
}

const isOptionalText = (value: unknown) => value === undefined || typeof value === 'string';

/** Whether a value has the shape of a component, as far as it is known. */
export function isTemplateComponent(value: unknown): value is TemplateDefinitionComponent {
  return (
    isObject(value) &&
    typeof value.type === 'string' &&
    isOptionalText(value.format) &&
    isOptionalText(value.text) &&
    (value.example === undefined || isObject(value.example)) &&
    (value.buttons === undefined || (Array.isArray(value.buttons) && value.buttons.every(isButton)))
  );
}

function isButton(value: unknown): value is TemplateDefinitionButton {
  return (
    isObject(value) &&
    typeof value.type === 'string' &&
    [value.text, value.url, value.phone_number].every(isOptionalText)
  );
}
