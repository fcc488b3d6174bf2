import { noSuch } from '../errors/app-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard for every request of the dashboard with a valid session. */
    user: SignedInUser | null;
  }
}

/** Operators run the installation, administrators one account. */
export const roles = ['operator', 'administrator'] as const;

export type Role = (typeof roles)[number];

/** Who does something, for the audit log. */
export interface Actor {
  /** Null for what no signed-in user did. */
  readonly userId: string | null;
  /** The email address, or the name of what acted. */
  readonly name: string;
  /** Where the request came from. */
  readonly address: string | null;
}

/** A user who is signed in to the dashboard. */
export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  /** The account of an administrator; null for operators. */
  readonly accountId: string | null;
  /** Whether a sign-in of theirs takes a second factor. */
  readonly hasSecondFactor: boolean;
  /** The session that the request came with. */
  readonly sessionDigest: Buffer;
  readonly actor: Actor;
}

/**
 * The account that a user may see and change; null means all accounts.
 * @param asked the account that the request names.
 * @throws AppError NOT_FOUND when an administrator asks for another account: the same answer as for
 * one that does not exist.
 */
export function accountScope(user: SignedInUser, asked?: string | null): string | null {
  if (user.role === 'operator') return asked?.toLowerCase() ?? null;
  if (asked && asked.toLowerCase() !== user.accountId) throw noSuch('account');
  return user.accountId;
}
