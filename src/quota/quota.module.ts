import { Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { HotStatements } from '../database/hot-statements.js';
import { LOGGER } from '../logging/logging.module.js';
import { PaceStore } from './pace-store.js';
import { PostgresPaceStore } from './postgres-pace-store.js';
import { PostgresQuotaStore } from './postgres-quota-store.js';
import { QuotaService } from './quota.service.js';
import { QuotaStore } from './quota-store.js';
import { RedisPaceStore } from './redis-pace-store.js';
import { RedisQuotaStore } from './redis-quota-store.js';
import { UsageCounter } from './usage-counter.js';

/** Quotas, paces and versions, on the store that the configuration names. */
@Module({
  providers: [
    {
      provide: QuotaStore,
      inject: [Config, DataSource, HotStatements, LOGGER],
      useFactory: (
        config: Config,
        dataSource: DataSource,
        statements: HotStatements,
        logger: Logger,
      ) => {
        const inPostgres = new PostgresQuotaStore(dataSource, statements);
        return config.redisUrl === null
          ? inPostgres
          : new RedisQuotaStore(
              config.redisUrl,
              dataSource,
              inPostgres,
              config.redisPatienceMs,
              logger,
            );
      },
    },
    {
      provide: PaceStore,
      inject: [Config, DataSource, LOGGER],
      useFactory: (config: Config, dataSource: DataSource, logger: Logger) => {
        const inPostgres = new PostgresPaceStore(dataSource);
        return config.redisUrl === null
          ? inPostgres
          : new RedisPaceStore(config.redisUrl, inPostgres, logger);
      },
    },
    QuotaService,
    UsageCounter,
  ],
  exports: [QuotaService, UsageCounter, QuotaStore, PaceStore],
})
export class QuotaModule {}
