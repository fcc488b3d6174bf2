/**
 * What the platform's error codes mean for a sender.
 *
 * Meta asks integrators to branch on `error.code`, neither on titles nor on the HTTP status, and publishes no list of
 * which codes come in the answer and which by webhook; `arrives` is compiled from recorded traffic of public projects.
 * Source of the codes: https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/ (read 2026-11).
 */

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
}

type Shared = Pick<ErrorFacts, 'handling' | 'retryable' | 'maxRetries'>;
const failAtOnce: Shared = { handling: 'fail', retryable: false, maxRetries: null };
const failForNow: Shared = { handling: 'fail', retryable: true, maxRetries: null };
const retryLater: Shared = { handling: 'retry', retryable: true, maxRetries: null };
const retryTwice: Shared = { handling: 'retry', retryable: true, maxRetries: 2 };
const throttleNumber: Shared = { handling: 'throttle', retryable: true, maxRetries: null };
const pauseNumber: Shared = { handling: 'pause', retryable: true, maxRetries: null };

const row = (
  title: string,
  scope: Scope,
  shared: Shared,
  arrives: ErrorFacts['arrives'] = 'answer',
): ErrorFacts => ({ title, scope, ...shared, arrives });

const authorisation: [number, ErrorFacts][] = [
  [0, row('The platform could not authenticate the app user', 'account', pauseNumber, 'both')],
  [3, row('Capability or permission missing', 'account', pauseNumber)],
  [10, row('Permission not granted or removed', 'account', pauseNumber)],
  [104, row('Access token required', 'account', pauseNumber)],
  [190, row('Access token expired or invalid', 'account', pauseNumber)],
  [131005, row('Access denied', 'account', pauseNumber)],
];

const throttling: [number, ErrorFacts][] = [
  [4, row('Too many calls by this app', 'account', throttleNumber)],
  [613, row('Too many calls to this API', 'account', throttleNumber)],
  [80007, row('Too many calls for this business account', 'account', throttleNumber)],
  // The number exceeds its messages per second: https://developers.facebook.com/docs/whatsapp/throughput
  [130429, row('Too many messages per second from this number', 'number', throttleNumber, 'both')],
  [
    131056,
    row('Too many messages to this recipient', 'recipient', {
      handling: 'throttle_recipient',
      retryable: true,
      maxRetries: null,
    }),
  ],
  // Sending on while people block and report the number makes this one worse, hence no throttling but a pause.
  [131048, row('Number restricted after blocks and reports', 'number', pauseNumber, 'both')],
  [131064, row('Limit reached after misclassified templates', 'account', pauseNumber, 'both')],
  [133016, row('Too many registration attempts of this number', 'number', pauseNumber)],
  // An upgrade of the number's throughput, a minute at most.
  [131057, row('Account in maintenance', 'number', retryLater)],
];

const integrity: [number, ErrorFacts][] = [
  // The platform's verdict on the business, not a temporary fault: the answer tells the caller not to try again.
  [
    368,
    row(
      'Temporarily blocked for policy violations',
      'account',
      { ...pauseNumber, retryable: false },
      'both',
    ),
  ],
  [33, row('Phone number deleted', 'number', pauseNumber)],
  [130497, row('Messages to this country are not allowed', 'recipient', failAtOnce, 'both')],
  [131031, row('Account locked', 'account', pauseNumber)],
  [131037, row('Display name not approved', 'number', pauseNumber, 'both')],
  [131042, row('Payment method missing or failed', 'account', pauseNumber, 'both')],
  // Calls only; messages of the same number still pass.
  [131044, row('Payment issue with calls', 'account', failForNow)],
  [131045, row('Number registered with a wrong certificate', 'number', pauseNumber)],
  [134011, row('Terms of WhatsApp Payments not accepted', 'account', pauseNumber)],
];

const content: [number, ErrorFacts][] = [
  [1, row('Invalid request or error of the platform', 'message', retryTwice)],
  [2, row('Platform temporarily down', 'message', retryLater)],
  [100, row('Invalid parameter', 'message', failAtOnce)],
  [131008, row('Required parameter missing', 'message', failAtOnce)],
  [131009, row('Parameter value not valid', 'message', failAtOnce)],
  [131014, row('Media link could not be fetched', 'message', failAtOnce)],
  [131021, row('Recipient and sender are the same number', 'recipient', failAtOnce)],
  [131030, row('Recipient not on the list of the test number', 'recipient', failAtOnce)],
  [131051, row('Message type not supported', 'message', failAtOnce, 'both')],
  [131052, row('Media link expired or not valid', 'message', failAtOnce, 'notification')],
  // A link is fetched after the 200, an id before it. The platform's fetch fails now and then for good media too.
  [131053, row('Media could not be used', 'message', retryTwice, 'both')],
  [131055, row('Method not allowed for this message', 'message', failAtOnce)],
  [131062, row('Message cannot be sent to a user id', 'message', failAtOnce)],
  [135000, row('Parameters not accepted', 'message', failAtOnce, 'both')],
  [137000, row('Identity of the recipient changed', 'recipient', failAtOnce, 'both')],
];

const delivery: [number, ErrorFacts][] = [
  [130403, row('Recipient is blocked by this business', 'recipient', failAtOnce, 'both')],
  [
    130472,
    row(
      'Customer service window closed; a template is needed',
      'recipient',
      failAtOnce,
      'notification',
    ),
  ],
  // Synchronously it means "nothing was sent"; by webhook the message did fail, so a retry sends nothing twice.
  [131000, row('Something went wrong', 'message', retryLater, 'both')],
  [131016, row('Service unavailable', 'message', retryLater)],
  [131026, row('Message undeliverable', 'recipient', failAtOnce, 'notification')],
  [131043, row('Message expired before delivery', 'message', failAtOnce, 'notification')],
  // 24 hours after the user's last message only templates pass.
  [131047, row('Customer service window closed', 'recipient', failAtOnce, 'notification')],
  [131049, row('Marketing cap of the recipient reached', 'recipient', failAtOnce, 'notification')],
  [131050, row('Recipient stopped marketing messages', 'recipient', failAtOnce, 'notification')],
];

const templates: [number, ErrorFacts][] = [
  [131063, row('Marketing templates disabled for this API', 'account', failAtOnce)],
  [132000, row('Number of template parameters differs', 'message', failAtOnce)],
  [132001, row('Template does not exist in this language', 'template', failAtOnce)],
  [132005, row('Text of the filled template too long', 'message', failAtOnce)],
  [132007, row('Template violates the character policy', 'message', failAtOnce)],
  [132008, row('Template parameter value differs', 'message', failAtOnce)],
  [132012, row('Template parameter format differs', 'message', failAtOnce)],
  // A template under observation accepts sends and drops them later: https://developers.facebook.com/docs/whatsapp/message-templates/guidelines
  [132015, row('Template paused', 'template', failAtOnce, 'both')],
  [132016, row('Template disabled', 'template', failAtOnce)],
  [132018, row('Template parameters not accepted', 'message', failAtOnce)],
  [132068, row('Flow blocked', 'template', failAtOnce)],
  [132069, row('Flow throttled', 'template', failForNow)],
  [134100, row('Only marketing templates are accepted here', 'message', failAtOnce)],
  [134101, row('Template still being prepared', 'template', failForNow)],
  [134102, row('Template not available here', 'template', failForNow)],
];

const registration: [number, ErrorFacts][] = [
  [133000, row('Earlier deregistration incomplete', 'number', failAtOnce)],
  [133004, row('Server temporarily unavailable', 'number', retryLater)],
  [133005, row('Wrong two-step PIN', 'number', failAtOnce)],
  [133006, row('Number not verified', 'number', failAtOnce)],
  [133008, row('Too many PIN guesses', 'number', failAtOnce)],
  [133009, row('PIN guessed too fast', 'number', failAtOnce)],
  [133010, row('Number not registered', 'number', pauseNumber)],
  [133015, row('Number deleted a moment ago', 'number', failAtOnce)],
  [136024, row('Verification code not sent', 'number', failAtOnce)],
  [136025, row('Verification code not accepted', 'number', failAtOnce)],
];

/** Every code we know by itself. The range 200–299 and code 100 with subcode 33 are handled by {@link findErrorFacts}. */
export const platformErrors: ReadonlyMap<number, ErrorFacts> = new Map([
  ...authorisation,
  ...throttling,
  ...integrity,
  ...content,
  ...delivery,
  ...templates,
  ...registration,
]);

/** Graph reserves 200–299 for single permissions. */
const permissionMissing = row('Permission not granted or removed', 'account', pauseNumber);

/** Code 100 with subcode 33: the number in the path does not exist, or the token may not see it. */
const numberUnknown = row('Number unknown or not permitted', 'number', pauseNumber);

const unknownTitle = 'Unknown error of the platform';

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
