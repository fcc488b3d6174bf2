import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DataSource, type MixedList } from 'typeorm';
import { dataSourceOptions, type EntityClass } from '../data-source-options.js';

/** The running migration holds this lock; a second `npm run migrate` waits for the first. */
const migrationLock = [7241, 2];

/** A migration waits no longer for a lock on a table: all later statements on that table queue behind it. */
const lockWaitMs = 1_000;

/** The errors for a lock that did not come in time, and for a deadlock with the upkeep of partitions. */
const passing = ['55P03', '40P01'];

/** How migrations connect. */
export function migrationSource(
  url: string,
  entities: readonly EntityClass[],
  migrations: MixedList<EntityClass>,
): DataSource {
  const options = dataSourceOptions(url, entities);
  // A migration may have to read whole tables.
  const patience = { statement_timeout: 0, query_timeout: 0, lock_timeout: lockWaitMs };
  const extra = { ...options.extra, ...patience, application_name: 'parley migrate' };
  // Our log says what fails. TypeORM's own would print it a second time, in another form.
  return new DataSource({ ...options, extra, migrations, logger: 'debug' });
}

/** Runs the migrations that are missing. Where a lock is not to be had, it makes room and tries again. */
export async function runMigrations(
  dataSource: DataSource,
  logger: Pick<Logger, 'info' | 'warn'>,
  { tries = 30, pauseMs = 1_000 } = {},
): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      const done = await dataSource.runMigrations({ transaction: 'each' });
      for (const { name } of done) logger.info({ migration: name }, 'migrated');
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (!code || !passing.includes(code)) throw error;
      const blockers = await longTransactions(dataSource);
      if (left === 0) {
        throw new Error(
          `A migration got no lock in ${tries} tries. What it had done is kept or undone, and Parley runs as before. ` +
            `Wait until these transactions have ended, or end them, and run the migration again: ${blockers}`,
          { cause: error },
        );
      }
      logger.warn({ err: error, blockers, left }, 'a lock is not to be had; trying again');
      await pause(pauseMs);
    }
  }
}

/** Holds the lock of migrations while `work` runs. */
export async function alone(
  dataSource: DataSource,
  logger: Pick<Logger, 'info'>,
  work: () => Promise<void>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    for (let isFirst = true; ; isFirst = false) {
      // Asking and not waiting: the build of an index waits for every statement that runs, also for one that waits.
      const [{ is_ours: isOurs }] = await runner.query(
        'select pg_try_advisory_lock($1, $2) as is_ours',
        migrationLock,
      );
      if (isOurs) break;
      if (isFirst) logger.info('another migration runs; waiting for its end');
      await pause(500);
    }
    await work();
  } finally {
    await runner.query('select pg_advisory_unlock_all()').catch(() => {});
    await runner.release();
  }
}

/** The transactions that have been open for longest, as someone who is to end them needs them. */
async function longTransactions(dataSource: DataSource): Promise<string> {
  const [row]: { blockers: string | null }[] = await dataSource.query(
    `select string_agg(format('pid %s (%s, since %s)', pid, application_name, xact_start), '; ') as blockers
     from (select * from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and xact_start < now() - interval '1 second'
       order by xact_start limit 5) oldest`,
  );
  return row?.blockers ?? 'none that is open for long';
}
