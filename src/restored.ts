import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DataSource } from 'typeorm';
import { Config, ConfigError } from './config/config.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { beginHistoryAnew } from './database/history/database-history.js';
import { migrations } from './database/migrations/index.js';
import { openDatabase } from './database/opening/open-database.js';
import { checkMigrations } from './doctor/database-checks.js';
import { entities } from './entities.js';
import { start } from './process.js';
import { holdRestored } from './sending/restored-database.js';
import { takeLock } from './start/lock.js';
import { launchPostgres } from './start/postgres/server.js';
import { loadSecrets } from './start/secrets.js';
import { forgetAllHeard } from './webhooks/notifications/last-notifications.js';

const stopWithinMs = 10_000;

/**
 * npm run restored: tells Parley that its database is a copy, before anything starts on it. Parley notices a restored
 * dump by itself, but not a snapshot of the disk, nor a copied DATA_DIR.
 */
start(async () => {
  if (process.env.DATABASE_URL) await holdAll(new Config(process.env).databaseUrl);
  else await onOwnPostgres(resolve(process.env.DATA_DIR || '.parley'), holdAll);
});

async function holdAll(databaseUrl: string): Promise<void> {
  const options = dataSourceOptions(databaseUrl, entities);
  const dataSource = await openDatabase(new DataSource({ ...options, migrations }));
  try {
    const missing = (await checkMigrations(dataSource)).find(({ verdict }) => verdict === 'fail');
    if (missing) throw new ConfigError(`The tables are not those of this version: ${missing.text}`);
    await dataSource.transaction(async (manager) => {
      await beginHistoryAnew(manager);
      await forgetAllHeard(manager);
    });
    const held = await holdRestored(dataSource);
    process.stdout.write(
      `${held?.messages ?? 0} messages are unconfirmed and ${held?.campaigns ?? 0} campaigns are paused: they may have ` +
        'been sent since the copy was made. Resume or cancel the campaigns, and resend messages, in the dashboard.\n',
    );
  } finally {
    await dataSource.destroy();
  }
}

/** The PostgreSQL of npm start, which runs only as long as Parley does. */
async function onOwnPostgres(
  folder: string,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  if (!existsSync(join(folder, 'postgres'))) {
    throw new ConfigError(
      `There is no database in ${folder}. Set DATABASE_URL to the restored database, or DATA_DIR to the copied folder.`,
    );
  }
  const lock = takeLock(join(folder, 'supervisor.lock'));
  if ('owner' in lock)
    throw new ConfigError(`Parley runs on ${folder} (pid ${lock.owner}). Stop it first.`);
  try {
    const password = loadSecrets(folder).postgres_password;
    const postgres = await launchPostgres({ directory: folder, password });
    try {
      await postgres.ready;
      await work(postgres.url);
    } finally {
      await postgres.stop({ withinMs: stopWithinMs });
    }
  } finally {
    lock.release();
  }
}
