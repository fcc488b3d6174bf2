import { catalogue, type ErrorCode } from '../../src/errors/catalogue.js';
import type { Refusal } from '../../src/http/route.decorators.js';
import { type Response, ref, type Schema } from './document-types.js';

const text: Schema = { type: 'string' };
const seconds: Schema = { type: 'integer', description: 'As in `Retry-After`.' };

const fields: Schema = {
  type: 'object',
  description:
    'Path of each violated field, such as `sections[0].rows[1].title`, to what is wrong.',
  additionalProperties: text,
};

/** What `details` holds, where a code has details of a fixed form. */
const detailsByCode: Partial<Record<ErrorCode, Record<string, Schema>>> = {
  INVALID_API_KEY: {
    reason: { ...text, description: '`inactive` if the key is switched off.' },
  },
  PERMISSION_DENIED: { permission: text },
  RATE_LIMIT_EXCEEDED: { retry_after: seconds },
  DAILY_LIMIT_EXCEEDED: { retry_after: seconds },
  VALIDATION_ERROR: { fields },
  INVALID_PHONE_NUMBER: { fields },
  INVALID_TEMPLATE_PARAMS: { fields },
  TEMPLATE_NOT_FOUND: {
    status: { ...text, description: 'The status of a template that exists but is not approved.' },
  },
  TEMPLATE_NOT_CONFIGURED: { reason: text },
  RECIPIENT_OPTED_OUT: {
    scope: { ...text, description: '`marketing`, or `all`: every template but one-time codes.' },
    since: { ...text, format: 'date-time' },
    source: { ...text, description: 'Who said so: `api`, or what the request named.' },
  },
  MESSAGE_STATE: { status: { ...text, description: 'The status of the message.' } },
  CAMPAIGN_STATE: { status: { ...text, description: 'The status of the campaign.' } },
  WINDOW_CLOSED: {
    expired_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it closed; null if the recipient never wrote.',
    },
  },
  MEDIA_EXPIRED: {
    field: { ...text, description: 'The field that names the file.' },
    expired_at: { ...text, format: 'date-time' },
  },
  MEDIA_TOO_LARGE: { max_bytes: { type: 'integer' } },
  MISSING_REQUIRED_VARIABLE: { variables: { type: 'array', items: text } },
  WEBHOOK_LIMIT: { max: { type: 'integer', description: 'How many a key may have.' } },
  ACCOUNT_LIMIT: {
    limit: { ...text, enum: ['keys', 'endpoints', 'rate_limit_per_minute', 'daily_limit'] },
    max: { type: 'integer', description: 'The limit itself.' },
  },
  CONFLICT: {
    endpoint_id: { ...text, description: 'The endpoint that the first of repeated requests made.' },
  },
  IDEMPOTENCY_KEY_REUSED: {
    message_id: { ...text, description: 'The message that has the key, where it was a send.' },
  },
  MESSAGE_SEND_FAILED: {
    message_id: text,
    retryable: { type: 'boolean', description: 'Whether a new send can succeed later.' },
    whatsapp_error_code: { type: 'integer', description: 'Absent if WhatsApp never answered.' },
    whatsapp_error_message: {
      type: ['string', 'null'],
      description: "WhatsApp's own text; absent if it never answered.",
    },
    reason: { ...text, description: 'Where there is no code: `unreachable`, `expired`, …' },
  },
  PLATFORM_REFUSED: {
    whatsapp_error_code: { type: 'integer', description: "WhatsApp's code." },
    whatsapp_error_message: { ...text, description: "WhatsApp's own text." },
  },
  NOT_FOUND: {
    whatsapp_error_code: {
      type: 'integer',
      description: "WhatsApp's code, for a file that it no longer has.",
    },
  },
  SERVICE_UNAVAILABLE: {
    reason: text,
    message_id: {
      ...text,
      description:
        'The acceptance is uncertain: read this message, or repeat with the same Idempotency-Key.',
    },
    whatsapp_error_code: {
      type: 'integer',
      description:
        "WhatsApp's code, with `platform_refused`: a file that it does not give out now.",
    },
    whatsapp_error_message: { ...text, description: "WhatsApp's own text." },
  },
};

/** What must be in the details, for codes that always have them. */
const requiredDetails: Partial<Record<ErrorCode, Schema>> = {
  MESSAGE_SEND_FAILED: {
    required: ['message_id', 'retryable'],
    dependentRequired: { whatsapp_error_code: ['whatsapp_error_message'] },
    if: { required: ['whatsapp_error_code'], properties: { whatsapp_error_code: {} } },
    else: { required: ['reason'], properties: { reason: {} } },
  },
};

/** The answer to what is no operation of the document. */
const ofNoOperation: ErrorCode = 'METHOD_NOT_ALLOWED';

/** A schema for each code that an operation answers with: its title, and its details. */
export function errorSchemas(): Record<string, Schema> {
  const codes = (Object.keys(catalogue) as ErrorCode[]).filter((code) => code !== ofNoOperation);
  return Object.fromEntries(
    codes.map((code) => {
      const { title, retryable } = catalogue[code];
      const required = requiredDetails[code];
      const details: Schema = {
        type: 'object',
        properties: detailsByCode[code] ?? {},
        ...required,
      };
      return [
        schemaNameOf(code),
        {
          type: 'object',
          description: retryable ? `${title} Repeating the request later can succeed.` : title,
          properties: { code: { type: 'string', const: code }, message: text, details },
          required: ['code', 'message', ...(required ? ['details'] : [])],
        },
      ];
    }),
  );
}

const pascalCase = (code: string) =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const schemaNameOf = (code: ErrorCode) =>
  `${pascalCase(code)}Error`.replace(/ErrorError$/, 'Error');

/** Codes that answer with one status, sorted as the catalogue is. */
export function byStatus(refusals: readonly Refusal[]): Map<number, ErrorCode[]> {
  const order = Object.keys(catalogue);
  const codes = new Map<number, Set<ErrorCode>>();
  for (const refusal of refusals) {
    const code = typeof refusal === 'string' ? refusal : refusal.code;
    const status = typeof refusal === 'string' ? catalogue[refusal].status : refusal.status;
    codes.set(status, (codes.get(status) ?? new Set<ErrorCode>()).add(code));
  }
  return new Map(
    [...codes].map(([status, set]) => [
      status,
      [...set].toSorted((one, other) => order.indexOf(one) - order.indexOf(other)),
    ]),
  );
}

const namedCodesMax = 4;

/** The name under which answers with the same status and codes are kept once; null for long lists. */
export function findResponseName(status: number, codes: readonly ErrorCode[]): string | null {
  if (codes.length > namedCodesMax) return null;
  const name = codes.map(pascalCase).join('Or');
  return codes.every((code) => catalogue[code].status === status) ? name : `${name}${status}`;
}

/** The answer with one of some codes. */
export function errorResponse(status: number, codes: readonly ErrorCode[]): Response {
  const schemas = codes.map((code) => ref('schemas', schemaNameOf(code)));
  const [only] = schemas;
  const isWaiting = status === 429 || status === 503;
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].title}`).join('\n\n'),
    headers: {
      'X-Request-Id': ref('headers', 'RequestId'),
      ...(isWaiting && { 'Retry-After': ref('headers', 'RetryAfter') }),
    },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            success: { type: 'boolean', const: false },
            error: schemas.length === 1 && only ? only : { oneOf: schemas },
            meta: ref('schemas', 'Meta'),
          },
          required: ['success', 'error', 'meta'],
        },
      },
    },
  };
}
