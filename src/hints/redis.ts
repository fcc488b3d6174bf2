import { Redis, type RedisOptions, SentinelConnector } from 'ioredis';
import type { Logger } from 'pino';
import { readSentinelAddress } from '../config/redis-address.js';

/** A sentinel, or a Redis that one has named, that is silent for so long is gone: the next one is asked. */
const sentinelPatienceMs = 2_000;

/**
 * Longer than BullMQ waits for a job. A connection that was opened to the old master while the sentinels changed
 * their minds hears of no change, and ends by this.
 */
const answerPatienceMs = 15_000;

/**
 * ioredis keeps listening for a new master while it looks for one. News that came then would end the
 * connection for good, so this one stops listening first.
 */
class MasterFinder extends SentinelConnector {
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0]);
  }

  override connect(...values: Parameters<SentinelConnector['connect']>) {
    const { failoverDetector } = this as unknown as { failoverDetector?: { cleanup(): void } };
    failoverDetector?.cleanup();
    return super.connect(...values);
  }
}

/** Where every connection leads, as BullMQ takes it: `url` alone, or what ioredis needs to ask Sentinel. */
export function redisOptions(url: string): RedisOptions & { readonly url?: string } {
  const address = readSentinelAddress(url);
  if (!address) return { url };
  const { isEncrypted, ...named } = address;
  return {
    ...named,
    ...(isEncrypted && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    connectTimeout: sentinelPatienceMs,
    sentinelCommandTimeout: sentinelPatienceMs,
    socketTimeout: answerPatienceMs,
    // A machine that is gone closes no connection: without this, one to the old master would stay.
    failoverDetector: true,
    Connector: MasterFinder,
    reconnectOnError: (error) => error.message.includes('READONLY'),
  };
}

function openRedis(url: string, options: RedisOptions): Redis {
  const { url: plain, ...sentinel } = redisOptions(url);
  return plain ? new Redis(plain, options) : new Redis({ ...sentinel, ...options });
}

/**
 * A connection for what must not make a caller wait: commands fail at once while Redis is away, and
 * after `commandTimeout` when it is silent. It reconnects by itself.
 */
export function connectRedis(url: string, logger: Logger, options: RedisOptions = {}): Redis {
  const redis = openRedis(url, {
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

/** A connection, not yet open, for one command. It does not reconnect. */
export function askRedis(url: string, patienceMs: number): Redis {
  return openRedis(url, {
    lazyConnect: true,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    failoverDetector: false,
  });
}
