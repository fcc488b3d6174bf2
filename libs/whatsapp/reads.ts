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

/**
 * A read (templates, number, media) that brought no result. Reads change nothing, so any of them may be tried again.
 * Texts do not contain the access token.
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
}

/** Where reads go, and how long they may take. */
export interface ReadTarget {
  dispatcher: Dispatcher;
  origin: string;
  basePath: string;
  timeoutMs: number;
  connectTimeoutMs: number;
}

/** A page of templates with long texts is the largest answer; a hundred of them fit many times over. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** GETs a JSON object. `path` starts at the origin. Throws {@link PlatformRequestError}. */
export async function readJson(
  target: ReadTarget,
  path: string,
  accessToken: string,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const headers = {
    authorization: `Bearer ${accessToken}`,
    accept: 'application/json',
    'user-agent': 'parley',
  };
  const result = await exchange(
    target.dispatcher,
    { method: 'GET', path, headers },
    {
      connectTimeoutMs: target.connectTimeoutMs,
      timeoutMs: target.timeoutMs,
      maxBytes: maxAnswerBytes,
      signal,
    },
  );
  if (result.kind === 'answered' && result.httpStatus >= 200 && result.httpStatus < 300) {
    const body = parseJson(result.text);
    if (isObject(body)) {
      return body;
    }
  }
  throw toRequestError(result, accessToken);
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
