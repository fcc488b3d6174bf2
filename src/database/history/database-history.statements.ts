import { as } from '../statements/sql-types.js';
import { statement } from '../statements/statement.js';

/** How many messages are held, by the id of their account. */
export type HeldByAccount = Readonly<Record<string, number>>;

export const noteHistory = statement({
  name: 'note-history',
  columns: { is_later: 'bool' },
  text: `
  insert into database_histories (history, began_at)
  select database_history(),
    case when exists (select from database_histories) then clock_timestamp() else '-infinity' end
  on conflict do nothing returning began_at <> '-infinity' as is_later`,
});

export const noteReplication = statement({
  name: 'note-replication',
  params: { isSynchronous: 'bool' },
  text: 'update database_histories set is_synchronous = :isSynchronous where history = database_history()',
});

export const declareLoss = statement({
  name: 'declare-loss',
  columns: { from: 'timestamptz', to: 'timestamptz' },
  text: `
  update database_histories set lost_since = coalesce(pg_last_xact_replay_timestamp(), began_at)
  where history = database_history() and lost_since is null
  returning lost_since as from, began_at as to`,
});

export const noteWitness = statement({
  name: 'note-witness',
  text: `
  update database_histories set witnessed_at = clock_timestamp()
  where history = database_history() and witnessed_at is null and lost_since is null and held is null`,
});

export const lockUnheld = statement({
  name: 'lock-unheld-history',
  columns: { beganAt: 'text', held: as<HeldByAccount>('jsonb') },
  text: `
  select began_at::text as "beganAt", coalesce(held, '{}') as held from database_histories
  where history = database_history() and began_at <> '-infinity' and held_at is null
    and (witnessed_at is null or held is not null) and lost_since is null
  for no key update`,
});

export const noteHeld = statement({
  name: 'note-held',
  params: { held: 'jsonb', isAll: 'bool' },
  text: `
  update database_histories set held = :held, held_at = case when :isAll then clock_timestamp() end
  where history = database_history()`,
});

export const beginAnew = statement({
  name: 'begin-new-history',
  text: `
  update database_histories set began_at = clock_timestamp(), witnessed_at = null, lost_since = null,
    held_at = null, held = null
  where history = database_history()`,
});
