import { goesOnSql } from '../campaigns/restored-campaigns.statements.js';
import { statement } from '../database/statements/statement.js';

export const findRestoreFacts = statement({
  name: 'find-restore-facts',
  params: { passingReasons: 'text[]' },
  columns: {
    /** Whether no worker has looked at this database, or none that vouches for it. */
    is_open: 'bool',
    /** When everything was held that may have been sent since the copy; null where nothing had to be. */
    held_at: 'timestamptz?',
    /** Messages and campaigns that wait for somebody's decision. */
    messages: 'int4',
    campaigns: 'int4',
    /** Messages and campaigns that workers would hold. */
    messages_to_hold: 'int4',
    campaigns_to_hold: 'int4',
  },
  text: `
  with present as (
    select h.*, coalesce(h.began_at, clock_timestamp()) as at
    from (select) one left join database_histories h on h.history = database_history()
  )
  select case when p.history is null then exists (select from database_histories)
      else p.began_at <> '-infinity' and p.witnessed_at is null and p.held_at is null and p.lost_since is null
    end as is_open, p.held_at,
    (select count(*)::int from messages m where m.status = 'unconfirmed' and m.created_at < p.at) as messages,
    (select count(*)::int from campaigns c where c.status = 'paused' and c.reason = 'restored') as campaigns,
    (select count(*)::int from messages m where m.status = 'queued' and m.created_at < p.at)
      + (select count(*)::int from messages m where m.status = 'sending' and m.created_at < p.at)
      + (select count(*)::int from scheduled_messages s where s.send_at <= p.at and s.created_at < p.at
          and not s.withdrawn) as messages_to_hold,
    (select count(*)::int from campaigns c where ${goesOnSql('p.at', ':passingReasons::text[]')}) as campaigns_to_hold
  from present p`,
});
