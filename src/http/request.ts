import type { Span } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DayUsed } from '../errors/daily-limit.js';

/** The minute window of a key, as `meta.rate_limit` shows it. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, ISO 8601 in UTC with milliseconds. */
  readonly reset_at: string;
}

/** The unit of its key's day that a request uses once it is accepted. */
export interface DayUnit {
  /**
   * Takes the unit; a second call waits for the first.
   * @throws AppError DAILY_LIMIT_EXCEEDED
   */
  takeDayUnit(): Promise<void>;
  /** The unit was taken by the statement that stored what the request asked for. */
  wasTaken(dayUsed: DayUsed): void;
  /** Other requests have used up the day since the guard looked. */
  wasRefused(dayUsed: DayUsed): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The largest body that the route takes, in bytes; the callers' limit when absent. */
    bodyMaxBytes?: number;
    /** The route reads its body while it comes in. */
    streamsBody?: boolean;
  }

  interface FastifyRequest {
    rateLimit: RateLimit | null;
    /** The unit of its key's day, taken when the request is accepted; null where no key was admitted. */
    dayUnit: DayUnit | null;
    /** The code of the error that was answered, or null. */
    errorCode: string | null;
    /** The fields of the request that are not valid, with what is wrong with them, as they were answered; or null. */
    errorFields: Readonly<Record<string, string>> | null;
    /** What only WhatsApp would refuse of the message, as `meta.warnings` shows it; null when there is nothing. */
    warnings: readonly string[] | null;
    /** The message that the request made or repeated, or null. */
    messageId: string | null;
    /** The request as its trace shows it; null where it is not traced. */
    span: Span | null;
  }
}

export type Request = FastifyRequest;
export type Reply = FastifyReply;

/** The origin of the API: that of PUBLIC_URL, else as whoever makes the request reaches it. */
export const ownOrigin = ({ protocol, headers }: Request, publicUrl: string | null): string =>
  publicUrl ?? `${protocol}://${headers.host?.toLowerCase()}`;
