import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { PlatformError } from './errors.js';

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
