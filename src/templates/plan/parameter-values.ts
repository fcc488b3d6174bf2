import { isUUID } from 'class-validator';
import type { BodyParameter, ButtonParameter, HeaderParameter } from '#libs/whatsapp';
import { unstorableFields } from '../../http/validation/json-body.js';
import { codePoints, isBlank, linkFault } from '../../http/validation/rules.js';
import { fileNameIn } from '../../uploads/file-names.js';
import type { Slot } from './template-plan.js';

/** How a text parameter of a body may be sent. */
export const textTypes = ['text', 'currency', 'date_time'] as const;
export type TextType = (typeof textTypes)[number];

export type Parameter = HeaderParameter | BodyParameter | ButtonParameter;

/**
 * What the platform refuses in a text parameter with 132018. The template's own text may have line
 * breaks. Its words: "Param text cannot have new-line/tab characters or more than 4 consecutive spaces".
 */
const refusedLayout = /[\n\r\t]| {5}/;

/** An amount with its ISO 4217 code before or behind it, such as `EUR 12.50` or `12.50 EUR`. */
const amountForm =
  /^(?:(?<before>[A-Z]{3}) ?)?(?<whole>-?\d{1,12})(?:\.(?<fraction>\d{1,3}))?(?: ?(?<behind>[A-Z]{3}))?$/;

const couponMaxLength = 20;
const oneTimeCodeMaxLength = 15;

/** Endings by which the kind of a file is known; a document may be any file. */
const endings = {
  image: new Set(['jpg', 'jpeg', 'png', 'gif', 'webp']),
  video: new Set(['mp4', '3gp', 'mov', 'webm', 'mkv']),
  document: new Set(['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'txt', 'csv']),
} as const;

/** What is wrong with the layout of a text parameter, or null. The platform treats a blank one as missing. */
export function textFault(text: string): string | null {
  if (isBlank(text)) return 'must not be blank';
  return refusedLayout.test(text)
    ? 'must not contain a newline, a tab or more than four spaces in a row'
    : null;
}

/** What is wrong with the code of a copy-code button, or null. The platform refuses longer ones with 131009. */
export function couponFault(code: string): string | null {
  if (isBlank(code)) return 'must not be blank';
  const length = codePoints(code);
  return length > couponMaxLength
    ? `must be at most ${couponMaxLength} characters; this has ${length}`
    : null;
}

/**
 * What is wrong with the one-time codes of an authentication template, by their paths: each is short,
 * and the button copies the code that the body shows.
 */
export function oneTimeCodeFaults(
  codes: readonly { readonly path: string; readonly code: string }[],
): Record<string, string> {
  return Object.fromEntries(
    codes.flatMap(({ path, code }) => {
      const length = codePoints(code);
      if (length > oneTimeCodeMaxLength) {
        const most = `at most ${oneTimeCodeMaxLength} characters`;
        return [[path, `must be a one-time code of ${most}; this has ${length}`]];
      }
      return code === codes[0]?.code
        ? []
        : [[path, `must be the same one-time code as in ${codes[0]?.path}`]];
    }),
  );
}

/** What is wrong with a variable's value for the place that it fills, or null. */
export function valueFault({ kind }: Slot, type: TextType, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  switch (kind) {
    case 'text':
      return textFault(value) ?? (type === 'currency' ? amountFault(value) : null);
    case 'url_suffix':
      return textFault(value);
    case 'payload':
    case 'flow_token':
      return isBlank(value) ? 'must not be blank' : null;
    case 'coupon_code':
      return couponFault(value);
    case 'flow_action_data':
      return isJsonObject(value) ? null : 'must be a JSON object, written as text';
    case 'image':
    case 'video':
    case 'document':
      return mediaLinkFault(kind, value);
    case 'location':
      return 'cannot be given as text';
  }
}

/** The parameter that puts a valid value into its place. */
export function parameterFor({ kind, name }: Slot, type: TextType, value: string): Parameter {
  const parameter_name = name === null ? {} : { parameter_name: name };
  switch (kind) {
    case 'text':
      if (type === 'currency') return { type, ...parameter_name, currency: amountOf(value) };
      if (type === 'date_time') {
        return { type, ...parameter_name, date_time: { fallback_value: value } };
      }
      return { type, ...parameter_name, text: value };
    case 'url_suffix':
      return { type: 'text', text: value };
    case 'payload':
      return { type: 'payload', payload: value };
    case 'coupon_code':
      return { type: 'coupon_code', coupon_code: value };
    case 'flow_token':
      return { type: 'action', action: { flow_token: value } };
    case 'flow_action_data':
      return { type: 'action', action: { flow_action_data: JSON.parse(value) as unknown } };
    case 'image':
      return { type: 'image', image: sourceOf(value) };
    case 'video':
      return { type: 'video', video: sourceOf(value) };
    case 'document':
      return { type: 'document', document: { ...sourceOf(value), ...nameOf(value) } };
    case 'location':
      throw new Error('a variable cannot fill a location');
  }
}

/** The platform's id takes the place of ours before it is sent. */
function sourceOf(value: string): { link: string } | { media_id: string } {
  return isUUID(value) ? { media_id: value } : { link: value };
}

/** The name of a document by its address; an upload brings its own. */
function nameOf(value: string): { filename?: string } {
  return isUUID(value) ? {} : { filename: fileNameIn(value) };
}

function mediaLinkFault(kind: 'image' | 'video' | 'document', value: string): string | null {
  if (isUUID(value)) return null;
  if (linkFault(value) !== null) {
    return `must be the address of ${article(kind)}, beginning with http:// or https://, or the media_id of an upload`;
  }
  if (kind === 'document') return null;
  const ending = /\.(\w+)$/.exec(new URL(value).pathname)?.[1]?.toLowerCase() ?? '';
  const found = (Object.keys(endings) as (keyof typeof endings)[]).find((one) =>
    endings[one].has(ending),
  );
  return found === undefined || found === kind
    ? null
    : `must be the address of ${article(kind)}, not of ${article(found)}`;
}

function article(kind: 'image' | 'video' | 'document'): string {
  return kind === 'image' ? 'an image' : `a ${kind}`;
}

function amountFault(value: string): string | null {
  const { before, behind } = amountForm.exec(value)?.groups ?? {};
  return (before === undefined) === (behind === undefined)
    ? 'must be an amount with its currency code, such as "12.50 EUR"'
    : null;
}

function amountOf(value: string) {
  const { before, behind, whole = '0', fraction = '' } = amountForm.exec(value)?.groups ?? {};
  return {
    fallback_value: value,
    code: before ?? behind ?? '',
    amount_1000: Number(`${whole}${fraction.padEnd(3, '0')}`),
  };
}

/** Whether a text is a JSON object that can be stored and sent. */
function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    return unstorableFields(value) === null;
  } catch {
    return false;
  }
}
