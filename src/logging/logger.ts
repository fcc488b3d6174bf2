import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';

/**
 * The log of one process: JSON lines on standard output. Message texts, phone numbers and keys are
 * never given to it.
 */
export function createLogger(
  process: 'api' | 'worker' | 'migrate' | 'setup',
  level: string,
): Logger {
  return pino({
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
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
