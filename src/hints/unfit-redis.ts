import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config/config.js';
import { askRedis } from './redis.js';
import { noTls, redisMistake } from './redis-mistakes.js';

/** How long a start may wait for Redis; one that is away is no reason not to start. */
const patienceMs = 2_000;

/** What to do about a Redis Cluster. */
export const clusterAdvice =
  'Parley needs one Redis server, or one with replicas behind Sentinel, because its scripts use several keys at once';

/**
 * Refuses a `REDIS_URL` that cannot work, and a Redis that cannot: a cluster, and one that throws keys away when its
 * memory is full. Queues and counts would be gone at the worst moment. BullMQ asks for the same: `maxmemory-policy
 * noeviction`.
 * @throws ConfigError naming what to change.
 */
export async function refuseUnfitRedis(config: Config, logger: Logger): Promise<void> {
  if (config.redisUrl === null) return;
  const redis = askRedis(config.redisUrl, patienceMs);
  let cause: unknown;
  // The calls below report only that there is no connection.
  redis.on('error', (error: unknown) => {
    cause = error;
  });
  let policy: string | undefined;
  let memory: string | undefined;
  let isCluster = false;
  try {
    await redis.connect();
    isCluster = await redis.info('cluster').then(
      (info) => info.includes('cluster_enabled:1'),
      // Where INFO is forbidden, the policy may still be asked for.
      () => false,
    );
    [, policy] = (await redis.config('GET', 'maxmemory-policy')) as string[];
    [, memory] = (await redis.config('GET', 'maxmemory')) as string[];
  } catch (error) {
    cause ??= error;
  } finally {
    redis.disconnect();
  }
  const mistake = redisMistake(cause, config.redisUrl);
  if (mistake) throw mistake;
  if (isCluster) {
    throw new ConfigError(`REDIS_URL names a Redis Cluster: ${clusterAdvice}`);
  }
  if (memory === undefined) {
    if (await speaksNoTls(config.redisUrl)) throw noTls(config.redisUrl);
    logger.warn(
      { err: cause },
      'could not ask Redis for its maxmemory-policy; make sure that it is noeviction',
    );
    return;
  }
  if (memory === '0' || policy === 'noeviction') return;
  throw new ConfigError(
    `REDIS_URL names a Redis that evicts keys when its memory (maxmemory ${memory}) is full: ` +
      `its maxmemory-policy is ${policy}; set it to noeviction`,
  );
}

/** Whether a Redis that was asked for TLS and is silent answers without it. */
async function speaksNoTls(redisUrl: string): Promise<boolean> {
  if (!redisUrl.startsWith('rediss:')) return false;
  const redis = askRedis(redisUrl.replace('rediss:', 'redis:'), patienceMs);
  let answer = '';
  redis.on('error', ({ message }: Error) => {
    answer = message;
  });
  try {
    await redis.connect();
    answer = await redis.ping();
  } catch {
    // What it said is in the event.
  } finally {
    redis.disconnect();
  }
  return /^(PONG|NOAUTH|WRONGPASS|NOPERM)/.test(answer);
}
