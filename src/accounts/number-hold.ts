import type { EntityManager } from 'typeorm';

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
  await manager.query(
    `update alerts set resolved_at = now()
     where account_id = $1 and kind = 'number_paused' and resolved_at is null`,
    [accountId],
  );
  return ended > 0;
}
