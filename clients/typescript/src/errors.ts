import type { components } from './openapi.js';

type Schemas = components['schemas'];

/** Every code that an answer of the API can have. */
export type ErrorCode = {
  [Name in keyof Schemas]: Name extends `${string}Error`
    ? Schemas[Name] extends { code: infer Code extends string }
      ? string extends Code
        ? never
        : Code
      : never
    : never;
}[keyof Schemas];

/** What an error answer says. */
export interface ErrorAnswer {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  /** From `Retry-After`; null without one. */
  readonly retryAfterSeconds: number | null;
}

/** The API refused the request, or could not serve it. `code` says why; docs/errors.md has all of them. */
export class ParleyError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  /** Name it when you ask the operator about this request. */
  readonly requestId: string;
  readonly retryAfterSeconds: number | null;

  constructor(answer: ErrorAnswer) {
    super(`${answer.code}: ${answer.message}`);
    this.name = new.target.name;
    this.status = answer.status;
    this.code = answer.code;
    this.details = answer.details;
    this.requestId = answer.requestId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

/** `VALIDATION_ERROR`: every field that is wrong, by its path. */
export class ValidationFailedError extends ParleyError {
  get fields(): Readonly<Record<string, string>> {
    return (this.details.fields ?? {}) as Record<string, string>;
  }
}

/** `RATE_LIMIT_EXCEEDED` or `DAILY_LIMIT_EXCEEDED`, longer than the client is willing to wait. */
export class RateLimitError extends ParleyError {}

/** `MESSAGE_SEND_FAILED`: WhatsApp did not take the message, and it will not go out later. */
export class SendFailedError extends ParleyError {
  get messageId(): string {
    return String(this.details.message_id);
  }

  /** Whether a new send, with another idempotency key, can succeed later. */
  get isRetryable(): boolean {
    return this.details.retryable === true;
  }

  /** WhatsApp's code; null where it never answered. */
  get platformCode(): number | null {
    const code = this.details.whatsapp_error_code;
    return typeof code === 'number' ? code : null;
  }

  /** WhatsApp's own text; null where it never answered. */
  get platformMessage(): string | null {
    const text = this.details.whatsapp_error_message;
    return typeof text === 'string' ? text : null;
  }
}

/**
 * No answer came, or none that is Parley's. A send may have been accepted all the same: repeat it with
 * the same `idempotencyKey`.
 */
export class ConnectionError extends Error {
  constructor(
    message: string,
    /** The key under which a send can be repeated; null for a read. */
    readonly idempotencyKey: string | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ConnectionError';
  }
}

const classes: Partial<Record<ErrorCode, typeof ParleyError>> = {
  VALIDATION_ERROR: ValidationFailedError,
  RATE_LIMIT_EXCEEDED: RateLimitError,
  DAILY_LIMIT_EXCEEDED: RateLimitError,
  MESSAGE_SEND_FAILED: SendFailedError,
};

/** The error for an answer. */
export function errorOf(answer: ErrorAnswer): ParleyError {
  const Class = classes[answer.code] ?? ParleyError;
  return new Class(answer);
}
