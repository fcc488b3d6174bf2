import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config/config.js';
import { askRedis } from './redis.js';

/** How long a start may wait for Redis; one that is away is no reason not to start. */
const patienceMs = 2_000;

/**
 * Refuses a Redis that throws keys away when its memory is full: queues and counts would be gone at
 * the worst moment. BullMQ asks for the same: `maxmemory-policy noeviction`.
 * @throws ConfigError naming what to change.
 */
export async function refuseEvictingRedis(config: Config, logger: Logger): Promise<void> {
  if (config.redisUrl === null) return;
  const redis = askRedis(config.redisUrl, patienceMs);
  // Without a listener the event would end the process; the calls below report the error.
  redis.on('error', () => undefined);
  let policy: string | undefined;
  let memory: string | undefined;
  try {
    await redis.connect();
    [, policy] = (await redis.config('GET', 'maxmemory-policy')) as string[];
    [, memory] = (await redis.config('GET', 'maxmemory')) as string[];
  } catch (error) {
    logger.warn(
      { err: error },
      'could not ask Redis for its maxmemory-policy; make sure that it is noeviction',
    );
    return;
  } finally {
    redis.disconnect();
  }
  if (memory === '0' || policy === 'noeviction') return;
  throw new ConfigError(
    `REDIS_URL names a Redis that evicts keys when its memory (maxmemory ${memory}) is full: ` +
      `its maxmemory-policy is ${policy}; set it to noeviction`,
  );
}
