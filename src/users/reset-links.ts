import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { digestOf } from './sessions.js';

/** How long a link is good for. */
const validHours = 24;

/** Whose link a token belongs to. */
export interface LinkOwner {
  readonly id: string;
  readonly email: string;
  readonly accountId: string | null;
}

/**
 * Where a user sets a new password. The token stays behind the `#`, which browsers send to nobody.
 * @param address of the dashboard's host.
 */
export const resetAddress = (address: string, token: string) =>
  `${address}/dashboard/reset#token=${token}`;

/** Makes the one link of a user; an earlier one ends. */
export async function makeResetLink(
  manager: EntityManager,
  userId: string,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url');
  const [link]: { expires_at: Date }[] = await manager.query(
    `insert into reset_links (user_id, digest, expires_at)
     values ($1, $2, now() + make_interval(hours => $3))
     on conflict (user_id) do update set digest = excluded.digest, expires_at = excluded.expires_at
     returning expires_at`,
    [userId, digestOf(token), validHours],
  );
  if (!link) throw new Error('the link was not stored');
  return { token, expiresAt: link.expires_at };
}

/** The user whose link this is; null when it is used, replaced or too old, or the user is switched off. */
export async function findLinkOwner(
  manager: EntityManager,
  token: string,
): Promise<LinkOwner | null> {
  const [owner]: { id: string; email: string; account_id: string | null }[] = await manager.query(
    `select u.id, u.email, u.account_id from reset_links l join users u on u.id = l.user_id
     where l.digest = $1 and l.expires_at > now() and u.active`,
    [digestOf(token)],
  );
  return owner ? { id: owner.id, email: owner.email, accountId: owner.account_id } : null;
}

/** Uses up a link. @returns whether it was still good. */
export async function takeResetLink(manager: EntityManager, token: string): Promise<boolean> {
  const [, taken]: [unknown, number] = await manager.query(
    'delete from reset_links where digest = $1 and expires_at > now()',
    [digestOf(token)],
  );
  return taken === 1;
}

/** Ends the link of a user, if there is one. */
export async function endResetLink(manager: EntityManager, userId: string): Promise<void> {
  await manager.query('delete from reset_links where user_id = $1', [userId]);
}
