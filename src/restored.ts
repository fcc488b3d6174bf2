import 'reflect-metadata';
import { resolve } from 'node:path';
import { DataSource } from 'typeorm';
import { Config, ConfigError } from './config/config.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { beginHistoryAnew } from './database/history/database-history.js';
import { migrations } from './database/migrations/index.js';
import { openDatabase } from './database/opening/open-database.js';
import { checkMigrations } from './doctor/database-checks.js';
import { entities } from './entities.js';
import { forgetAllHeard } from './notifications/last-notifications.js';
import { start } from './process.js';
import { heldText, holdRestored } from './sending/restored-database.js';
import { onOwnDatabase } from './start/postgres/own-database.js';

/**
 * npm run restored: tells Parley that its database is a copy, before anything starts on it. Parley notices a restored
 * dump by itself, but not a snapshot of the disk, nor a copied DATA_DIR.
 */
start(async () => {
  if (process.env.DATABASE_URL) await holdAll(new Config(process.env).databaseUrl);
  else
    await onOwnDatabase(
      resolve(process.env.DATA_DIR || '.parley'),
      { whileParleyRuns: false },
      holdAll,
    );
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
      `${heldText(held ?? { messages: 0, campaigns: 0 })}: they may have been sent since the copy was made. ` +
        'Resume or cancel the campaigns, and resend messages, in the dashboard.\n',
    );
  } finally {
    await dataSource.destroy();
  }
}
