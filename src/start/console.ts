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
