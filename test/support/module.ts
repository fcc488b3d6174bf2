import type { ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { Config } from '../../src/config/config.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { entities } from '../../src/entities.js';
import { LoggingModule } from '../../src/logging/logging.module.js';
import { MetricsModule } from '../../src/metrics/metrics.module.js';
import { SecretsModule } from '../../src/secrets/secrets.module.js';
import { installation } from './installation.js';

/** What the modules under test need. */
export interface ModuleOptions extends ModuleMetadata {
  readonly databaseUrl: string;
  readonly redisUrl?: string | null;
  /** @default 2_000 */
  readonly sendWaitMs?: number;
  /** Further settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Some of the product's modules on real stores, as one process of its own. */
export async function openModule(options: ModuleOptions): Promise<TestingModule> {
  const { databaseUrl, redisUrl, sendWaitMs = 2_000, imports = [], ...metadata } = options;
  const { environment: more, ...providers } = metadata;
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: installation.secretKey,
    SEND_WAIT_MS: String(sendWaitMs),
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ...more,
  };
  const testingModule = await Test.createTestingModule({
    ...providers,
    imports: [
      ConfigModule.forProcess(new Config(environment)),
      LoggingModule.forProcess(pino({ level: process.env.TEST_LOG ?? 'silent' })),
      MetricsModule,
      SecretsModule,
      DatabaseModule.withEntities(entities),
      ...imports,
    ],
  }).compile();
  await connectPool(testingModule.get(DataSource));
  return testingModule.init();
}

/**
 * Opens all connections, one after another. A test that needs many at once would open them all in one moment, which
 * may take longer than callers wait for one where the machine is busy.
 */
async function connectPool(dataSource: DataSource): Promise<void> {
  const pool = (dataSource.driver as unknown as { master: Pool }).master;
  const clients = [];
  while (clients.length < pool.options.max) clients.push(await pool.connect());
  for (const client of clients) client.release();
}
