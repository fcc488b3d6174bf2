import { statement } from '../database/statements/statement.js';
import { isResent } from '../messages/message.js';

/** What was sent again waits for nobody, so it does not count. */
export const countUnconfirmed = statement({
  name: 'count-unconfirmed',
  params: { ageSeconds: 'float8' },
  columns: {
    accountId: 'uuid',
    count: 'int4',
    /** Of the alert that is open; null where none is. */
    openCount: 'int4?',
    /** Of the last alert that was resolved; 0 where there was none. */
    resolvedCount: 'int4',
  },
  text: `
  with counted as (
    select account_id, count(*)::int as count from messages m
    where status = 'unconfirmed' and coalesce(queued_at, created_at) < now() - make_interval(secs => :ageSeconds)
      and not ${isResent('m')}
    group by account_id
  ), alerted as (
    select distinct on (account_id, resolved_at is null) account_id, resolved_at is null as is_open,
      (details->>'count')::int as count
    from alerts where kind = 'unconfirmed_messages'
    order by account_id, resolved_at is null, id desc
  )
  select account_id as "accountId", coalesce(c.count, 0) as count, o.count as "openCount",
    coalesce(r.count, 0) as "resolvedCount"
  from counted c
    full join (select account_id, count from alerted where is_open) o using (account_id)
    left join (select account_id, count from alerted where not is_open) r using (account_id)`,
});
