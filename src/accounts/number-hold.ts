import type { EntityManager } from 'typeorm';
import { resolveAlert } from '../alerts/alerts.js';

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
  const [, ended]: [unknown, number] = await manager.query(
    `update accounts set hold_kind = null, hold_until = null, hold_step = 0, hold_code = null,
       hold_reason = null, hold_until_report = false, hold_probe = null, hold_probe_id = null,
       hold_ended_at = clock_timestamp()
     where id = $1 and hold_kind is not null and ($2::uuid is null or hold_probe_id = $2)`,
    [accountId, probeId],
  );
  if (ended === 0 && probeId !== null) return false;
  await resolveAlert(manager, { accountId, kind: 'number_paused', subject: 'number' });
  return ended > 0;
}

/**
 * Takes the place of the one message that a paused number waits for, if it waits for one, so that the message is queued
 * and becomes its probe.
 */
export async function takeProbe(manager: EntityManager, accountId: string): Promise<boolean> {
  const [row]: { isTaken: boolean }[] = await manager.query('select take_probe($1) as "isTaken"', [
    accountId,
  ]);
  return row?.isTaken ?? false;
}
