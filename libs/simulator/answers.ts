import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { PlatformError } from './errors.js';
import type { Answer } from './faults.js';
import type { LogRecord } from './options.js';

const run = randomBytes(9).toString('base64url');
let count = 0;

/** A trace id in the platform's form, new for every answer. */
const nextTraceId = (): string => `A${run}${(++count).toString(36).padStart(10, '0')}`;

/** The headers that the Graph API sends along with every answer. */
export const graphHeaders = (traceId = nextTraceId()): Record<string, string> => ({
  'content-type': 'application/json; charset=UTF-8',
  'facebook-api-version': 'v25.0',
  'x-fb-request-id': traceId,
  'x-fb-trace-id': traceId,
  'x-fb-rev': '1029384756',
});

/** Answers as the Graph API does. It bypasses Fastify, because every send ends here. */
export const answerGraph = (
  reply: FastifyReply,
  http: number,
  json: string,
  headers = graphHeaders(),
): void => {
  headers['content-length'] = String(Buffer.byteLength(json));
  reply.hijack();
  reply.raw.writeHead(http, headers);
  reply.raw.end(json);
};

/** Gives the answer of a fault in place of the platform's own; throws the one that is a refusal. */
export const answerInstead = (reply: FastifyReply, answer: Answer): void => {
  if (answer === 'silence' || answer === 'reset') {
    reply.hijack();
    if (answer === 'reset') reply.raw.socket?.resetAndDestroy();
    return;
  }
  if (answer instanceof PlatformError) throw answer;
  reply.code(answer.http).header('content-type', answer.contentType).send(answer.body);
};

/**
 * Answers whatever was thrown: a refusal as it is, an error that has a status with its text, and a
 * fault of ours with the platform's "unknown error".
 */
export const answerError = (
  error: unknown,
  reply: FastifyReply,
  log: (record: LogRecord) => void,
): void => {
  if (error instanceof Error && 'statusCode' in error) {
    const status = Number(error.statusCode);
    const message = status === 413 ? 'the body is too large' : error.message;
    reply.code(status).send({ error: { message } });
    return;
  }
  if (!(error instanceof PlatformError)) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log({ level: 'error', message: 'an answer failed', error: reason });
  }
  const refusal = error instanceof PlatformError ? error : new PlatformError(1, { http: 500 });
  const traceId = nextTraceId();
  const headers = graphHeaders(traceId);
  if (refusal.http === 401) {
    headers['www-authenticate'] = 'OAuth "Facebook Platform" "invalid_token"';
  }
  answerGraph(reply, refusal.http, refusal.toJson(traceId), headers);
};
