import type { LoggerService } from '@nestjs/common';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { ConfigError } from '../config/config.js';
import { version } from '../config/version.js';
import { LogLines } from './log-lines.js';
import { stackText } from './stack-text.js';

/** What all lines but the first one get besides their own fields. */
const nothing = {};

let flush = async (): Promise<void> => {};

/**
 * Writes what the log still holds, and notices if nobody reads it any more: at exit, a
 * failing write would be repeated for ever.
 */
export function flushLog(): Promise<void> {
  return flush();
}

/**
 * The log of one process: JSON lines on standard output. Message texts, phone numbers and keys are
 * never given to it. Its first line says which version runs.
 */
export function createLogger(name: 'api' | 'worker' | 'migrate' | 'seed', level: string): Logger {
  const lines = new LogLines();
  flush = () => lines.flush();
  let isFirst = true;
  const options: LoggerOptions = {
    level,
    base: { process: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    mixin: () => {
      if (!isFirst) return nothing;
      isFirst = false;
      return { version, node_version: process.versions.node };
    },
    mixinMergeStrategy: (line, more) => (more === nothing ? line : { ...more, ...line }),
  };
  return pino(options, lines);
}

/** Nest's own lines, in the same log. Its start-up chatter is debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const err = message instanceof Error ? message : undefined;
    this.logger.error({ err, detail: err ? undefined : rest }, err ? err.message : String(message));
  }

  debug(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }

  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }
}

/**
 * An error without its other fields: the parameters of a statement and the details of a
 * constraint hold message texts and phone numbers.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const cause = error.cause === undefined ? undefined : describeError(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // What a person can mend needs no stack: its message says what to do.
  const stack = error instanceof ConfigError ? undefined : stackText(error);
  return { type: error.name, message: error.message, code, stack, cause };
}
