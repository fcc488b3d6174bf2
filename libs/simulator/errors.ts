/** What the platform says about one error code. */
export interface ErrorCode {
  /** HTTP status of a refusal with this code. */
  http: number;
  /** Short text: `message` of a refusal, `title` of a failed status. */
  title: string;
  /** `error_data.details` when nothing more exact is known. */
  details: string;
}

const entry = (http: number, title: string, details = title): ErrorCode => ({
  http,
  title,
  details,
});

/**
 * Every code that a send, a template or a number can meet. The status is the one of the platform's
 * older table, which still printed it; codes newer than that table have 400.
 */
const errorCodes: ReadonlyMap<number, ErrorCode> = new Map([
  // Authorisation
  [0, entry(401, 'AuthException', 'Unable to authenticate the app user')],
  [3, entry(500, 'API Method', 'Capability or permissions issue')],
  [10, entry(403, 'Permission Denied', 'Permission is either not granted or has been removed')],
  [104, entry(401, 'An access token is required to request this resource.')],
  [190, entry(401, 'Access token has expired', 'Your access token has expired')],
  [200, entry(403, 'Provide valid app ID', 'Permission is either not granted or has been removed')],
  [131005, entry(403, 'Access denied', 'Permission is either not granted or has been removed')],
  // Throttling
  [4, entry(400, 'API Too Many Calls', 'The app has reached its API call rate limit')],
  [613, entry(429, 'Calls to this api have exceeded the rate limit.')],
  [80007, entry(400, 'Rate limit issues', 'The business account has reached its rate limit')],
  [
    130429,
    entry(400, 'Rate limit hit', 'Cloud API message throughput has been reached for this number'),
  ],
  [
    131048,
    entry(
      400,
      'Spam rate limit hit',
      'Message failed to send because of restrictions on its number',
    ),
  ],
  [
    131056,
    entry(
      400,
      '(Business Account, Consumer Account) pair rate limit hit',
      'Too many messages sent from the sender phone number to the same recipient in a short time',
    ),
  ],
  [131057, entry(500, 'Account in maintenance mode', 'Business account is in maintenance mode')],
  [131064, entry(400, 'Messaging limit reached because of template classification violations')],
  [133016, entry(400, 'Account register deregister rate limit exceeded')],
  // Integrity of the account
  [368, entry(403, 'Temporarily blocked for policies violations')],
  [130497, entry(403, 'Business account is restricted from messaging users in this country')],
  [131031, entry(403, 'Business Account locked', 'The account is locked or has been restricted')],
  [131037, entry(400, 'Display name is not approved', 'The number needs an approved display name')],
  [
    131042,
    entry(
      400,
      'Business eligibility payment issue',
      'Message failed to send because of one or more errors related to your payment method.',
    ),
  ],
  [134011, entry(400, 'WhatsApp Payments terms of service has not been accepted')],
  // The request
  [1, entry(400, 'API Unknown', 'Invalid request or possible server error')],
  [2, entry(503, 'API Service', 'Temporary because of downtime or of being overloaded')],
  [33, entry(400, 'Parameter value is not valid', 'The business phone number has been deleted')],
  [100, entry(400, 'Invalid parameter')],
  [131008, entry(400, 'Required parameter is missing')],
  [131009, entry(400, 'Parameter value is not valid')],
  [131021, entry(400, 'Recipient cannot be sender', 'Sender and recipient number is the same')],
  [131030, entry(400, 'Recipient phone number not in allowed list')],
  [131051, entry(400, 'Unsupported message type', 'Message type is not currently supported')],
  [131052, entry(400, 'Media download error', 'Unable to download the media sent by the user')],
  [131053, entry(400, 'Media upload error', 'Unable to upload the media used in the message')],
  [131055, entry(400, 'Method not allowed', 'Only marketing templates can be sent this way')],
  [131059, entry(400, 'Invalid cursor')],
  [131062, entry(400, 'Recipient not supported', 'This message needs a phone number as recipient')],
  [131063, entry(400, 'Marketing templates are disabled on Cloud API for this business account')],
  [135000, entry(400, 'Generic user error', 'Message failed to send because of its parameters')],
  [137000, entry(400, 'Recipient identity key hash mismatch')],
  // Delivery
  [130403, entry(400, 'Business has blocked this user')],
  [
    130472,
    entry(
      400,
      "User's number is part of an experiment",
      "Failed to send message because this user's phone number is part of an experiment",
    ),
  ],
  [
    131000,
    entry(500, 'Something went wrong', 'Message failed to send because of an unknown error'),
  ],
  [131016, entry(500, 'Service unavailable', 'A service is temporarily unavailable')],
  [131026, entry(400, 'Message undeliverable', 'Message Undeliverable.')],
  [131043, entry(400, 'Message expired', 'Message was not sent during its time to live')],
  [131044, entry(400, 'Business eligibility payment issue')],
  [131045, entry(500, 'Incorrect certificate', 'Phone number registration error')],
  [
    131047,
    entry(
      400,
      'Re-engagement message',
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
    ),
  ],
  [
    131049,
    entry(
      400,
      'This message was not delivered to maintain healthy ecosystem engagement.',
      'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
    ),
  ],
  [131050, entry(400, 'User has stopped marketing messages from this business')],
  // Templates and flows
  [132000, entry(400, 'Number of parameters does not match the expected number of params')],
  [132001, entry(404, 'Template name does not exist in the translation')],
  [132005, entry(400, 'Translated text too long', 'The filled template is too long')],
  [132007, entry(400, 'Template format character policy violated')],
  [132008, entry(400, 'Parameter value does not match the expected format')],
  [132012, entry(400, 'Parameter format does not match format in the created template')],
  [132015, entry(400, 'Template is paused', 'Template is paused because of low quality')],
  [132016, entry(400, 'Template is disabled', 'Template is disabled because of low quality')],
  [132018, entry(400, 'There is an issue with the template parameters')],
  [132068, entry(400, 'Flow is in blocked state')],
  [132069, entry(400, 'Flow is in throttled state')],
  [134100, entry(400, 'Only marketing messages supported')],
  [134101, entry(400, 'Template is syncing', 'Template is still being synchronised')],
  [134102, entry(500, 'Template is unavailable')],
  // Registration
  [133000, entry(500, 'Incomplete deregistration')],
  [133004, entry(503, 'Server temporarily unavailable')],
  [133005, entry(400, 'Two step verification PIN mismatch')],
  [133006, entry(400, 'Phone number re-verification needed')],
  [133008, entry(400, 'Too many two step verification PIN guesses')],
  [133009, entry(400, 'Two step verification PIN guessed too fast')],
  [133010, entry(400, 'Phone number not registered', 'The number is not registered for Cloud API')],
  [133015, entry(400, 'Please wait a few minutes before attempting to register this phone number')],
  [136024, entry(400, 'Request code error')],
  [136025, entry(400, 'Verify code error')],
]);

const unknownCode = entry(400, 'Unknown error');

/** Texts and status of a code; a code that is not in the table is still usable. */
export const errorCode = (number: number): ErrorCode => errorCodes.get(number) ?? unknownCode;

/** Codes of the Graph layer below the messaging API: these carry `is_transient`. */
const graphCodes: ReadonlySet<number> = new Set([1, 2, 4, 613]);

/** What may be said beyond the code; everything absent comes from the table. */
export interface PlatformErrorParts {
  /** Whole `message`; default `(#code) title`. */
  message?: string;
  details?: string;
  http?: number;
  subcode?: number;
  /** Default `OAuthException`, which the platform uses far beyond authorisation. */
  type?: string;
}

/** A refusal in the platform's terms; thrown by validation, answered by the server. */
export class PlatformError extends Error {
  readonly http: number;

  constructor(
    readonly code: number,
    private readonly parts: PlatformErrorParts = {},
  ) {
    super(parts.message ?? `(#${code}) ${errorCode(code).title}`);
    this.http = parts.http ?? errorCode(code).http;
  }

  get details(): string | undefined {
    return this.parts.details;
  }

  /** The error body as the platform writes it. */
  toJson(traceId: string): string {
    const { details, subcode, type = 'OAuthException' } = this.parts;
    return JSON.stringify({
      error: {
        message: this.message,
        type,
        code: this.code,
        ...(details === undefined
          ? {}
          : { error_data: { messaging_product: 'whatsapp', details } }),
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...(graphCodes.has(this.code) ? { is_transient: this.code !== 613 } : {}),
        fbtrace_id: traceId,
      },
    });
  }
}

/** A parameter that breaks the request's schema. */
export const invalidParameter = (message: string): PlatformError =>
  new PlatformError(100, { message: `(#100) ${message}` });

/** A parameter that names none of the choices. */
export const notOneOf = (path: string, choices: Iterable<string>, got: unknown): PlatformError => {
  const names = [...choices].map((choice) => choice.toUpperCase()).join(', ');
  const value = typeof got === 'string' ? got : (JSON.stringify(got) ?? '');
  return invalidParameter(`Param ${path} must be one of {${names}} - got "${value}".`);
};

/** A parameter with the right shape and a value that the platform does not take. */
export const invalidValue = (details: string): PlatformError =>
  new PlatformError(131009, { details });

/** A parameter that the message cannot do without. */
export const missingParameter = (details: string): PlatformError =>
  new PlatformError(131008, { details });

/** The answer to an id that the platform does not know. */
export const unknownObject = (method: string, id: string): PlatformError =>
  new PlatformError(100, {
    message:
      `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded ` +
      'due to missing permissions, or does not support this operation. Please read the Graph API ' +
      'documentation at https://developers.facebook.com/docs/graph-api',
    subcode: 33,
    type: 'GraphMethodException',
    http: 400,
  });

/** The answer to a path that leads nowhere. */
export const unknownPath = (path: string): PlatformError =>
  new PlatformError(2500, { message: `Unknown path components: ${path}`, http: 400 });

/** A code as an injected fault answers it. */
export const injectedError = (
  number: number,
  parts: { http?: number; details?: string } = {},
): PlatformError => {
  const details = parts.details ?? errorCode(number).details;
  if (number === 190) return expiredToken(parts.http);
  return new PlatformError(number, {
    details,
    ...(parts.http === undefined ? {} : { http: parts.http }),
  });
};

const expiredToken = (http = 401): PlatformError =>
  new PlatformError(190, {
    message:
      'Error validating access token: Session has expired on Friday, 20-Nov-26 10:00:00 PST. ' +
      'The current time is Saturday, 21-Nov-26 10:00:00 PST.',
    subcode: 463,
    http,
  });

/**
 * Checks `Authorization`. Any bearer token will do, except the word `invalid` and tokens that
 * begin with `expired`, so that you can provoke both refusals.
 */
export const authorizationError = (header: string | undefined): PlatformError | null => {
  const token = header?.startsWith('Bearer ') ? header.slice(7).trim() : '';
  if (token === '' || token === 'invalid') {
    return new PlatformError(190, {
      message: 'Invalid OAuth access token - Cannot parse access token',
    });
  }
  return token.startsWith('expired') ? expiredToken() : null;
};
