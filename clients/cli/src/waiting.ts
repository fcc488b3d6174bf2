import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionError, ParleyError } from '../../typescript/src/index.js';
import { reasonOf } from './failures.js';
import { tell } from './output.js';

const longestPauseMs = 30_000;

/** Codes after which the same request can succeed. */
const passing = new Set<string>(['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR']);

/** Aborts with the first signal that asks the command to end. Under npx one Ctrl-C comes twice. */
export function stopSignal(): AbortSignal {
  const asked = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => asked.abort());
  }
  return asked.signal;
}

/** Lets a command that runs without end survive what passes. */
export class Patience {
  private failures = 0;

  constructor(private readonly signal: AbortSignal) {}

  /** Call it after each success. */
  renew(): void {
    this.failures = 0;
  }

  /** Waits before the next try; throws the error if none can succeed, or none is wanted. */
  async wait(error: unknown): Promise<void> {
    if (this.signal.aborted || !isPassing(error)) throw error;
    const pauseMs = Math.min(1_000 * 2 ** this.failures, longestPauseMs);
    this.failures += 1;
    tell(`Parley does not answer (${reasonOf(error)}); trying again in ${pauseMs / 1_000} s`);
    await pause(pauseMs, undefined, { signal: this.signal });
  }
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionError || (error instanceof ParleyError && passing.has(error.code))
  );
}
