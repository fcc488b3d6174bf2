/**
 * SQLSTATEs that mean "not now". Class 08 is the connection, 57P the server going down or coming
 * up, class 53 a lack of connections, memory or disk, 55P03 a lock time-out, 57014 a statement that
 * took too long, 25006 a server that has become a standby, class 28 and 3D000 a server that does not
 * let us in, as while its passwords are changed.
 */
const unavailableStates = /^(08...|28...|3D000|57P0[1-5]|53...|55P03|57014|25006)$/;

/** The server could not write, because its disk is full. */
export const diskFullState = '53100';

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Errors of node-postgres without a code; after a read time-out the server may still be at work. */
const unavailableTexts =
  /Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Cannot use a pool after calling end|Driver not Connected|Connection ended unexpectedly/;

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The database has not answered in time. It may still carry out what it was asked. */
class StoreSilentError extends Error {}

/** Waits for the store up to a moment of `performance.now()`. @throws StoreSilentError after it. */
export function answeredBy<T>(deadline: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new StoreSilentError('the database is silent')),
      deadline - performance.now(),
    );
    const clear = () => clearTimeout(timer);
    answer.then(resolve, reject).then(clear, clear);
  });
}

/** The database could not be reached, went away in the middle, or did not answer in time. */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof StoreSilentError) return true;
  const code = codeOf(error);
  if (code !== null && (unavailableStates.test(code) || unavailableCodes.has(code))) return true;
  return error instanceof Error && unavailableTexts.test(error.message);
}

/** Errors of connections that never came about. */
const unconnectedCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', '57P03', '53300']);

/** There was no connection, so the database has not even got the statement. */
export function isNeverAsked(error: unknown): boolean {
  if (unconnectedCodes.has(codeOf(error) ?? '')) return true;
  return error instanceof Error && /timeout exceeded when trying to connect/.test(error.message);
}

/**
 * The database answers but cannot write: its disk is full, or it has become a standby. Reads still
 * work, so they do not show when it is back.
 */
export function refusesWrites(error: unknown): boolean {
  return [diskFullState, '25006'].includes(codeOf(error) ?? '');
}

/** The database refused the data of a statement (classes 22 and 23); other rows in it may be fine. */
export function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(codeOf(error) ?? '');
}

/** The database has no tables yet. */
export function isUndefinedTable(error: unknown): boolean {
  return codeOf(error) === '42P01';
}

/** The tables are those of an earlier version, before a migration that adds a column. */
export function isUndefinedColumn(error: unknown): boolean {
  return codeOf(error) === '42703';
}

/** Another transaction has held a row that the statement needs for too long. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Two statements waited for each other and this one was chosen to give way. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01';
}

/** Another row has the value that must be unique. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  if (codeOf(error) !== '23505') return false;
  const name = error !== null && typeof error === 'object' && 'constraint' in error;
  return name && error.constraint === constraint;
}
