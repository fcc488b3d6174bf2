import { timelineSql } from '../database/history/database-timeline.js';
import { statement } from '../database/statements/statement.js';

export const lookAtDatabase = statement({
  name: 'look-at-database',
  columns: { now: 'text', timeline: 'text', history: 'text', is_synchronous: 'bool' },
  text: `
  select clock_timestamp()::text as now, ${timelineSql} as timeline, database_history() as history,
    current_setting('synchronous_standby_names') <> '' as is_synchronous`,
});

/** The history before the present one. */
const formerSql = `
  from database_histories b where b.history <> database_history() order by b.began_at desc limit 1`;

/**
 * The present history. The first begins at no moment. That the one before was copied commit by commit counts only with
 * the word of a worker that knew it: a restored copy says the same.
 */
export const findHistory = statement({
  name: 'find-history',
  columns: {
    began_at: 'text',
    lost_since: 'text?',
    /** Since workers know of it, in seconds. */
    age: 'float8',
    /** Whether it is certain already what it has forgotten. */
    is_settled: 'bool',
  },
  text: `
  select h.began_at::text, h.lost_since::text, extract(epoch from clock_timestamp() - h.began_at)::float8 as age,
    h.began_at = '-infinity' or h.held_at is not null
      or (h.witnessed_at is not null or h.lost_since is not null)
        and coalesce((select b.is_synchronous ${formerSql}), false) as is_settled
  from database_histories h where h.history = database_history()`,
});

export const findFormerHistory = statement({
  name: 'find-former-history',
  columns: { history: 'text' },
  text: `select b.history ${formerSql}`,
});

/** Where the log of this server ended when it was promoted, and which claims it lacks. */
export const recallClaims = statement({
  name: 'recall-claims',
  params: { ids: 'uuid[]', attempts: 'int4[]', highestSeen: 'pg_lsn?' },
  columns: { log_end: 'text?', has_log: 'bool?', missing: 'uuid[]' },
  text: `
  select pg_last_wal_replay_lsn()::text as log_end, :highestSeen::pg_lsn <= pg_last_wal_replay_lsn() as has_log,
    array(select t.id from unnest(:ids::uuid[], :attempts::int[]) as t (id, attempt)
      left join messages m on m.id = t.id where m.id is null or m.attempt < t.attempt) as missing`,
});

export const listAccountIds = statement({
  name: 'list-account-ids',
  columns: { id: 'uuid' },
  text: 'select id from accounts order by id',
});
