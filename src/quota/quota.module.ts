import { Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { HotStatements } from '../database/hot-statements.js';
import { LOGGER } from '../logging/logging.module.js';
import { NumberPaces } from './number-paces.js';
import { PostgresQuotaStore } from './postgres-quota-store.js';
import { QuotaService } from './quota.service.js';
import { QuotaStore } from './quota-store.js';
import { RedisQuotaStore } from './redis-quota-store.js';
import { UsageCounter } from './usage-counter.js';

/** Quotas and versions, on the store that the configuration names; the paces of numbers, in PostgreSQL. */
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
    NumberPaces,
    QuotaService,
    UsageCounter,
  ],
  exports: [NumberPaces, QuotaService, UsageCounter, QuotaStore],
})
export class QuotaModule {}
