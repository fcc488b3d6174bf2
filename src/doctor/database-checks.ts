import type { DataSource } from 'typeorm';
import { missingMigrations, neededMigrations } from '../database/migrations/missing.js';
import { findOlderTables } from '../database/opening/older-tables.js';
import { shortName } from '../database/opening/server-version.js';
import { type Finding, Findings } from './finding.js';

interface Server {
  version: string;
  fsync: string;
  synchronous_commit: string;
  max_connections: number;
  is_replica: boolean;
  /** The standbys that a commit waits for, as the setting names them. */
  synchronous: string;
  standbys: number;
}

/** The server, its durability and its room. The connection is open. */
export async function checkDatabase(dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('database');
  const startedAt = performance.now();
  const [server]: Server[] = await dataSource.query(`
    select current_setting('server_version') as version,
      current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('max_connections')::int as max_connections,
      pg_is_in_recovery() as is_replica,
      current_setting('synchronous_standby_names') as synchronous,
      (select count(*)::int from pg_stat_replication) as standbys`);
  const tookMs = Math.round(performance.now() - startedAt);
  if (!server) throw new Error('the server reported no version');
  findings.ok(`PostgreSQL ${shortName(server.version)} answers in ${tookMs} ms`);
  if (server.is_replica) findings.fail('the server is a replica, which accepts no writes');
  if (server.fsync !== 'on' || server.synchronous_commit === 'off') {
    findings.fail(
      `fsync is ${server.fsync} and synchronous_commit ${server.synchronous_commit}: a crash would lose messages that were answered`,
    );
  }
  if (server.standbys > 0 && server.synchronous === '') {
    findings.warn(
      `no commit waits for the ${server.standbys === 1 ? 'standby' : `${server.standbys} standbys`}: a failover can lose the last moments (synchronous_standby_names)`,
    );
  }
  if (server.max_connections < 60) {
    findings.warn(
      `max_connections is ${server.max_connections}: each process takes up to 20, without Redis up to 27`,
    );
  }
  return findings.list;
}

/** Whether the tables are those of this version. */
export async function checkMigrations(dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('migrations');
  const olderTables = await findOlderTables(dataSource);
  if (olderTables) {
    findings.fail(olderTables);
    return findings.list;
  }
  const missing = await missingMigrations(dataSource);
  if (missing.length > 0) {
    findings.fail(`${missing.length} of ${neededMigrations.length} are missing: npm run migrate`);
    return findings.list;
  }
  findings.ok(`all ${neededMigrations.length} are there`);
  const [newer]: { name: string }[] = await dataSource.query(
    'select name from migrations where name <> all ($1) order by timestamp limit 1',
    [neededMigrations],
  );
  if (newer) findings.warn(`the database has been migrated by a newer version: ${newer.name}`);
  const [partitions]: { ready: boolean }[] = await dataSource.query(
    `select to_regclass('messages_' || to_char(now() at time zone 'UTC' + interval '1 month',
       'YYYY_MM')) is not null as ready`,
  );
  if (!partitions?.ready) {
    findings.fail('the partitions of next month are missing: does a worker run?');
  }
  return findings.list;
}

/** At least one user can sign in. */
export async function checkOperator(dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('operator');
  const [row]: { count: number }[] = await dataSource.query(
    `select count(*)::int as count from users where role = 'operator' and active and password_hash is not null`,
  );
  if (row?.count) findings.ok(`${row.count} can sign in`);
  else
    findings.fail('no user can sign in: run npm run migrate with ADMIN_EMAIL and ADMIN_PASSWORD');
  return findings.list;
}

/** Signatures, sessions and retries depend on the clocks of all machines; leases only on the database's. */
export async function checkClock(dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('clock');
  const before = Date.now();
  const [row]: { now_ms: number }[] = await dataSource.query(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  );
  const local = (before + Date.now()) / 2;
  const offMs = Math.round((row?.now_ms ?? Number.NaN) - local);
  const text = `this machine and the database are ${Math.abs(offMs)} ms apart`;
  if (Math.abs(offMs) > 30_000) findings.fail(`${text}: synchronise both with NTP`);
  else if (Math.abs(offMs) > 1_000) findings.warn(`${text}: synchronise both with NTP`);
  else findings.ok(text);
  return findings.list;
}
