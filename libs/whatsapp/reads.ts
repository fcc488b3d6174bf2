import type { Dispatcher } from 'undici';
import type { PlatformError } from './errors.js';
import {
  type BrokenReason,
  type ExchangeResult,
  exchange,
  type NotWrittenReason,
} from './exchange.js';
import { parsePlatformError, tooManyRequests } from './graph-error.js';
import { isObject, type JsonObject, parseJson } from './json.js';
import { redact } from './redaction.js';
import { readRetryAfter } from './send-result.js';

/**
 * Why a read failed: `refused` with the platform's error, everything else without one. `gone`: the
 * address of a file was answered with 404.
 */
export type PlatformRequestFailure =
  | 'refused'
  | 'gone'
  | 'server_error'
  | 'too_large'
  | 'bad_paging'
  | 'untrusted_url'
  | NotWrittenReason
  | BrokenReason;

/** Failures of which the platform has provably seen nothing. */
const unwritten: ReadonlySet<PlatformRequestFailure> = new Set<NotWrittenReason>([
  'dns',
  'connect_refused',
  'connect_timeout',
  'tls',
  'connect_failed',
]);

/**
 * A request (templates, number, token, media, read receipt) that brought no result. None of them sends a message, so any may be
 * tried again. Texts do not contain the access token.
 */
export class PlatformRequestError extends Error {
  override readonly name = 'PlatformRequestError';
  readonly reason: PlatformRequestFailure;
  /** Present exactly when the reason is `refused`. */
  readonly error: PlatformError | null;
  readonly httpStatus: number | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    reason: PlatformRequestFailure,
    detail: string,
    answer: {
      error?: PlatformError;
      httpStatus?: number | null;
      retryAfterSeconds?: number | null;
    } = {},
  ) {
    super(`${reason}: ${detail}`);
    this.reason = reason;
    this.error = answer.error ?? null;
    this.httpStatus = answer.httpStatus ?? null;
    this.retryAfterSeconds = answer.retryAfterSeconds ?? null;
  }

  /** Whether the platform may have got the request. */
  get wasWritten(): boolean {
    return !unwritten.has(this.reason);
  }
}

/** Where reads go, and how long they may take. */
export interface ReadTarget {
  dispatcher: Dispatcher;
  origin: string;
  userAgent: string;
  basePath: string;
  timeoutMs: number;
  connectTimeoutMs: number;
}

/** A page of templates with long texts is the largest answer; a hundred of them fit many times over. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** What a request is, besides its token. */
export interface JsonRequest {
  /** Starts at the origin. */
  path: string;
  /** JSON text to POST; a GET without it. */
  body?: string;
  signal?: AbortSignal | undefined;
}

/** GETs or POSTs, and returns the JSON object of the answer. Throws {@link PlatformRequestError}. */
export async function requestJson(
  target: ReadTarget,
  accessToken: string,
  { path, body, signal }: JsonRequest,
): Promise<JsonObject> {
  const headers = {
    authorization: `Bearer ${accessToken}`,
    accept: 'application/json',
    'user-agent': target.userAgent,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const result = await exchange(
    target.dispatcher,
    { method: body === undefined ? 'GET' : 'POST', path, headers, body: body ?? null },
    {
      connectTimeoutMs: target.connectTimeoutMs,
      timeoutMs: target.timeoutMs,
      maxBytes: maxAnswerBytes,
      signal,
    },
  );
  if (result.kind === 'answered' && result.httpStatus >= 200 && result.httpStatus < 300) {
    const parsed = parseJson(result.text);
    if (isObject(parsed)) {
      return parsed;
    }
  }
  throw toRequestError(result, accessToken);
}

/** POSTs what is answered with nothing but success. Throws {@link PlatformRequestError}. */
export async function requestSuccess(
  target: ReadTarget,
  accessToken: string,
  request: JsonRequest,
): Promise<void> {
  const { success } = await requestJson(target, accessToken, request);
  if (success !== true) {
    throw new PlatformRequestError('unreadable', 'the answer does not say success');
  }
}

function toRequestError(result: ExchangeResult, accessToken: string): PlatformRequestError {
  if (result.kind !== 'answered') {
    const httpStatus = result.kind === 'broken' ? result.httpStatus : null;
    return new PlatformRequestError(result.reason, redact(result.detail, accessToken), {
      httpStatus,
    });
  }
  const { httpStatus, headers, text } = result;
  const said = httpStatus >= 400 ? parsePlatformError(redact(text, accessToken), httpStatus) : null;
  const error = said ?? (httpStatus === 429 ? tooManyRequests : null);
  if (error) {
    const retryAfterSeconds = readRetryAfter(headers);
    return new PlatformRequestError('refused', error.message, {
      error,
      httpStatus,
      retryAfterSeconds,
    });
  }
  const reason = httpStatus >= 500 ? 'server_error' : 'unreadable';
  return new PlatformRequestError(reason, `HTTP ${httpStatus}`, { httpStatus });
}
