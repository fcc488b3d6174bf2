import { statement } from '../database/statements/statement.js';

/** Sorted, so that two groups wait for each other's rows in one order. */
export const countReplies = statement({
  name: 'count-replies',
  params: { accountIds: 'uuid[]', modes: 'text[]' },
  text: `
  insert into replies_by_minute as r (account_id, minute, replies, live, test)
  select id, date_trunc('minute', now()), count(*), count(*) filter (where mode = 'live'),
    count(*) filter (where mode = 'test')
  from unnest(:accountIds::uuid[], :modes::text[]) as t (id, mode)
  group by id order by id
  on conflict (minute, account_id) do update set replies = r.replies + excluded.replies,
    live = r.live + excluded.live, test = r.test + excluded.test`,
});
