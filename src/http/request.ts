import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DayUnit } from '../auth/day-unit.js';
import type { Principal } from '../auth/principal.js';
import type { SignedInUser } from '../auth/signed-in-user.js';
import type { Span } from '../tracing/tracing.js';

/** The minute window of a key, as `meta.rate_limit` shows it. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, ISO 8601 in UTC with milliseconds. */
  readonly reset_at: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The largest body that the route takes, in bytes; the callers' limit when absent. */
    bodyMaxBytes?: number;
  }

  interface FastifyRequest {
    /** Set by the guard for every request that carries a valid API key. */
    principal: Principal | null;
    /** Set by the guard for every request of the dashboard by somebody who is signed in. */
    user: SignedInUser | null;
    rateLimit: RateLimit | null;
    /** The unit of its key's day, taken when the request is accepted; null where no key was admitted. */
    dayUnit: DayUnit | null;
    /** The code of the error that was answered, or null. */
    errorCode: string | null;
    /** The request as its trace shows it; null where it is not traced. */
    span: Span | null;
  }
}

/** A request of the external API that has passed the guard. */
export interface AuthenticatedRequest extends FastifyRequest {
  principal: Principal;
}

export type Request = FastifyRequest;
export type Reply = FastifyReply;
