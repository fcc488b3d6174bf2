import type { DataSource } from 'typeorm';
import { missingMigrations, neededMigrations } from '../database/migrations/missing.js';
import { findOlderTables } from '../database/opening/older-tables.js';
import { shortName } from '../database/opening/server-version.js';
import * as sql from './database-checks.statements.js';
import { type Finding, Findings } from './finding.js';

/** The server, its durability and its room. The connection is open. */
export async function checkDatabase(dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('database');
  const startedAt = performance.now();
  const server = await sql.readServerState.row(dataSource);
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
  const newer = await sql.findNewerMigration.row(dataSource, { known: neededMigrations });
  if (newer) findings.warn(`the database has been migrated by a newer version: ${newer.name}`);
  const partitions = await sql.findNextPartition.row(dataSource);
  if (!partitions?.ready) {
    findings.fail('the partitions of next month are missing: does a worker run?');
  }
  return findings.list;
}

/** At least one user can sign in. */
export async function checkOperator(dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('operator');
  const row = await sql.countOperators.row(dataSource);
  if (row?.count) findings.ok(`${row.count} can sign in`);
  else
    findings.fail('no user can sign in: run npm run migrate with ADMIN_EMAIL and ADMIN_PASSWORD');
  return findings.list;
}

/** Signatures, sessions and retries depend on the clocks of all machines; leases only on the database's. */
export async function checkClock(dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('clock');
  const before = Date.now();
  const row = await sql.readClock.row(dataSource);
  const local = (before + Date.now()) / 2;
  const offMs = Math.round((row?.now_ms ?? Number.NaN) - local);
  const text = `this machine and the database are ${Math.abs(offMs)} ms apart`;
  if (Math.abs(offMs) > 30_000) findings.fail(`${text}: synchronise both with NTP`);
  else if (Math.abs(offMs) > 1_000) findings.warn(`${text}: synchronise both with NTP`);
  else findings.ok(text);
  return findings.list;
}
