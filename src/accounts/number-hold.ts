import type { EntityManager } from 'typeorm';
import { resolveAlert } from '../alerts/alerts.js';
import * as sql from './number-hold.statements.js';

/** Among the bits of what a message has entered: the platform has reported it while it was the probe of its number. */
export const reportedProbeBit = 16;

/**
 * Ends the hold on an account's number with its alert. The caller raises the account's version.
 * @param probeId only the hold whose last probe was this message; null: whatever hold there is.
 * @returns whether there was a hold.
 */
export async function endHold(
  manager: EntityManager,
  accountId: string,
  probeId: string | null = null,
): Promise<boolean> {
  const ended = await sql.endHold.changed(manager, { accountId, probeId });
  if (ended === 0 && probeId !== null) return false;
  await resolveAlert(manager, { accountId, kind: 'number_paused', subject: 'number' });
  return ended > 0;
}

/**
 * Takes the place of the one message that a paused number waits for, if it waits for one, so that the message is queued
 * and becomes its probe.
 */
export async function takeProbe(manager: EntityManager, accountId: string): Promise<boolean> {
  return (await sql.takeProbe.row(manager, { accountId }))?.isTaken ?? false;
}
