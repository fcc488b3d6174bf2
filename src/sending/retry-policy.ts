import { minuteMs } from '#libs/durations';
import { classify, type NotWrittenReason, type SendResult } from '#libs/whatsapp';
import type { NumberTrouble } from '../accounts/number-holds.js';
import type { MessageFailure } from '../messages/message.js';
import { platformFailure } from '../messages/platform-failure.js';
import type { SettledStatus } from '../messages/rows/message-status.js';

/** What follows from one attempt. */
export interface Verdict {
  readonly status: SettledStatus;
  readonly failure: MessageFailure | null;
  /** Set when the message is queued again. */
  readonly retryInMs: number | null;
  readonly trouble: NumberTrouble | null;
}

/** An attempt that ended before its request: nothing has reached the platform. */
export interface NotPrepared {
  readonly outcome: 'not_written';
  readonly reason: 'credentials_unreadable' | 'no_simulator' | 'store_unavailable';
  readonly detail: string;
}

const notPreparedTexts: Readonly<Record<string, string>> = {
  credentials_unreadable: "The account's access token cannot be read",
  no_simulator: 'The worker has no SIMULATOR_URL for test messages',
  store_unavailable: 'The account could not be read from the database',
} satisfies Record<NotPrepared['reason'], string>;

/** What the policy must know of the attempt. */
export interface AttemptFacts {
  /** From 1. */
  readonly attempt: number;
  /** How long from now another try may still start; negative when it may not. */
  readonly giveUpInMs: number;
  /** The same for a message that could not be tried because of our own store. */
  readonly unpreparedGiveUpInMs: number;
}

const firstDelayMs = 250;
const delayMaxMs = minuteMs;
const jitter = 0.2;

/**
 * When the next try starts: 0.25, 0.5, 1, 2, 4 … seconds after the one before, ± 20 %, which puts
 * tries at 0, 0.25, 0.75, 1.75, 3.75 and 7.75 s.
 * @param random from 0 to 1; a parameter so that tests can fix it.
 */
export function retryDelayMs(attempt: number, random: number = Math.random()): number {
  const base = Math.min(firstDelayMs * 2 ** (attempt - 1), delayMaxMs);
  return Math.round(base * (1 - jitter + 2 * jitter * random));
}

/** The pair limit of one recipient eases by itself: WhatsApp asks for 4^n seconds, n from 0. */
function recipientDelayMs(attempt: number): number {
  return Math.min(1_000 * 4 ** (attempt - 1), delayMaxMs);
}

/** Decides what follows from the result of an attempt. The only place that decides on retries. */
export function judge(result: SendResult | NotPrepared, facts: AttemptFacts): Verdict {
  switch (result.outcome) {
    case 'accepted':
      return { status: 'sent', failure: null, retryInMs: null, trouble: null };
    case 'ambiguous':
      // Bytes went out and nothing proves a refusal: WhatsApp may have the message.
      return { status: 'unconfirmed', failure: null, retryInMs: null, trouble: null };
    case 'not_written':
      return judgeNotWritten(result.reason, facts);
    case 'refused':
      return judgeRefusal(result, facts);
  }
}

function judgeNotWritten(
  cause: NotWrittenReason | NotPrepared['reason'],
  facts: AttemptFacts,
): Verdict {
  const text = notPreparedTexts[cause];
  const failure: MessageFailure = {
    code: 'MESSAGE_SEND_FAILED',
    message: `${text ?? 'WhatsApp could not be reached'}; the message was not sent.`,
    retryable: true,
    platformCode: null,
    platformMessage: null,
    reason: text === undefined ? 'unreachable' : cause,
  };
  // Until an operator has fixed the key, each try would fail in the same way.
  if (cause === 'credentials_unreadable') {
    return { status: 'failed', failure, retryInMs: null, trouble: null };
  }
  const giveUpInMs = cause === 'store_unavailable' ? facts.unpreparedGiveUpInMs : facts.giveUpInMs;
  return tryAgain({ ...facts, giveUpInMs }, retryDelayMs(facts.attempt), failure);
}

function judgeRefusal(
  result: Extract<SendResult, { outcome: 'refused' }>,
  facts: AttemptFacts,
): Verdict {
  const { error, httpStatus, retryAfterSeconds } = result;
  const classification = classify(error, httpStatus);
  const { handling, maxRetries, title } = classification;
  const failure = platformFailure(error, httpStatus, classification);
  const failed: Verdict = { status: 'failed', failure, retryInMs: null, trouble: null };
  const delayMs = Math.max(retryDelayMs(facts.attempt), (retryAfterSeconds ?? 0) * 1_000);
  switch (handling) {
    case 'fail':
      return failed;
    case 'pause':
      return { ...failed, trouble: { kind: 'paused', code: error.code, reason: title } };
    case 'throttle':
      return {
        ...tryAgain(facts, delayMs, failure),
        trouble: { kind: 'throttled', code: error.code, reason: title },
      };
    case 'throttle_recipient':
      return tryAgain(facts, Math.max(delayMs, recipientDelayMs(facts.attempt)), failure);
    case 'retry':
      return maxRetries !== null && facts.attempt > maxRetries
        ? failed
        : tryAgain(facts, delayMs, failure);
  }
}

/** Another try, or the failure at once when it would start too late. */
function tryAgain(facts: AttemptFacts, delayMs: number, failure: MessageFailure): Verdict {
  return delayMs < facts.giveUpInMs
    ? { status: 'queued', failure, retryInMs: delayMs, trouble: null }
    : { status: 'failed', failure, retryInMs: null, trouble: null };
}
