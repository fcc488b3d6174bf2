import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { DataSource } from 'typeorm';

/** What a counter says after an attempt, as `@nestjs/throttler` wants it; times in seconds. */
type CounterState = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Counts attempts in PostgreSQL, so that all processes share the counters. Every attempt costs a write, so
 * use it only for rare requests where guessing must be prevented, such as sign-ins.
 */
@Injectable()
export class AttemptCounters implements ThrottlerStorage {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Counts one attempt.
   * @param ttl the length of the window that the first attempt opens, in milliseconds.
   */
  async increment(key: string, ttl: number, limit: number): Promise<CounterState> {
    const [row]: { hits: number; seconds: number }[] = await this.dataSource.query(
      `insert into attempt_counters as c (key, hits, expires_at)
       values ($1, 1, now() + make_interval(secs => $2 / 1000.0))
       on conflict (key) do update set
         hits = case when c.expires_at <= now() then 1 else c.hits + 1 end,
         expires_at = case when c.expires_at <= now() then excluded.expires_at else c.expires_at end
       returning hits, ceil(extract(epoch from expires_at - now()))::int as seconds`,
      [key, ttl],
    );
    if (!row) throw new Error('the counter of attempts was not written');
    const isBlocked = row.hits > limit;
    return {
      totalHits: row.hits,
      timeToExpire: row.seconds,
      isBlocked,
      timeToBlockExpire: isBlocked ? row.seconds : 0,
    };
  }

  /** Removes attempts that turned out to be legitimate. */
  async giveBack(keys: readonly string[]): Promise<void> {
    await this.dataSource.query(
      'update attempt_counters set hits = hits - 1 where key = any ($1) and hits > 0',
      [keys],
    );
  }
}
