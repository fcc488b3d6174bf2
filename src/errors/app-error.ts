import { catalogue, type ErrorCode } from './catalogue.js';

/** What an `AppError` carries beside its code. */
export interface AppErrorOptions {
  /** The text for the caller; the catalogue's title when absent. */
  readonly message?: string;
  readonly details?: Record<string, unknown>;
  /** The HTTP status where it differs from the catalogue's. */
  readonly status?: number;
  /** Sent as `Retry-After`, in whole seconds. */
  readonly retryAfterSeconds?: number;
  /** For the log only; never reaches the caller. */
  readonly cause?: unknown;
}

/** The one error that services throw: a code of the catalogue with the facts of this case. */
export class AppError extends Error {
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    super(options.message ?? catalogue[code].title, { cause: options.cause });
    this.name = 'AppError';
    this.status = options.status ?? catalogue[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * Field violations as the caller sees them.
 * @param fields path of the field (`sections[0].rows[1].title`) → what is wrong with it.
 */
export function validationError(fields: Record<string, string>, message?: string): AppError {
  const paths = Object.keys(fields);
  const [only] = paths;
  const text =
    paths.length === 1 && only
      ? `${only}: ${fields[only]}`
      : `${paths.length} fields are not valid.`;
  return new AppError('VALIDATION_ERROR', { message: message ?? text, details: { fields } });
}

/** Nothing was sent, nothing will be: the caller may repeat the request. */
export function unavailable(
  reason: string,
  message: string,
  options: { details?: Record<string, unknown>; cause?: unknown; retryAfterSeconds?: number } = {},
): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message,
    details: { reason, ...options.details },
    retryAfterSeconds: options.retryAfterSeconds ?? 2,
    cause: options.cause,
  });
}
