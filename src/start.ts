import { ConfigError } from './config/config.js';

/** Runs a process; a bad configuration ends it with the one line that says what to change. */
export function start(run: () => Promise<void>): void {
  run().catch((error: unknown) => {
    const text = error instanceof ConfigError ? error.message : String(errorText(error));
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}

function errorText(error: unknown): unknown {
  return error instanceof Error ? (error.stack ?? error.message) : error;
}
