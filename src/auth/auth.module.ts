import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { Config } from '../config/config.js';
import { connectRedis } from '../hints/redis.js';
import { IdempotentReplays } from '../idempotency/idempotent-replays.js';
import { LOGGER } from '../logging/logging.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { PostgresReplayMarks, RedisReplayMarks, ReplayMarks } from './replay-marks.js';
import { RequestAccounting } from './request-accounting.js';
import { RouteAccessCheck } from './route-access.check.js';
import { SignatureCheck } from './signature-check.js';
import { UnknownKeyLimits } from './unknown-key-limits.js';

/** Guards every route of the process. */
@Module({
  imports: [ApiKeysModule, QuotaModule, DiscoveryModule],
  providers: [
    RouteAccessCheck,
    RequestAccounting,
    SignatureCheck,
    IdempotentReplays,
    UnknownKeyLimits,
    {
      provide: ReplayMarks,
      inject: [Config, DataSource, LOGGER],
      useFactory: (config: Config, dataSource: DataSource, logger: Logger) =>
        config.redisUrl === null
          ? new PostgresReplayMarks(dataSource, logger)
          : new RedisReplayMarks(connectRedis(config.redisUrl, logger), dataSource, logger),
    },
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
})
export class AuthModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(private readonly marks: ReplayMarks) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.marks.open();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.marks.close();
  }
}
