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

/** What a file that this user may not touch, or a full disk, fails with. */
const fileMistakes = {
  EACCES: 'this user may not open or change it. Run as its owner, or choose another folder',
  EPERM: 'this user may not change it. Run as its owner, or choose another folder',
  EROFS: 'it is on a disk that can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

/** An error as the person at the terminal needs it: one line for what they can mend, else the stack. */
export function textOf(error) {
  if (error instanceof StartError) return error.message;
  const mistake = error?.path && fileMistakes[error.code];
  return mistake ? `${error.path}: ${mistake} (${error.code}).` : String(error?.stack ?? error);
}
