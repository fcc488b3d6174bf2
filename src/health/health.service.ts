import { Inject, Injectable } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { isDiskFull } from '../database/full-disk.js';
import { migrateHint, missingMigrations } from '../database/migrations/missing.js';
import { Lifecycle } from '../http/server/lifecycle.js';
import { HealthConnection } from './health-connection.js';
import { RedisHealth } from './redis-health.js';

/** How long the database may take to answer a ping. */
const pingTimeoutMs = 1_000;

/** The token for whether the process waits for migrations. */
export const waitsToken = Symbol('waits');

/** The state of a process and of what it needs. */
export interface Readiness {
  readonly isReady: boolean;
  /** `up`, `down`, `degraded`, `missing`, `disk_full` or `off` for each dependency, and what to do. */
  readonly checks: Record<string, string>;
}

/** Whether a process can do its work. */
@Injectable()
export class HealthService {
  /** As of the last answer of the database. */
  private isMigrated: boolean;

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly connection: HealthConnection,
    private readonly redis: RedisHealth,
    private readonly lifecycle: Lifecycle,
    @Inject(waitsToken) private readonly waits: boolean,
  ) {
    this.isMigrated = !waits;
  }

  /**
   * @param needsRedis the worker cannot take hints without Redis; the API works on without it.
   */
  async readiness(needsRedis: boolean): Promise<Readiness> {
    const redis = await this.redis.state();
    const isRedisFine = redis !== 'degraded' || !needsRedis;
    const answers = await this.databaseAnswers();
    const database = !answers ? 'down' : isDiskFull() ? 'disk_full' : 'up';
    const check = (name: string, isUp: boolean) => () => {
      const indicator = this.indicators.check(name);
      return isUp ? indicator.up() : indicator.down();
    };
    const isReady = await this.health
      .check([
        check('process', !this.lifecycle.isStopping),
        check('database', database === 'up'),
        check('redis', isRedisFine),
        check('migrations', this.isMigrated),
      ])
      .then(({ status }) => status === 'ok')
      .catch(() => false);
    return {
      isReady,
      checks: {
        process: this.lifecycle.isStopping ? 'stopping' : 'up',
        database,
        redis,
        migrations: this.isMigrated ? 'up' : 'missing',
        ...(!this.isMigrated && { hint: migrateHint }),
      },
    };
  }

  /** Whether the database answers. Notes whether it has the migrations. */
  private async databaseAnswers(): Promise<boolean> {
    try {
      const missing = await Promise.race([
        missingMigrations(this.connection),
        new Promise<never>((_, reject) => {
          setTimeout(() => reject(new Error('the database is silent')), pingTimeoutMs).unref();
        }),
      ]);
      // A process that waits is ready once it has ended waiting, which takes a moment.
      this.isMigrated = !this.waits && missing.length === 0;
      return true;
    } catch {
      return false;
    }
  }
}
