/**
 * What the platform's error codes mean for a sender.
 *
 * Meta asks integrators to branch on `error.code`, neither on titles nor on the HTTP status, and publishes no list of
 * which codes come in the answer and which by webhook; `arrives` is compiled from recorded traffic of public projects.
 * Source of the codes: https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/ (read 2026-11).
 */

import { errorTextOf } from './error-texts.js';

/** An error as the platform words it, in an answer or in a status notification. Texts are the platform's, tokens removed. */
export interface PlatformError {
  code: number;
  message: string;
  /** Usually `OAuthException`, whatever the cause. */
  type: string | null;
  subcode: number | null;
  /** `error_data.details`: the sentence that names the field at fault. */
  details: string | null;
  /** Graph's own opinion on trying again; absent from most messaging errors. */
  isTransient: boolean | null;
  fbtraceId: string | null;
}

/** Who is concerned: this message, its recipient, the sending number, the whole account, or one template. */
export type Scope = 'message' | 'recipient' | 'number' | 'account' | 'template';

/**
 * What a sender does next.
 * - `fail`: this message is over.
 * - `retry`: the same message again, after a while.
 * - `throttle`: the number sends too fast; everything from it waits.
 * - `throttle_recipient`: only messages to this recipient wait.
 * - `pause`: nothing from this number will pass until the account is repaired.
 */
export type Handling = 'fail' | 'retry' | 'throttle' | 'throttle_recipient' | 'pause';

/** One row of the error table. */
export interface ErrorFacts {
  title: string;
  scope: Scope;
  handling: Handling;
  /** Whether the caller may send the same message later with success. */
  retryable: boolean;
  /** Upper bound of retries for this error; null where only time bounds them. */
  maxRetries: number | null;
  /** `notification`: the send is answered 200 and the refusal follows by webhook. */
  arrives: 'answer' | 'notification' | 'both';
  /**
   * For `pause`: the number can be read all the while, and its messages may be answered 200, so only a report of a
   * message as sent, delivered or read proves that the cause is gone.
   */
  untilReport?: true;
}

type Shared = Pick<ErrorFacts, 'handling' | 'retryable' | 'maxRetries' | 'untilReport'>;
const failAtOnce: Shared = { handling: 'fail', retryable: false, maxRetries: null };
const failForNow: Shared = { handling: 'fail', retryable: true, maxRetries: null };
const retryLater: Shared = { handling: 'retry', retryable: true, maxRetries: null };
const retryTwice: Shared = { handling: 'retry', retryable: true, maxRetries: 2 };
const throttleNumber: Shared = { handling: 'throttle', retryable: true, maxRetries: null };
const pauseNumber: Shared = { handling: 'pause', retryable: true, maxRetries: null };
const pauseUntilReport: Shared = { ...pauseNumber, untilReport: true };

/** Its title stands with the advice in error-texts.ts. */
type Untitled = Omit<ErrorFacts, 'title'>;
type CodeRow = [number, Untitled];

const row = (
  scope: Scope,
  shared: Shared,
  arrives: ErrorFacts['arrives'] = 'answer',
): Untitled => ({ scope, ...shared, arrives });

const unknownTitle = 'Unknown error of the platform';

const titled = (code: number, facts: Untitled, subcode: number | null = null): ErrorFacts => ({
  title: errorTextOf(code, subcode)?.meaning ?? unknownTitle,
  ...facts,
});

const authorisation: CodeRow[] = [
  [0, row('account', pauseNumber, 'both')],
  [3, row('account', pauseNumber)],
  [10, row('account', pauseNumber)],
  [104, row('account', pauseNumber)],
  [190, row('account', pauseNumber)],
  [131005, row('account', pauseNumber)],
];

const throttling: CodeRow[] = [
  [4, row('account', throttleNumber)],
  [613, row('account', throttleNumber)],
  [80007, row('account', throttleNumber)],
  // The number exceeds its messages per second: https://developers.facebook.com/docs/whatsapp/throughput
  [130429, row('number', throttleNumber, 'both')],
  [
    131056,
    row('recipient', {
      handling: 'throttle_recipient',
      retryable: true,
      maxRetries: null,
    }),
  ],
  // Sending on while people block and report the number makes this one worse, hence no throttling but a pause.
  [131048, row('number', pauseUntilReport, 'both')],
  [131064, row('account', pauseUntilReport, 'both')],
  [133016, row('number', pauseNumber)],
  // An upgrade of the number's throughput, a minute at most.
  [131057, row('number', retryLater)],
  [2494100, row('number', retryLater)],
];

const integrity: CodeRow[] = [
  // The platform's verdict on the business, not a temporary fault: the answer tells the caller not to try again.
  [368, row('account', { ...pauseNumber, retryable: false }, 'both')],
  [33, row('number', pauseNumber)],
  [130497, row('recipient', failAtOnce, 'both')],
  [131031, row('account', pauseNumber)],
  [131037, row('number', pauseUntilReport, 'both')],
  [131042, row('account', pauseUntilReport, 'both')],
  // Calls only; messages of the same number still pass.
  [131044, row('account', failForNow)],
  [131045, row('number', pauseNumber)],
  [134011, row('account', pauseNumber)],
];

const content: CodeRow[] = [
  // This call alone may not be made; other messages of the number pass.
  [139200, row('message', failAtOnce)],
  [1, row('message', retryTwice)],
  [2, row('message', retryLater)],
  [100, row('message', failAtOnce)],
  [131008, row('message', failAtOnce)],
  [131009, row('message', failAtOnce)],
  [131014, row('message', failAtOnce)],
  [131021, row('recipient', failAtOnce)],
  [131030, row('recipient', failAtOnce)],
  [131051, row('message', failAtOnce, 'both')],
  [131052, row('message', failAtOnce, 'notification')],
  // A link is fetched after the 200, an id before it. The platform's fetch fails now and then for good media too.
  [131053, row('message', retryTwice, 'both')],
  [131055, row('message', failAtOnce)],
  [131062, row('message', failAtOnce)],
  [135000, row('message', failAtOnce, 'both')],
  [137000, row('recipient', failAtOnce, 'both')],
];

const delivery: CodeRow[] = [
  [130403, row('recipient', failAtOnce, 'both')],
  [130472, row('recipient', failAtOnce, 'notification')],
  // Synchronously it means "nothing was sent"; by webhook the message did fail, so a retry sends nothing twice.
  [131000, row('message', retryLater, 'both')],
  [131016, row('message', retryLater)],
  [131026, row('recipient', failAtOnce, 'notification')],
  [131043, row('message', failAtOnce, 'notification')],
  // 24 hours after the user's last message only templates pass.
  [131047, row('recipient', failAtOnce, 'notification')],
  [131049, row('recipient', failAtOnce, 'notification')],
  [131050, row('recipient', failAtOnce, 'notification')],
];

const templates: CodeRow[] = [
  [131063, row('account', failAtOnce)],
  [132000, row('message', failAtOnce)],
  [132001, row('template', failAtOnce)],
  [132005, row('message', failAtOnce)],
  [132007, row('message', failAtOnce)],
  [132008, row('message', failAtOnce)],
  [132012, row('message', failAtOnce)],
  // A template under observation accepts sends and drops them later: https://developers.facebook.com/docs/whatsapp/message-templates/guidelines
  [132015, row('template', failAtOnce, 'both')],
  [132016, row('template', failAtOnce)],
  [132018, row('message', failAtOnce)],
  [132068, row('template', failAtOnce)],
  [132069, row('template', failForNow)],
  [134100, row('message', failAtOnce)],
  [134101, row('template', failForNow)],
  [134102, row('template', failForNow)],
];

const registration: CodeRow[] = [
  [133000, row('number', failAtOnce)],
  [133004, row('number', retryLater)],
  [133005, row('number', failAtOnce)],
  [133006, row('number', failAtOnce)],
  [133008, row('number', failAtOnce)],
  [133009, row('number', failAtOnce)],
  [133010, row('number', pauseNumber)],
  [133015, row('number', failAtOnce)],
  [136024, row('number', failAtOnce)],
  [136025, row('number', failAtOnce)],
];

/** Every code we know by itself. The range 200–299 and code 100 with subcode 33 are handled by {@link findErrorFacts}. */
export const platformErrors: ReadonlyMap<number, ErrorFacts> = new Map(
  [
    ...authorisation,
    ...throttling,
    ...integrity,
    ...content,
    ...delivery,
    ...templates,
    ...registration,
  ].map(([code, facts]) => [code, titled(code, facts)]),
);

/** Graph reserves 200–299 for single permissions. */
const permissionMissing = titled(200, row('account', pauseNumber));

/** Code 100 with subcode 33: the number in the path does not exist, or the token may not see it. */
const numberUnknown = titled(100, row('number', pauseNumber), 33);

/** The table's row for an error; null when the code is in no list. */
export function findErrorFacts(error: Pick<PlatformError, 'code' | 'subcode'>): ErrorFacts | null {
  if (error.code === 100 && error.subcode === 33) {
    return numberUnknown;
  }
  if (error.code >= 200 && error.code <= 299) {
    return permissionMissing;
  }
  return platformErrors.get(error.code) ?? null;
}

/** What to do with one refusal. */
export interface Classification {
  handling: Handling;
  retryable: boolean;
  maxRetries: number | null;
  title: string;
  scope: Scope;
}

/**
 * Decides what follows from a refusal. Pure.
 *
 * A known code decides by itself: the same code is on record with four different HTTP statuses. New codes appear
 * every few months; for those Graph's `is_transient` counts first, then HTTP 429, then 5xx, and everything else is final.
 */
export function classify(error: PlatformError, httpStatus: number): Classification {
  const facts = findErrorFacts(error);
  if (facts) {
    const { handling, retryable, maxRetries, title, scope } = facts;
    return { handling, retryable, maxRetries, title, scope };
  }
  if (error.isTransient === true) {
    return { ...retryLater, title: unknownTitle, scope: 'message' };
  }
  if (httpStatus === 429) {
    return { ...throttleNumber, title: unknownTitle, scope: 'number' };
  }
  return {
    ...(httpStatus >= 500 ? retryLater : failAtOnce),
    title: unknownTitle,
    scope: 'message',
  };
}

const windowClosedCode = 131047;
const namesTheWindow = /\b24[ -]?hours?\b/i;

/**
 * Whether a refusal says that the user has not written within 24 hours. A code that we do not know counts where its text
 * says so.
 */
export function isWindowClosed(error: PlatformError): boolean {
  if (error.code === windowClosedCode) return true;
  if (findErrorFacts(error) !== null) return false;
  return [error.message, error.details ?? ''].some((text) => namesTheWindow.test(text));
}
