import 'reflect-metadata';
import { createPostgresBackend, Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { Config, ConfigError } from './config/config.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { migrations } from './database/migrations/index.js';
import { findOlderTables } from './database/older-tables.js';
import { entities } from './entities.js';
import { queueNames } from './hints/queue-names.js';
import { createLogger } from './logging/logger.js';
import { start } from './process.js';
import { ensureFirstOperator } from './users/first-operator.js';

/** The running migration holds this lock; a second `npm run migrate` waits for the first. */
const migrationLock = [7241, 2];

start(async () => {
  const config = new Config(process.env);
  const logger = createLogger('migrate', config.logLevel);
  const options = dataSourceOptions(config.databaseUrl, entities);
  // A migration may have to read whole tables.
  const patience = { statement_timeout: 0, query_timeout: 0 };
  const extra = { ...options.extra, ...patience, application_name: 'parley migrate' };
  const dataSource = new DataSource({ ...options, extra, migrations });
  await dataSource.initialize();
  const runner = dataSource.createQueryRunner();
  await runner.query('select pg_advisory_lock($1, $2)', migrationLock);
  try {
    const olderTables = await findOlderTables(dataSource);
    if (olderTables) throw new ConfigError(olderTables);
    const done = await dataSource.runMigrations({ transaction: 'each' });
    for (const { name } of done) logger.info({ migration: name }, 'migrated');
    await migrateQueue(config.databaseUrl);
    await ensureFirstOperator(dataSource, config.firstOperator, logger);
    logger.info('the database is up to date');
  } finally {
    await runner.query('select pg_advisory_unlock($1, $2)', migrationLock);
    await runner.release();
    await dataSource.destroy();
  }
});

/** BullMQ's own tables, which it uses when there is no Redis. */
async function migrateQueue(databaseUrl: string): Promise<void> {
  const queue = new Queue(
    queueNames.sends,
    { connection: { connectionString: databaseUrl, max: 2, migrate: true } },
    createPostgresBackend,
  );
  await queue.waitUntilReady();
  await queue.close();
}
