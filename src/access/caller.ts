import type { Mode } from './mode.js';
import { type Actor, accountScope, type SignedInUser } from './signed-in-user.js';

/**
 * Who asks, as far as work for keys and for people needs to know: what they may see, and who acts. A `Principal` is the
 * caller of a key's request.
 */
export interface Caller {
  /** Null: of every account. */
  readonly accountId: string | null;
  /** Null: of every key. */
  readonly apiKeyId: string | null;
  /** Null: of both. */
  readonly mode: Mode | null;
  /** The person, whose changes the audit log records; absent where a key acts. */
  readonly actor?: Actor;
}

/**
 * A person as a caller.
 * @param asked the account that the request names.
 * @throws AppError NOT_FOUND for an account that the user may not see
 */
export const callerOf = (user: SignedInUser, asked?: string | null): Caller => ({
  accountId: accountScope(user, asked),
  apiKeyId: null,
  mode: null,
  actor: user.actor,
});
