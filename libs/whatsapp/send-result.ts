import type { PlatformError } from './errors.js';
import type { BrokenReason, ExchangeResult, Headers, NotWrittenReason } from './exchange.js';
import { parsePlatformError, tooManyRequests } from './graph-error.js';
import { parseJson, toList, toObject, toText } from './json.js';
import { excerpt, redact } from './redaction.js';

/**
 * What is known about a send. The platform has no idempotency key, so the four outcomes differ in what may follow:
 * `accepted` and `refused` are proved, `not_written` may be sent again without risk, `ambiguous` may not.
 * Texts are at most 4 KiB and do not contain the access token. `durationMs` counts from the call.
 */
export type SendResult =
  | {
      outcome: 'accepted';
      /** The wamid: what status notifications refer to. */
      platformMessageId: string;
      /** `accepted`, `held_for_quality_assessment` or `paused`; null when the platform does not say. */
      messageStatus: string | null;
      /** What the platform calls the number of the recipient, digits alone; null for a user id or a group. */
      waId: string | null;
      httpStatus: number;
      durationMs: number;
    }
  | {
      outcome: 'refused';
      error: PlatformError;
      httpStatus: number;
      /** From `Retry-After`, seconds or a date; null when absent. */
      retryAfterSeconds: number | null;
      durationMs: number;
      response: string;
    }
  | { outcome: 'not_written'; reason: NotWrittenReason; detail: string; durationMs: number }
  | {
      outcome: 'ambiguous';
      reason: BrokenReason | 'server_error';
      /** Null when no response began. */
      httpStatus: number | null;
      detail: string;
      durationMs: number;
      /** What arrived of the response's body; null when no response began. */
      response: string | null;
    };

/** Judges one exchange of `POST /{phone-number-id}/messages`. */
export function toSendResult(
  result: ExchangeResult,
  accessToken: string,
  durationMs: number,
): SendResult {
  if (result.kind === 'answered') {
    const { httpStatus, headers, text } = result;
    if (httpStatus >= 200 && httpStatus < 300) {
      const message = readMessage(text);
      if (message) {
        return { outcome: 'accepted', ...message, httpStatus, durationMs };
      }
    }
    return judgeRefusal(httpStatus, headers, redact(text, accessToken), durationMs);
  }
  if (result.kind === 'not_written') {
    const { reason, detail } = result;
    return { outcome: 'not_written', reason, detail: redact(detail, accessToken), durationMs };
  }
  const text = redact(result.text, accessToken);
  if (result.httpStatus === 429) {
    return throttled(result.headers, text, durationMs);
  }
  return {
    outcome: 'ambiguous',
    reason: result.reason,
    httpStatus: result.httpStatus,
    detail: redact(result.detail, accessToken),
    durationMs,
    response: result.httpStatus === null ? null : excerpt(text),
  };
}

/**
 * A refusal is proved by a Graph error body, whatever the HTTP status. Everything else may have been written by a proxy
 * that lost sight of a request the platform went on to serve; that holds for 4xx too, where 408 and 499 are
 * exactly such answers. Redirections are not followed, since following one means posting a second time.
 */
function judgeRefusal(
  httpStatus: number,
  headers: Headers,
  text: string,
  durationMs: number,
): SendResult {
  const error = httpStatus >= 400 ? parsePlatformError(text, httpStatus) : null;
  if (error) {
    const retryAfterSeconds = readRetryAfter(headers);
    return {
      outcome: 'refused',
      error,
      httpStatus,
      retryAfterSeconds,
      durationMs,
      response: excerpt(text),
    };
  }
  if (httpStatus === 429) {
    return throttled(headers, text, durationMs);
  }
  return {
    outcome: 'ambiguous',
    reason: httpStatus >= 500 ? 'server_error' : 'unreadable',
    httpStatus,
    detail: `HTTP ${httpStatus} without ${httpStatus < 300 ? 'a message id' : 'a Graph error'}`,
    durationMs,
    response: excerpt(text),
  };
}

function throttled(headers: Headers, text: string, durationMs: number): SendResult {
  const retryAfterSeconds = readRetryAfter(headers);
  return {
    outcome: 'refused',
    error: tooManyRequests,
    httpStatus: 429,
    retryAfterSeconds,
    durationMs,
    response: excerpt(text),
  };
}

function readMessage(
  text: string,
): { platformMessageId: string; messageStatus: string | null; waId: string | null } | null {
  const answer = toObject(parseJson(text));
  const message = toObject(toList(answer.messages)[0]);
  const platformMessageId = toText(message.id);
  return platformMessageId
    ? {
        platformMessageId,
        messageStatus: toText(message.message_status),
        waId: toText(toObject(toList(answer.contacts)[0]).wa_id),
      }
    : null;
}

/** Seconds to wait by `Retry-After`, which holds seconds or a date; null when absent or unreadable. */
export function readRetryAfter(headers: Headers): number | null {
  const raw = headers['retry-after'];
  const value = (Array.isArray(raw) ? raw[0] : raw)?.trim();
  if (!value) {
    return null;
  }
  if (/^\d+$/.test(value)) {
    return Number(value);
  }
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
