import { ConfigError } from '../config/config.js';
import { stackText } from '../logging/stack-text.js';

/** An error that a person can fix. Its message says what is wrong and what to do; it is shown without a stack. */
export class StartError extends Error {}

/** Prints one line, or several, for the person at the terminal. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** As `say`, for what went wrong. */
export function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** What a system call failed with, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** What a file that this user may not touch, or a full disk, fails with. */
const fileMistakes: Readonly<Record<string, string>> = {
  EACCES: 'this user may not open or change it. Run as its owner, or choose another folder',
  EPERM: 'this user may not change it. Run as its owner, or choose another folder',
  EROFS: 'it is on a disk that can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

/**
 * An error as the person at the terminal needs it: one line for what they can mend, else the stack.
 * scripts/start/console.mjs has the same for what runs before the build.
 */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const mistake = path && fileMistakes[code];
  return mistake ? `${path}: ${mistake} (${code}).` : (stackText(error) ?? error.message);
}
