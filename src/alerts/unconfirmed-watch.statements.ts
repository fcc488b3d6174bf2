import { statement } from '../database/statements/statement.js';

/**
 * One alert for each account with a growing number of unconfirmed messages. While it is open, its count
 * is kept up to date. If it is resolved by hand, that many more raise it again. When no message is
 * unconfirmed any more, it is closed.
 */
export const followUnconfirmed = statement({
  name: 'follow-unconfirmed',
  params: { ageSeconds: 'float8', growth: 'int4', text: 'text' },
  columns: { account_id: 'uuid', count: 'int4' },
  text: `
  with counted as (
    select account_id, count(*)::int as count from messages
    where status = 'unconfirmed' and coalesce(queued_at, created_at) < now() - make_interval(secs => :ageSeconds)
    group by account_id
  ), alerted as (
    select distinct on (account_id) account_id, (details->>'count')::int as count
    from alerts where kind = 'unconfirmed_messages' and resolved_at is not null
    order by account_id, id desc
  ), followed as (
    update alerts a set details = jsonb_build_object('count', c.count),
      message = format(:text, c.count)
    from counted c
    where a.account_id = c.account_id and a.kind = 'unconfirmed_messages' and a.resolved_at is null
      and c.count >= :growth
  ), ended as (
    update alerts a set details = jsonb_build_object('count', 0)
    where a.kind = 'unconfirmed_messages' and a.resolved_at is null
      and coalesce((select c.count from counted c where c.account_id = a.account_id), 0) < :growth
    returning a.account_id
  )
  select account_id, 0 as count from ended
  union all
  select c.account_id, c.count from counted c left join alerted t on t.account_id = c.account_id
  where c.count >= least(coalesce(t.count, 0), c.count) + :growth
    and not exists (select from alerts a where a.account_id = c.account_id
      and a.kind = 'unconfirmed_messages' and a.resolved_at is null)`,
});
