import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import type { AppError } from '../errors/app-error.js';
import type { RateLimit, Reply, Request } from './request.js';

interface Meta {
  request_id: string;
  rate_limit?: RateLimit;
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
  return request.rateLimit
    ? { request_id: request.id, rate_limit: request.rateLimit }
    : { request_id: request.id };
}

/** The envelope of an error answer. */
export function errorEnvelope(request: Request, error: AppError): object {
  return {
    success: false,
    error: { code: error.code, message: error.message, details: error.details },
    meta: metaOf(request),
  };
}

/** The envelope of an error that happens before there is a request to speak of. */
export function bareErrorEnvelope(requestId: string, error: AppError): object {
  return {
    success: false,
    error: { code: error.code, message: error.message, details: error.details },
    meta: { request_id: requestId },
  };
}

/**
 * Wraps what a controller returns: `{ success, data, meta }`. Answers 200 unless the controller
 * chose another status: the API uses 200 and 202 for success, never Nest's 201.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const reply = context.switchToHttp().getResponse<Reply>();
    reply.status(200);
    return next
      .handle()
      .pipe(
        map((data: unknown) =>
          data instanceof WithMeta
            ? { success: true, data: data.data, meta: { ...metaOf(request), ...data.meta } }
            : { success: true, data, meta: metaOf(request) },
        ),
      );
  }
}
