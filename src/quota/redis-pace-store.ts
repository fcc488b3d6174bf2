import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { connectRedis } from '../hints/redis.js';
import { type PaceAnswer, type PaceRequest, PaceStore, paceBurst } from './pace-store.js';

/** KEYS: the bucket. ARGV: tokens a second, the most tokens, tokens wanted. By Redis's own clock. */
const takeScript = `
  local time = redis.call('TIME')
  local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
  local per_second, burst, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local known = redis.call('HMGET', KEYS[1], 'tokens', 'at')
  local tokens = burst
  if known[1] then
    tokens = math.min(burst, tonumber(known[1]) + per_second * math.max(0, now - tonumber(known[2])))
  end
  local granted = math.min(wanted, math.floor(tokens))
  tokens = math.min(burst, tokens - granted)
  redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.6f', now))
  redis.call('EXPIRE', KEYS[1], 60)
  local wait = 0
  if tokens < 1 then wait = math.ceil((1 - tokens) / per_second * 1000) end
  return {granted, wait}`;

interface PaceRedis extends Redis {
  takePace(key: string, perSecond: number, burst: number, count: number): Promise<[number, number]>;
}

/** Buckets in Redis. While it is away, or silent for half a second, `fallback` has others. */
export class RedisPaceStore extends PaceStore {
  private readonly redis: PaceRedis;

  constructor(
    url: string,
    private readonly fallback: PaceStore,
    logger: Logger,
  ) {
    super();
    const redis = connectRedis(url, logger);
    redis.defineCommand('takePace', { numberOfKeys: 1, lua: takeScript });
    this.redis = redis as PaceRedis;
  }

  async takeTokens(request: PaceRequest): Promise<PaceAnswer> {
    const { accountId, perSecond, count } = request;
    try {
      const key = `parley:pace:${accountId}`;
      const burst = paceBurst(perSecond);
      const [granted, waitMs] = await this.redis.takePace(key, perSecond, burst, count);
      return { granted, waitMs };
    } catch {
      return this.fallback.takeTokens(request);
    }
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }
}
