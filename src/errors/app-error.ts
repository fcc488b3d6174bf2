import { catalogue, type ErrorCode } from './catalogue.js';

/** What an `AppError` carries in addition to its code. */
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

  /** The fields of the request that are not valid: path → what is wrong; null where the error names none. */
  get fields(): Readonly<Record<string, string>> | null {
    const fields = this.details?.fields;
    return typeof fields === 'object' ? (fields as Record<string, string> | null) : null;
  }
}

/** How many violations an answer names; it only counts the others. */
export const violationsMax = 50;

/** How long a path or a rule may be in an answer. Both can hold text of the caller. */
const textMaxLength = 300;

/**
 * The violations that an answer names.
 * @param fields path of the field → what is wrong with it.
 * @param leftOut how many further violations were not collected.
 */
export function namedViolations(
  fields: Readonly<Record<string, string>>,
  leftOut = 0,
): { fields: Record<string, string>; more: number } {
  const all = Object.entries(fields);
  const named = all.slice(0, violationsMax);
  return {
    fields: Object.fromEntries(named.map(([path, rule]) => [shortened(path), shortened(rule)])),
    more: all.length - named.length + leftOut,
  };
}

/** A text short enough for an answer. */
export function shortened(text: string): string {
  return text.length <= textMaxLength ? text : `${text.slice(0, textMaxLength).toWellFormed()}…`;
}

/**
 * Field violations as the caller sees them.
 * @param violations path of the field (`sections[0].rows[1].title`) → what is wrong with it.
 * @param leftOut how many further violations were not collected.
 */
export function validationError(
  violations: Readonly<Record<string, string>>,
  message?: string,
  leftOut = 0,
): AppError {
  const { fields, more } = namedViolations(violations, leftOut);
  const entries = Object.entries(fields);
  const [[path, rule] = []] = entries;
  const several = `${entries.length} fields are not valid${more > 0 ? `, and ${more} more` : ''}.`;
  const text = entries.length + more === 1 ? `${path}: ${rule}` : several;
  return new AppError('VALIDATION_ERROR', { message: message ?? text, details: { fields } });
}

/** The object of a request is not there, or belongs to another account. @param what such as `template` */
export function noSuch(what: string): AppError {
  return new AppError('NOT_FOUND', { message: `There is no such ${what}.` });
}

/** Says that Parley has not sent anything and will not, so the caller may repeat the request. */
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
