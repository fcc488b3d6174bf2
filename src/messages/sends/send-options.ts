import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest, Principal } from '../../access/principal.js';
import type { Reply } from '../../http/request.js';
import { readIdempotencyKey } from '../../idempotency/idempotency-key.js';

/** What a send request has in addition to its body. */
export interface SendRequest {
  readonly principal: Principal;
  /** The route, which scopes the idempotency key. */
  readonly route: string;
  readonly idempotencyKey: string | null;
  /** `Prefer: respond-async`: answer as soon as the message is queued. */
  readonly isAsync: boolean;
  readonly reply: Reply;
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
