import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { Config } from '../config/config.js';
import { connectRedis } from '../hints/redis.js';
import { LOGGER } from '../logging/logging.module.js';

/** Redis as readiness shows it: `off` where the configuration names none. */
export type RedisState = 'up' | 'degraded' | 'off';

/** Looks after Redis for the health routes. */
@Injectable()
export class RedisHealth implements OnApplicationShutdown {
  private readonly redis: Redis | null;

  constructor(config: Config, @Inject(LOGGER) logger: Logger) {
    this.redis = config.redisUrl === null ? null : connectRedis(config.redisUrl, logger);
  }

  async state(): Promise<RedisState> {
    if (!this.redis) return 'off';
    const answer = await this.redis.ping().catch(() => null);
    return answer === 'PONG' ? 'up' : 'degraded';
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
