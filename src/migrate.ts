import 'reflect-metadata';
import { createPostgresBackend, Queue } from 'bullmq';
import { Config, ConfigError } from './config/config.js';
import { migrations } from './database/migrations/index.js';
import { alone, migrationSource, runMigrations } from './database/migrations/run.js';
import { findOlderTables } from './database/opening/older-tables.js';
import { openDatabase } from './database/opening/open-database.js';
import { entities } from './entities.js';
import { queueNames } from './hints/queue-names.js';
import { createLogger } from './logging/logger.js';
import { start } from './process.js';
import { ensureFirstOperator } from './users/first-operator.js';

start(async () => {
  const config = new Config(process.env);
  const logger = createLogger('migrate', config.logLevel);
  const dataSource = await openDatabase(migrationSource(config.databaseUrl, entities, migrations));
  try {
    await alone(dataSource, logger, async () => {
      const olderTables = await findOlderTables(dataSource);
      if (olderTables) throw new ConfigError(olderTables);
      // First, because processes that wait begin as soon as our migrations are there.
      await migrateQueue(config.databaseUrl);
      await runMigrations(dataSource, logger);
      await ensureFirstOperator(dataSource, config.firstOperator, logger);
      logger.info('the database is up to date');
    });
  } finally {
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
