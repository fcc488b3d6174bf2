import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { validationError } from '../errors/app-error.js';
import type { AuthenticatedRequest, Reply } from '../http/request.js';

/** What a send request says beside its body. */
export interface SendRequest {
  readonly principal: Principal;
  /** The route, which scopes the idempotency key. */
  readonly route: string;
  readonly idempotencyKey: string | null;
  /** `Prefer: respond-async`: answer as soon as the message is queued. */
  readonly isAsync: boolean;
  readonly reply: Reply;
}

/** Printable ASCII. */
const idempotencyKeyForm = /^[\x20-\x7e]{1,255}$/;

/** A quoted idempotency key is the same key. */
export function unquoted(text: string): string {
  return /^".*"$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}

function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = unquoted(Array.isArray(header) ? header.join(', ') : header);
  if (!idempotencyKeyForm.test(key)) {
    throw validationError({ 'Idempotency-Key': 'must be 1 to 255 printable ASCII characters' });
  }
  return key;
}

function prefersAsync(header: string | string[] | undefined): boolean {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text
    .split(',')
    .some((part) => part.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}

/** Gives a controller everything about a send that is not its body. */
export const Sending = createParamDecorator(
  (_: unknown, context: ExecutionContext): SendRequest => {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    return {
      principal: request.principal,
      route: request.routeOptions.url ?? request.url,
      idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
      isAsync: prefersAsync(request.headers.prefer),
      reply: http.getResponse<Reply>(),
    };
  },
);
