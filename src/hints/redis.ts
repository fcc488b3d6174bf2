import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';

/**
 * A connection for what must not make a caller wait: commands fail at once while Redis is away, and
 * after `commandTimeout` when it is silent. It reconnects by itself.
 */
export function connectRedis(url: string, logger: Logger, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 500,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
    ...options,
  });
  // Without a listener the event would end the process; the commands report the error to their callers.
  redis.on('error', (error) => logger.debug({ err: error }, 'Redis is away'));
  return redis;
}
