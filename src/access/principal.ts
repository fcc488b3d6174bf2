import type { FastifyRequest } from 'fastify';
import type { Mode } from './mode.js';
import type { Permission } from './permissions.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard for every request that carries a valid API key. */
    principal: Principal | null;
    /** The API key that the request carries, also where it is not valid; null for a key that is not known. */
    knownKey: Principal | null;
    /** The digest of the secret that signed the request; null where it was not signed. */
    signedWith: string | null;
    /**
     * Set by the guard for reads that may wait: repeats its checks with the key as it is now, but for signature and quota.
     * @throws AppError that a new request would get
     */
    admitAgain: (() => Promise<Principal>) | null;
  }
}

/** Who makes a request of the external API, as far as the request's work needs to know. */
export interface Principal {
  readonly apiKeyId: string;
  readonly accountId: string;
  /** The version of the account when the request was let in; everything cached belongs to one version. */
  readonly accountVersion: number;
  readonly mode: Mode;
  readonly permissions: ReadonlySet<Permission>;
  /** Whether events are kept for the key to read. */
  readonly hasFeed: boolean;
  /** Requests that the key may have accepted in a UTC day. */
  readonly dailyLimit: number;
  /** Until when the bodies of its requests are kept, in milliseconds since 1970; 0 if they are not. */
  readonly bodiesKeptUntilMs: number;
  /** The digest of the key that was sent, the present or a former one; null where it is not known. */
  readonly keyDigest: string | null;
  readonly account: {
    readonly isActive: boolean;
    /** The platform refuses everything from the account's number at present. */
    readonly isPaused: boolean;
    /** WhatsApp's ids of the number and of its business account. */
    readonly phoneNumberId: string;
    readonly businessAccountId: string;
  };
}

/** A request of the external API that has passed the guard. */
export interface AuthenticatedRequest extends FastifyRequest {
  principal: Principal;
}
