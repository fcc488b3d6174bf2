/**
 * SQLSTATEs that say: not now. Class 08 is the connection, 57P the server going down or coming
 * up, 53300 too many connections, 53400 a configured limit, 55P03 a lock time-out.
 */
const unavailableStates = /^(08...|57P0[1-5]|53300|53400|55P03|25006)$/;

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

const unavailableTexts =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Cannot use a pool after calling end|Driver not Connected|Connection ended unexpectedly/;

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The database could not be reached, or went away in the middle. */
export function isStoreUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== null && (unavailableStates.test(code) || unavailableCodes.has(code))) return true;
  return error instanceof Error && unavailableTexts.test(error.message);
}

/** The database refused the data of a statement (classes 22 and 23), whoever else shared it. */
export function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(codeOf(error) ?? '');
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
