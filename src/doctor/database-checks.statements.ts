import { statement } from '../database/statements/statement.js';

export const readServerState = statement({
  name: 'read-server-state',
  columns: {
    version: 'text',
    fsync: 'text',
    synchronous_commit: 'text',
    max_connections: 'int4',
    is_replica: 'bool',
    /** The standbys that a commit waits for, as the setting names them. */
    synchronous: 'text',
    standbys: 'int4',
  },
  text: `
  select current_setting('server_version') as version,
    current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('max_connections')::int as max_connections,
    pg_is_in_recovery() as is_replica,
    current_setting('synchronous_standby_names') as synchronous,
    (select count(*)::int from pg_stat_replication) as standbys`,
});

export const findNewerMigration = statement({
  name: 'find-newer-migration',
  params: { known: 'text[]' },
  columns: { name: 'text' },
  text: 'select name from migrations where name <> all (:known) order by timestamp limit 1',
});

export const findNextPartition = statement({
  name: 'find-next-partition',
  columns: { ready: 'bool' },
  text: `
  select to_regclass('messages_' || to_char(now() at time zone 'UTC' + interval '1 month',
    'YYYY_MM')) is not null as ready`,
});

export const countOperators = statement({
  name: 'count-operators',
  columns: { count: 'int4' },
  text: `
  select count(*)::int as count from users where role = 'operator' and active and password_hash is not null`,
});

export const readClock = statement({
  name: 'read-clock',
  columns: { now_ms: 'float8' },
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
});
