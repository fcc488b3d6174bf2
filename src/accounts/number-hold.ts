import type { EntityManager } from 'typeorm';
import { resolveAlert } from '../alerts/alerts.js';

/**
 * Ends the hold on an account's number with its alert. The caller raises the account's version.
 * @returns whether there was a hold.
 */
export async function endHold(manager: EntityManager, accountId: string): Promise<boolean> {
  const [, ended]: [unknown, number] = await manager.query(
    `update accounts set hold_kind = null, hold_until = null, hold_step = 0, hold_code = null,
       hold_reason = null
     where id = $1 and hold_kind is not null`,
    [accountId],
  );
  await resolveAlert(manager, { accountId, kind: 'number_paused', subject: 'number' });
  return ended > 0;
}
