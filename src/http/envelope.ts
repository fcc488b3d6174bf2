import type { AppError } from '../errors/app-error.js';
import type { RateLimit, Request } from './request.js';

interface Meta {
  request_id: string;
  rate_limit?: RateLimit;
  warnings?: readonly string[];
  [name: string]: unknown;
}

/** A success whose `meta` has more than the request id and the rate limit. */
export class WithMeta {
  constructor(
    readonly data: unknown,
    readonly meta: Record<string, unknown>,
  ) {}
}

function metaOf(request: Request): Meta {
  const meta: Meta = request.rateLimit
    ? { request_id: request.id, rate_limit: request.rateLimit }
    : { request_id: request.id };
  if (request.warnings) meta.warnings = request.warnings;
  return meta;
}

/** The envelope of an error answer. */
export function errorEnvelope(request: Request, error: AppError): ErrorEnvelope {
  return new ErrorEnvelope(
    { code: error.code, message: error.message, details: error.details },
    metaOf(request),
  );
}

/** The envelope of an error that happens before there is a request. */
export function bareErrorEnvelope(requestId: string, error: AppError): ErrorEnvelope {
  return new ErrorEnvelope(
    { code: error.code, message: error.message, details: error.details },
    { request_id: requestId },
  );
}

/** An answer that is not in the envelope: health and the platform's own forms. */
export class Bare {
  constructor(readonly body: unknown) {}
}

/** An error in its envelope. */
export class ErrorEnvelope {
  readonly success = false;
  readonly error: { code: string; message: string; details?: Record<string, unknown> };
  readonly meta: Meta;

  constructor(error: ErrorEnvelope['error'], meta: Meta) {
    this.error = error;
    this.meta = meta;
  }
}

/**
 * Wraps what a controller returns: `{ success, data, meta }`. It is a hook of Fastify rather than an
 * interceptor: Nest runs interceptors through observables, which cost more than the wrapping.
 */
export function toEnvelope(request: Request, payload: unknown): unknown {
  if (payload instanceof ErrorEnvelope) return payload;
  if (payload instanceof Bare) return payload.body;
  return payload instanceof WithMeta
    ? { success: true, data: payload.data, meta: { ...metaOf(request), ...payload.meta } }
    : { success: true, data: payload, meta: metaOf(request) };
}
