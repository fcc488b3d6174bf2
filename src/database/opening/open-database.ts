import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type Config, ConfigError } from '../../config/config.js';
import { dataSourceOptions } from '../data-source-options.js';
import { isStoreUnavailable } from '../store-errors.js';
import { NoDatabaseError, noDatabase } from './database-mistakes.js';
import * as sql from './open-database.statements.js';
import { tooOldServer } from './server-version.js';

/** PostgreSQL may start a moment after us. After these tries the process ends, and its supervisor starts it again. */
const tries = 10;
const pauseMs = 1_000;

/**
 * Opens the connections of a program.
 * @throws ConfigError where no connection comes about, and where the server is too old for our statements.
 */
export async function openDatabase(dataSource: DataSource): Promise<DataSource> {
  await dataSource.initialize().catch((error: unknown) => {
    const { url } = dataSource.options as { url?: string };
    throw (url !== undefined && noDatabase(error, url)) || error;
  });
  try {
    const server = await sql.readServerVersion.row(dataSource);
    const problem = server && tooOldServer(server);
    if (problem) throw new ConfigError(problem);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/**
 * Opens a few connections for the start of a process, and waits for a server that is not there yet.
 * @throws ConfigError as `openDatabase`: at once where waiting does not help.
 */
export async function awaitDatabase(config: Config, logger: Logger): Promise<DataSource> {
  const options = dataSourceOptions(config.databaseUrl);
  for (let left = tries - 1; ; left -= 1) {
    const dataSource = new DataSource({ ...options, extra: { ...options.extra, max: 2 } });
    try {
      return await openDatabase(dataSource);
    } catch (error) {
      const mayHeal = error instanceof NoDatabaseError ? error.mayHeal : isStoreUnavailable(error);
      if (!mayHeal || left === 0) throw error;
      if (left === tries - 1) {
        logger.warn({ err: error }, 'the database cannot be reached; trying again');
      }
      await pause(pauseMs);
    }
  }
}
