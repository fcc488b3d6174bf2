import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest, Principal } from '../../access/principal.js';
import type { Reply, Request } from '../../http/request.js';
import { readIdempotencyKey } from '../../idempotency/idempotency-key.js';

/** Where a send leaves what concerns its request alone: headers, warnings, its message, its unit of the day. */
export interface SendReply {
  readonly request: Pick<Request, 'span' | 'warnings' | 'messageId' | 'dayUnit'>;
  header(name: string, value: string): unknown;
  status(code: number): unknown;
}

/** For a send that no request has asked for. */
export const replyOfNobody = (): SendReply => ({
  request: { span: null, warnings: null, messageId: null, dayUnit: null },
  header: () => undefined,
  status: () => undefined,
});

/** What a send request has in addition to its body. */
export interface SendRequest {
  readonly principal: Principal;
  /** The route, which scopes the idempotency key. */
  readonly route: string;
  readonly idempotencyKey: string | null;
  /** `Prefer: respond-async`: answer as soon as the message is queued. */
  readonly isAsync: boolean;
  readonly reply: SendReply;
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
