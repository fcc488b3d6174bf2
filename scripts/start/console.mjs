/**
 * An error that a person can fix. Its message says what is wrong and what to do; it is shown
 * without a stack.
 */
export class StartError extends Error {}

/** Prints one line, or several, for the person at the terminal. */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** As `say`, for what went wrong. */
export function complain(text) {
  process.stderr.write(`${text}\n`);
}

// The terminal may go away before we do (`npm start | head`, a closed window). Stopping in order
// matters more than lines that can no longer be read.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
