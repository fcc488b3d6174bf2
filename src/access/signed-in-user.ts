import { AppError, noSuch } from '../errors/app-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard for every request of the dashboard with a valid session. */
    user: SignedInUser | null;
  }
}

/**
 * Operators run the installation, administrators one account; viewers read what administrators of theirs see. Each may
 * what those after it may.
 */
export const roles = ['operator', 'administrator', 'viewer'] as const;

export type Role = (typeof roles)[number];

/** Whether a role may do what another one may. */
export const isAtLeast = (role: Role, other: Role) => roles.indexOf(role) <= roles.indexOf(other);

/** The roles of one account. */
export const accountRoles: readonly Role[] = roles.filter((role) => role !== 'operator');

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
  /** The account of an administrator or a viewer; null for operators. */
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
 * @throws AppError NOT_FOUND when somebody of one account asks for another one: the same answer as for
 * one that does not exist.
 */
export function accountScope(user: SignedInUser, asked?: string | null): string | null {
  if (user.role === 'operator') return asked?.toLowerCase() ?? null;
  if (asked && asked.toLowerCase() !== user.accountId) throw noSuch('account');
  return user.accountId;
}

/**
 * The lowest role that may call a route: viewers may also read what administrators may read.
 * @param needed the role that the route declares.
 * @param isRead whether the request changes nothing.
 */
export const lowestRole = (needed: Role, isRead: boolean): Role =>
  isRead && needed === 'administrator' ? 'viewer' : needed;

/**
 * The one rule of what roles may call: a role may what those below it may.
 * @param needed the role that the route declares.
 * @param isRead whether the request changes nothing.
 * @throws AppError FORBIDDEN
 */
export function checkRole(role: Role, needed: Role, isRead: boolean): void {
  const enough = lowestRole(needed, isRead);
  if (isAtLeast(role, enough)) return;
  throw new AppError('FORBIDDEN', {
    message:
      enough === 'operator' ? 'Only operators may do this.' : 'Viewers read; they change nothing.',
  });
}
