import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Row } from '../database/statements/statement.js';
import * as sql from './reset-links.statements.js';
import { digestOf } from './sessions.js';

/** How long a link is good for. */
const validHours = 24;

/** Whose link a token belongs to. */
export type LinkOwner = Row<typeof sql.findLinkOwner>;

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
  const link = await sql.putResetLink.row(manager, {
    userId,
    digest: digestOf(token),
    hours: validHours,
  });
  if (!link) throw new Error('the link was not stored');
  return { token, expiresAt: link.expires_at };
}

/** The user whose link this is; null when it is used, replaced or too old, or the user is switched off. */
export async function findLinkOwner(
  manager: EntityManager,
  token: string,
): Promise<LinkOwner | null> {
  return sql.findLinkOwner.row(manager, { digest: digestOf(token) });
}

/** Uses up a link. @returns whether it was still good. */
export async function takeResetLink(manager: EntityManager, token: string): Promise<boolean> {
  return (await sql.takeResetLink.changed(manager, { digest: digestOf(token) })) === 1;
}

/** Ends the link of a user, if there is one. */
export async function endResetLink(manager: EntityManager, userId: string): Promise<void> {
  await sql.endResetLink.run(manager, { userId });
}
