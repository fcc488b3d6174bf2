import { Injectable } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { DataSource } from 'typeorm';
import { Lifecycle } from '../http/server/lifecycle.js';
import { RedisHealth } from './redis-health.js';

/** How long the database may take to answer a ping. */
const pingTimeoutMs = 1_000;

/** The state of a process and of what it needs. */
export interface Readiness {
  readonly isReady: boolean;
  /** `up`, `down`, `degraded` or `off` for each dependency. */
  readonly checks: Record<string, string>;
}

/** Whether a process can do its work. */
@Injectable()
export class HealthService {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly dataSource: DataSource,
    private readonly redis: RedisHealth,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * @param needsRedis the worker cannot take hints without Redis; the API works on without it.
   */
  async readiness(needsRedis: boolean): Promise<Readiness> {
    const redis = await this.redis.state();
    const isRedisFine = redis !== 'degraded' || !needsRedis;
    const isDatabaseUp = await this.isDatabaseUp();
    const check = (name: string, isUp: boolean) => () => {
      const indicator = this.indicators.check(name);
      return isUp ? indicator.up() : indicator.down();
    };
    const isReady = await this.health
      .check([
        check('process', !this.lifecycle.isStopping),
        check('database', isDatabaseUp),
        check('redis', isRedisFine),
      ])
      .then(({ status }) => status === 'ok')
      .catch(() => false);
    return {
      isReady,
      checks: {
        process: this.lifecycle.isStopping ? 'stopping' : 'up',
        database: isDatabaseUp ? 'up' : 'down',
        redis,
      },
    };
  }

  /** The database answers, and its tables are there. */
  private async isDatabaseUp(): Promise<boolean> {
    try {
      const ping = this.dataSource.query('select 1 from messages limit 0');
      await Promise.race([
        ping,
        new Promise((_, reject) => {
          setTimeout(() => reject(new Error('the database is silent')), pingTimeoutMs).unref();
        }),
      ]);
      return true;
    } catch {
      return false;
    }
  }
}
