import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { DatabaseClient } from './database-client.js';
import { SnakeCaseNaming } from './naming-strategy.js';

/** Connections that one process keeps; statements are grouped, so few carry much. */
const poolSize = 12;

/** The settings of every connection. */
export const poolOptions = {
  Client: DatabaseClient,
  // A dead server must become an error, not a wait: callers are waiting for an answer.
  connectionTimeoutMillis: 2_000,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
  // The server gives up first: then the outcome is known. If we gave up, the statement might still commit.
  statement_timeout: 10_000,
  query_timeout: 15_000,
  idle_in_transaction_session_timeout: 15_000,
};

export type EntityClass = new () => object;

/**
 * How every process and the migration command connect.
 * @param entities the tables that are read through TypeORM's repositories.
 */
export function dataSourceOptions(url: string, entities: readonly EntityClass[] = []) {
  return {
    type: 'postgres',
    // TypeORM would look for it in node_modules, and load it a second time or not at all.
    driver: pg,
    url,
    entities: [...entities],
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    extra: { ...poolOptions, max: poolSize, application_name: 'parley' },
  } satisfies DataSourceOptions;
}
