import { InputRows } from '../database/statements/input-rows.js';
import { statement } from '../database/statements/statement.js';

export const heardInput = new InputRows({ accountId: 'uuid', mode: 'text', at: 'timestamptz' });

export const noteHeard = statement({
  name: 'note-heard',
  params: heardInput.params,
  text: `
  insert into account_notifications as n (account_id, mode, first_at, last_at, since, history)
  select account_id, mode, now(), now(), least(at, now()), database_history()
  from ${heardInput.sql}
  order by account_id, mode
  on conflict (account_id, mode) do update set last_at = excluded.last_at,
    first_at = coalesce(n.first_at, n.last_at),
    since = case when n.history = excluded.history then coalesce(n.since, excluded.since)
      else excluded.since end,
    history = excluded.history
  where n.last_at < excluded.last_at - interval '30 seconds' or n.since is null
    or n.history <> excluded.history`,
});

export const forgetAllHeard = statement({
  name: 'forget-all-heard',
  text: 'update account_notifications set since = null',
});

export const forgetHeard = statement({
  name: 'forget-heard',
  params: { accountId: 'uuid' },
  text: `update account_notifications set since = null where account_id = :accountId and mode = 'live'`,
});
