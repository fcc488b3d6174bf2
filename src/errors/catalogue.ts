interface CatalogueEntry {
  /** The HTTP status of the answer. `MESSAGE_SEND_FAILED` may also answer 500. */
  readonly status: number;
  /** Whether repeating the same request later can succeed. */
  readonly retryable: boolean;
  /** What it means, in one sentence for the caller; used when an error brings no message of its own. */
  readonly title: string;
}

/** Every code that an answer of the API can carry. `docs/errors.md` documents the same list. */
export const catalogue = {
  INVALID_API_KEY: {
    status: 401,
    retryable: false,
    title: 'The API key is unknown or malformed.',
  },
  EXPIRED_API_KEY: { status: 401, retryable: false, title: 'The API key has expired.' },
  REVOKED_API_KEY: { status: 401, retryable: false, title: 'The API key has been revoked.' },
  SUSPENDED_API_KEY: { status: 401, retryable: false, title: 'The API key is suspended.' },
  IP_NOT_ALLOWED: {
    status: 401,
    retryable: false,
    title: 'Requests from this address are not allowed for the API key.',
  },
  INVALID_SIGNATURE: {
    status: 401,
    retryable: false,
    title: 'The signature of the request does not verify.',
  },
  TIMESTAMP_EXPIRED: {
    status: 401,
    retryable: false,
    title: 'The timestamp of the request is more than 5 minutes off.',
  },
  UNAUTHENTICATED: { status: 401, retryable: false, title: 'Sign in to the dashboard first.' },
  TOTP_REQUIRED: {
    status: 401,
    retryable: false,
    title: 'The password is right; a code of the second factor is needed, too.',
  },
  PERMISSION_DENIED: {
    status: 403,
    retryable: false,
    title: 'The API key lacks the permission that this operation needs.',
  },
  ACCOUNT_NOT_ACTIVE: {
    status: 403,
    retryable: false,
    title: 'The linked WhatsApp business account is not active.',
  },
  FORBIDDEN: { status: 403, retryable: false, title: 'You are not allowed to do this.' },
  TOTP_SETUP_REQUIRED: {
    status: 403,
    retryable: false,
    title: 'This installation requires a second factor: set yours up first.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    retryable: true,
    title: 'Too many requests in the current minute.',
  },
  DAILY_LIMIT_EXCEEDED: {
    status: 429,
    retryable: true,
    title: 'The daily quota of the API key is used up.',
  },
  VALIDATION_ERROR: { status: 400, retryable: false, title: 'The request is not valid.' },
  INVALID_PHONE_NUMBER: {
    status: 400,
    retryable: false,
    title: 'The phone number is not in E.164 form: + and 7 to 15 digits.',
  },
  TEMPLATE_NOT_FOUND: {
    status: 400,
    retryable: false,
    title: 'There is no approved template with this name and language.',
  },
  TEMPLATE_NOT_CONFIGURED: {
    status: 400,
    retryable: false,
    title: 'The API key has no variable mapping for this template.',
  },
  INVALID_TEMPLATE_PARAMS: {
    status: 400,
    retryable: false,
    title: 'The parameters do not match the template.',
  },
  MISSING_REQUIRED_VARIABLE: {
    status: 400,
    retryable: false,
    title: 'A required variable of the template is missing.',
  },
  RECIPIENT_NOT_SUPPORTED: {
    status: 400,
    retryable: false,
    title: 'A one-time code goes to a phone number only: name one in `to`.',
  },
  RECIPIENT_OPTED_OUT: {
    status: 400,
    retryable: false,
    title: 'The recipient has opted out of messages like this one.',
  },
  WINDOW_CLOSED: {
    status: 400,
    retryable: false,
    title: 'The user has not written within 24 hours: only templates reach them.',
  },
  MEDIA_EXPIRED: {
    status: 400,
    retryable: false,
    title: 'WhatsApp no longer has the file: upload it again.',
  },
  MEDIA_TOO_LARGE: {
    status: 400,
    retryable: false,
    title: 'The file is larger than WhatsApp takes for its type.',
  },
  MEDIA_TYPE: {
    status: 400,
    retryable: false,
    title: 'WhatsApp does not take files of this type.',
  },
  MESSAGE_SEND_FAILED: {
    status: 400,
    retryable: false,
    title: 'WhatsApp did not accept the message.',
  },
  PLATFORM_REFUSED: {
    status: 400,
    retryable: false,
    title: 'WhatsApp refuses this until something is changed.',
  },
  MESSAGE_NOT_FOUND: { status: 404, retryable: false, title: 'There is no such message.' },
  NOT_FOUND: { status: 404, retryable: false, title: 'This route or object does not exist.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    title: 'The path exists, but not with this method.',
  },
  NAME_TAKEN: { status: 409, retryable: false, title: 'The name is already in use.' },
  CONFLICT: {
    status: 409,
    retryable: false,
    title: 'The current state does not allow this.',
  },
  MESSAGE_STATE: {
    status: 409,
    retryable: false,
    title: 'The status of the message does not allow this.',
  },
  CAMPAIGN_NOT_FOUND: {
    status: 404,
    retryable: false,
    title: 'The campaign does not exist.',
  },
  CAMPAIGN_STATE: {
    status: 409,
    retryable: false,
    title: 'The status of the campaign does not allow this.',
  },
  FEED_STATE: {
    status: 409,
    retryable: false,
    title: 'The key has no feed of events.',
  },
  WEBHOOK_LIMIT: {
    status: 409,
    retryable: false,
    title: 'The key has as many webhooks as it may.',
  },
  ACCOUNT_LIMIT: {
    status: 409,
    retryable: false,
    title: 'The account has as much of this as it may.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    retryable: false,
    title: 'The idempotency key was used before with another request body.',
  },
  INTERNAL_ERROR: { status: 500, retryable: true, title: 'An unexpected error occurred.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    title: 'The service is temporarily unavailable; nothing was sent.',
  },
} as const satisfies Record<string, CatalogueEntry>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof catalogue;
