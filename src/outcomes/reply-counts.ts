import type { EntityManager } from 'typeorm';
import type { Mode } from '../access/mode.js';

/*
 * Sorted, so that two groups wait for each other's rows in one order.
 */
const countSql = `
  insert into replies_by_minute as r (account_id, minute, replies, live, test)
  select id, date_trunc('minute', now()), count(*), count(*) filter (where mode = 'live'),
    count(*) filter (where mode = 'test')
  from unnest($1::uuid[], $2::text[]) as t (id, mode)
  group by id order by id
  on conflict (minute, account_id) do update set replies = r.replies + excluded.replies,
    live = r.live + excluded.live, test = r.test + excluded.test`;

/** A message from a user. */
export interface CountedReply {
  /** The account that got it. */
  readonly accountId: string;
  /** Null: it came for both. */
  readonly mode: Mode | null;
}

/** Counts messages from users as they are taken: nothing else keeps each of them where no program listens. */
export async function countReplies(
  manager: EntityManager,
  replies: readonly CountedReply[],
): Promise<void> {
  if (replies.length === 0) return;
  await manager.query(countSql, [
    replies.map(({ accountId }) => accountId),
    replies.map(({ mode }) => mode),
  ]);
}
