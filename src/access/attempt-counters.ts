import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { DataSource } from 'typeorm';
import * as sql from './attempt-counters.statements.js';

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
    const row = await sql.countAttempt.row(this.dataSource, { key, ttl });
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
    await sql.giveBackAttempts.run(this.dataSource, { keys });
  }
}
