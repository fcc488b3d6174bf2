import type { OpenApiDocument, Schema } from './document-types.js';
import { errorSchemas } from './errors.js';
import { eventSchemas } from './events.js';

const requestId: Schema = {
  type: 'string',
  description: 'The same as the header X-Request-Id; name it when you ask about a request.',
};

const rateLimit: Schema = {
  type: 'object',
  description: 'The minute window of the API key.',
  properties: {
    limit: { type: 'integer' },
    remaining: { type: 'integer' },
    reset_at: { type: 'string', format: 'date-time', description: 'The end of the window.' },
  },
  required: ['limit', 'remaining', 'reset_at'],
};

const warnings: Schema = {
  type: 'array',
  items: { type: 'string' },
  description:
    'What only WhatsApp would refuse; each text names the field. Answers of sends have it only if there are some.',
};

const envelopeSchemas: Record<string, Schema> = {
  RateLimit: rateLimit,
  Meta: {
    type: 'object',
    properties: {
      request_id: requestId,
      rate_limit: { $ref: '#/components/schemas/RateLimit' },
      warnings,
    },
    required: ['request_id'],
  },
  MeteredMeta: {
    type: 'object',
    description: 'The `meta` of requests with an API key.',
    properties: {
      request_id: requestId,
      rate_limit: { $ref: '#/components/schemas/RateLimit' },
      warnings,
    },
    required: ['request_id', 'rate_limit'],
  },
};

const header = (description: string, schema: Schema = { type: 'string' }) => ({
  description,
  schema,
});

const headers = {
  RequestId: header('The id of the request, also in `meta.request_id`.'),
  RateLimit: header('What remains of the windows: `"minute";r=59;t=12, "day";r=9999;t=3600`.'),
  RateLimitPolicy: header('The windows: `"minute";q=60;w=60, "day";q=10000;w=86400`.'),
  RetryAfter: header('Seconds to wait before you repeat the request.', { type: 'integer' }),
  PreferenceApplied: header('`respond-async`.'),
  IdempotencyReplayed: header(
    '`true` when nothing was done: the answer is the one to the first request, or about its message as it is now.',
  ),
};

const headerParameter = (name: string, description: string, schema: Schema) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
});

const parameters = {
  IdempotencyKey: headerParameter(
    'Idempotency-Key',
    'Repeating a request with the same key and body within 24 hours does nothing: it returns the result of the first.',
    { minLength: 1, maxLength: 255 },
  ),
  Prefer: headerParameter(
    'Prefer',
    '`respond-async`: answer 202 as soon as the message is queued.',
    { examples: ['respond-async'] },
  ),
  Timestamp: headerParameter(
    'X-Timestamp',
    'Unix time in seconds, at most 300 s off. For signed requests; keys may require them.',
    { pattern: '^\\d+$' },
  ),
  Nonce: headerParameter(
    'X-Nonce',
    'A value that is different in every request. For signed requests.',
    {},
  ),
  Signature: headerParameter('X-Signature', '`v1=` and the signature in hex.', {
    examples: ['v1=5d41402abc4b2a76b9719d911017c592…'],
  }),
};

/** What every operation refers to: the envelope's parts, errors, headers and ways to sign in. */
export function commonComponents(
  cookieName: string,
): Omit<OpenApiDocument['components'], 'schemas'> & { schemas: Record<string, Schema> } {
  return {
    schemas: { ...envelopeSchemas, ...errorSchemas(), ...eventSchemas() },
    headers,
    parameters,
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description: '`pk_live_…` or `pk_test_…`.',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: cookieName,
        description:
          "The dashboard's session; `POST /api/v1/dashboard/session` sets it. Eight characters of the installation follow the name, and the prefix is `__Host-` on https.",
      },
    },
  };
}
