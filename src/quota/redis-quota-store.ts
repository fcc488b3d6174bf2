import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { dayMs } from '#libs/durations';
import type { DayUsed } from '../errors/daily-limit.js';
import { connectRedis } from '../hints/redis.js';
import type { PostgresQuotaStore } from './postgres-quota-store.js';
import {
  type DayAnswer,
  type DayRequest,
  type MinuteUnits,
  type QuotaAnswer,
  type QuotaRequest,
  QuotaStore,
} from './quota-store.js';
import * as sql from './redis-quota-store.statements.js';

/** How long a copy of a version in Redis is valid. */
const versionTtlSeconds = 60;

/** A person is waiting, so a Redis that is silent for longer counts as away. */
const publishPatienceMs = 2_000;

/**
 * ARGV: for each key its id, account id, minute limit, day limit, count. Both windows are read by Redis's
 * own clock, and the minute is taken. A copy of the day that is not there is reported (-1) and nothing
 * is taken: the caller copies it from PostgreSQL and asks again. A server that has taken the place of another
 * may have missed a version that its predecessor got, so it forgets all of them first.
 */
const takeScript = `
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  local minute = math.floor(now / 60000)
  local day = math.floor(now / 86400000)
  local answers = {now}
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  if redis.call('GET', 'parley:run') ~= run then
    for _, key in ipairs(redis.call('KEYS', 'parley:version:*')) do redis.call('DEL', key) end
    redis.call('SET', 'parley:run', run)
  end
  for i = 1, #ARGV, 5 do
    local minute_key = 'parley:quota:' .. ARGV[i] .. ':m:' .. minute
    local day_key = 'parley:quota:' .. ARGV[i] .. ':d:' .. day
    local day_used = tonumber(redis.call('GET', day_key) or -1)
    local version = redis.call('GET', 'parley:version:' .. ARGV[i + 1])
    if day_used < 0 or not version then
      answers[#answers + 1] = {-1, day_used, 0, version or '-1'}
    else
      local minute_used = tonumber(redis.call('GET', minute_key) or 0)
      local free = math.min(tonumber(ARGV[i + 4]), tonumber(ARGV[i + 2]) - minute_used)
      if free < 0 or day_used >= tonumber(ARGV[i + 3]) then free = 0 end
      if free > 0 then
        redis.call('SET', minute_key, minute_used + free, 'PXAT', (minute + 2) * 60000)
      end
      answers[#answers + 1] = {free, minute_used + free, day_used, version}
    end
  end
  return answers`;

/** Raises the copy of a version, never lowers it. KEYS: the copy. ARGV: version, seconds to live. */
const raiseScript = `
  local known = tonumber(redis.call('GET', KEYS[1]) or -1)
  local version = math.max(known, tonumber(ARGV[1]))
  redis.call('SET', KEYS[1], string.format('%.0f', version), 'EX', ARGV[2])
  return version`;

/** Raises the copies of days, never lowers one. ARGV: for each its key's id, the day, the units used. */
const raiseDaysScript = `
  for i = 1, #ARGV, 3 do
    local key = 'parley:quota:' .. ARGV[i] .. ':d:' .. ARGV[i + 1]
    if tonumber(ARGV[i + 2]) > tonumber(redis.call('GET', key) or -1) then
      redis.call('SET', key, ARGV[i + 2], 'PXAT', (tonumber(ARGV[i + 1]) + 2) * 86400000)
    end
  end`;

/** ARGV: for each key its id, the minute, the units that come back. */
const giveBackScript = `
  for i = 1, #ARGV, 3 do
    local key = 'parley:quota:' .. ARGV[i] .. ':m:' .. ARGV[i + 1]
    local used = tonumber(redis.call('GET', key) or 0)
    if used > 0 then
      redis.call('SET', key, math.max(0, used - tonumber(ARGV[i + 2])), 'KEEPTTL')
    end
  end`;

interface QuotaRedis extends Redis {
  takeQuota(
    ...values: (string | number)[]
  ): Promise<[number, ...[number, number, number, string][]]>;
  raiseVersion(key: string, version: number, seconds: number): Promise<number>;
  raiseDays(...values: (string | number)[]): Promise<null>;
  giveBackMinute(...values: (string | number)[]): Promise<null>;
}

/**
 * Counts minutes in Redis, with one script for each group, and keeps copies of PostgreSQL's days and versions.
 * Everything here may be lost: copies are read again from PostgreSQL, and `fallback` replaces a Redis that is
 * away until it answers again.
 */
export class RedisQuotaStore extends QuotaStore {
  private readonly redis: QuotaRedis;
  private silentUntil = 0;

  constructor(
    url: string,
    private readonly dataSource: DataSource,
    private readonly fallback: PostgresQuotaStore,
    /** A Redis that is silent for this long is asked no further for a second. */
    private readonly patienceMs: number,
    private readonly logger: Logger,
  ) {
    super();
    const redis = connectRedis(url, logger, { commandTimeout: undefined });
    redis.defineCommand('takeQuota', { numberOfKeys: 0, lua: takeScript });
    redis.defineCommand('raiseVersion', { numberOfKeys: 1, lua: raiseScript });
    redis.defineCommand('raiseDays', { numberOfKeys: 0, lua: raiseDaysScript });
    redis.defineCommand('giveBackMinute', { numberOfKeys: 0, lua: giveBackScript });
    this.redis = redis as QuotaRedis;
  }

  async takeUnits(requests: readonly QuotaRequest[]): Promise<QuotaAnswer[]> {
    if (performance.now() < this.silentUntil) return this.fallback.takeUnits(requests);
    try {
      return await withPatience(this.takeFromRedis(requests), this.patienceMs);
    } catch (error) {
      if (this.redis.status === 'ready') {
        this.logger.warn({ err: error }, 'Redis is silent; PostgreSQL counts for a second');
        this.silentUntil = performance.now() + 1_000;
      }
      return this.fallback.takeUnits(requests);
    }
  }

  async giveBackMinute(units: readonly MinuteUnits[]): Promise<void> {
    try {
      await this.redis.giveBackMinute(
        ...units.flatMap(({ apiKeyId, minute, count }) => [apiKeyId, minute, count]),
      );
    } catch {
      await this.fallback.giveBackMinute(units);
    }
  }

  async takeDay(requests: readonly DayRequest[]): Promise<DayAnswer[]> {
    const days = await this.fallback.takeDay(requests);
    void this.publishDays(
      new Map(days.map((day, index) => [requests[index]?.apiKeyId ?? '', day])),
    );
    return days;
  }

  /** If a copy is too low, a request passes the guard and is refused later; the next update raises the copy. */
  async publishDays(days: ReadonlyMap<string, DayUsed>): Promise<void> {
    if (performance.now() < this.silentUntil) return;
    try {
      await this.redis.raiseDays(...[...days].flatMap(([id, { day, used }]) => [id, day, used]));
    } catch (error) {
      this.logger.debug({ err: error }, 'could not copy the days to Redis');
    }
  }

  async checkPublishing(): Promise<void> {
    await withPatience(this.redis.ping(), publishPatienceMs);
  }

  async publishVersion(accountId: string, version: number): Promise<void> {
    await withPatience(
      this.redis.raiseVersion(`parley:version:${accountId}`, version, versionTtlSeconds),
      publishPatienceMs,
    );
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }

  /** Asks again for keys whose copies from PostgreSQL were not there. */
  private async takeFromRedis(requests: readonly QuotaRequest[]): Promise<QuotaAnswer[]> {
    const answers = new Map<QuotaRequest, QuotaAnswer>();
    for (let round = 0; round < 3; round += 1) {
      const asked = requests.filter((request) => !answers.has(request));
      const [nowMs, ...rows] = await this.redis.takeQuota(
        ...asked.flatMap((one) => [
          one.apiKeyId,
          one.accountId,
          one.minuteLimit,
          one.dayLimit,
          one.count,
        ]),
      );
      for (const [index, request] of asked.entries()) {
        const [granted, minuteUsed, dayUsed, version] = rows[index] ?? [-1, 0, 0, ''];
        const accountVersion = Number(version);
        if (granted === -1) await this.bring(request, nowMs);
        else answers.set(request, { granted, minuteUsed, dayUsed, accountVersion, nowMs });
      }
      if (answers.size === requests.length)
        return requests.flatMap((one) => answers.get(one) ?? []);
    }
    throw new Error('Redis lost its counters while they were being brought');
  }

  /** Copies the day's count and the account's version from PostgreSQL to Redis. */
  private async bring(request: QuotaRequest, nowMs: number): Promise<void> {
    const day = Math.floor(nowMs / dayMs);
    const row = await sql.findDayAndVersion.row(this.dataSource, {
      apiKeyId: request.apiKeyId,
      accountId: request.accountId,
      day,
    });
    await this.redis.raiseDays(request.apiKeyId, day, row?.used ?? 0);
    await this.publishVersion(request.accountId, Number(row?.version ?? 0));
  }
}

/**
 * Waits for Redis up to a limit. When the timer fires, answers that have arrived meanwhile are read first:
 * a process that was itself busy for that long must not conclude that Redis is silent.
 */
function withPatience<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(() => setImmediate(() => reject(new Error(`no answer in ${patienceMs} ms`))));
    }, patienceMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
