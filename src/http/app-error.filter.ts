import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { isStoreUnavailable } from '../database/store-errors.js';
import { AppError, unavailable, validationError } from '../errors/app-error.js';
import { DailyLimitError } from '../errors/daily-limit.js';
import { Bare, errorEnvelope } from './envelope.js';
import type { Reply, Request } from './request.js';
import { securityHeaders } from './server/security-headers.js';

/** The one place where errors become answers: always the envelope, never a stack trace. */
@Catch()
export class AppErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const reply = host.switchToHttp().getResponse<Reply>();
    answerError(request, reply, thrown);
  }
}

/** The connection closed before the whole body arrived, so there is no request to answer. */
const isAborted = ({ raw }: Request): boolean => raw.destroyed && !raw.complete;

/** Sends an error answer; Fastify's own error handler uses it too. */
export function answerError(request: Request, reply: Reply, thrown: unknown): void {
  if (isAborted(request)) {
    request.log.debug({ request_id: request.id, err: thrown }, 'the client closed the connection');
    reply.hijack();
    return;
  }
  const error = toAppError(thrown);
  request.errorCode = error.code;
  request.errorFields = error.fields;
  // A refusal for now, such as of a process that is stopping, is no failure: the request's own line has its code.
  const isRefusal = error.status === 503 && error.cause === undefined;
  if (error.status >= 500 && !isRefusal) {
    request.log.error(
      {
        request_id: request.id,
        trace_id: request.span?.spanContext().traceId,
        err: error.cause ?? thrown,
        code: error.code,
      },
      'request failed',
    );
  }
  if (error.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(error.retryAfterSeconds));
  }
  if (error instanceof DailyLimitError) request.dayUnit?.wasRefused(error.dayUsed);
  if (reply.sent) return;
  // Errors of the router come before the hook that sets them.
  reply.header('x-request-id', request.id).headers(securityHeaders);
  const form = errorForms.find(({ addresses }) => addresses.test(request.url));
  if (form) {
    const { status, body } = form.formOf(request, error);
    reply.status(status).send(new Bare(body));
  } else reply.status(error.status).send(errorEnvelope(request, error));
}

/** How some routes say an error, where that is not in the envelope. */
export interface ErrorForm {
  readonly addresses: RegExp;
  readonly formOf: (request: Request, error: AppError) => { status: number; body: object };
}

const errorForms: ErrorForm[] = [];

/** From now on errors of these addresses are said in this form, also where no route is. */
export function addErrorForm(form: ErrorForm): void {
  if (!errorForms.includes(form)) errorForms.push(form);
}

/** Maps anything thrown to an error of the catalogue. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isStoreUnavailable(thrown)) {
    return unavailable('store_unavailable', 'The database cannot be reached; nothing was sent.', {
      cause: thrown,
    });
  }
  const status = statusOf(thrown);
  if (status === 404) return new AppError('NOT_FOUND');
  if (status !== null && status >= 400 && status < 500) {
    const rule = thrown instanceof Error ? thrown.message : 'is not valid';
    return validationError({ request: rule }, rule);
  }
  return new AppError('INTERNAL_ERROR', { cause: thrown });
}

function statusOf(thrown: unknown): number | null {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof Error && 'statusCode' in thrown && typeof thrown.statusCode === 'number') {
    return thrown.statusCode;
  }
  return null;
}
