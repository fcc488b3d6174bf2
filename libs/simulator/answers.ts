import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { PlatformError } from './errors.js';
import type { LogRecord } from './options.js';

const run = randomBytes(9).toString('base64url');
let count = 0;

/** A trace id in the platform's form, new for every answer. */
export const nextTraceId = (): string => `A${run}${(++count).toString(36).padStart(10, '0')}`;

/** Answers as the Graph API does, with the headers that it sends along. */
export const answerGraph = (
  response: ServerResponse,
  http: number,
  json: string,
  traceId: string,
  usageOf?: string,
): void => {
  const headers = [
    'content-type',
    'application/json; charset=UTF-8',
    'content-length',
    String(Buffer.byteLength(json)),
    'facebook-api-version',
    'v25.0',
    'x-fb-request-id',
    traceId,
    'x-fb-trace-id',
    traceId,
    'x-fb-rev',
    '1029384756',
  ];
  if (usageOf !== undefined) {
    headers.push(
      'x-business-use-case-usage',
      `{"${usageOf}":[{"type":"whatsapp","call_count":1,"total_cputime":1,"total_time":1,"estimated_time_to_regain_access":0}]}`,
    );
  }
  if (http === 401) headers.push('www-authenticate', 'OAuth "Facebook Platform" "invalid_token"');
  response.writeHead(http, headers);
  response.end(json);
};

/** Answers a refusal. */
export const answerError = (response: ServerResponse, error: PlatformError): void => {
  const traceId = nextTraceId();
  answerGraph(response, error.http, error.toJson(traceId), traceId);
};

/**
 * Runs an answer and turns whatever it throws into one: a refusal into itself, a fault of ours into
 * the platform's "unknown error", so that one bad request does not end the process.
 */
export const guard = (
  response: ServerResponse,
  log: (record: LogRecord) => void,
  answer: () => void,
): void => {
  try {
    answer();
  } catch (error) {
    if (error instanceof PlatformError) {
      answerError(response, error);
      return;
    }
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log({ level: 'error', message: 'an answer failed', error: reason });
    if (response.headersSent) response.destroy();
    else answerError(response, new PlatformError(1, { http: 500 }));
  }
};

/** Answers for the simulator itself, not for the platform. */
export const answerControl = (response: ServerResponse, http: number, body: unknown): void => {
  const json = JSON.stringify(body);
  response.writeHead(http, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(json),
  });
  response.end(json);
};

/** Answers with any content. */
export const answerContent = (
  response: ServerResponse,
  http: number,
  contentType: string,
  body: string | Buffer,
): void => {
  response.writeHead(http, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
};
