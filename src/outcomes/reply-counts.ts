import type { EntityManager } from 'typeorm';

/*
 * Sorted, so that two groups wait for each other's rows in one order.
 */
const countSql = `
  insert into replies_by_minute as r (account_id, minute, replies)
  select id, date_trunc('minute', now()), count(*) from unnest($1::uuid[]) as t (id)
  group by id order by id
  on conflict (minute, account_id) do update set replies = r.replies + excluded.replies`;

/**
 * Counts messages from users as they are taken: nothing else keeps each of them where no program listens.
 * @param accountIds for each message, the account that got it.
 */
export async function countReplies(
  manager: EntityManager,
  accountIds: readonly string[],
): Promise<void> {
  if (accountIds.length > 0) await manager.query(countSql, [accountIds]);
}
