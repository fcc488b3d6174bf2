import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { Logger } from 'pino';
import { Config } from '../config/config.js';
import { LOGGER } from '../logging/logging.module.js';
import { poolOptions } from './data-source-options.js';
import type { PreparedStatement, PreparingDatabase } from './statements/statement.js';
import { refuseSecondConnection } from './transactions/one-connection.js';

/** Statements are grouped, so a few connections carry everything. */
const poolSize = 6;
const lazyPoolSize = 2;

/**
 * Settings of each connection: plans that are kept, none made for a table that was empty, and rows
 * met in the order of an index, which is the order in which they are locked.
 */
const planOptions =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/**
 * The statements that every message passes: prepared once on each connection and planned once. The
 * planner took half of their time, most of it for partitions that the ids rule out anyway.
 *
 * A plan that is kept must not be one made for an empty table, so these connections plan without
 * sequential scans. See docs/adr/0001-hot-statements.md.
 */
@Injectable()
export class HotStatements implements OnApplicationShutdown, PreparingDatabase {
  /** For its own figures; statements go through `runPrepared`. */
  readonly pool: pg.Pool;
  private readonly lazyPool: pg.Pool;

  constructor(config: Config, @Inject(LOGGER) logger: Logger) {
    const open = (name: string, max: number, options: string) => {
      const pool = new pg.Pool({
        ...poolOptions,
        connectionString: config.databaseUrl,
        application_name: name,
        max,
        options,
      });
      // An idle connection that dies is replaced at the next query; unheard, the event ends the process.
      pool.on('error', (error) => logger.debug({ err: error }, 'an idle connection was lost'));
      return pool;
    };
    this.pool = open('parley hot', poolSize, planOptions);
    this.lazyPool = open('parley lazy', lazyPoolSize, `${planOptions} -c synchronous_commit=off`);
  }

  /** Runs a statement: `statement.rows(hotStatements, …)`. */
  runPrepared(statement: PreparedStatement, values: unknown[]): Promise<object[]> {
    return this.runOn(this.pool, statement, values);
  }

  /**
   * The same without waiting for the disk, `statement.rows(hotStatements.lazily, …)`: a crash of PostgreSQL may take back
   * its last moments.
   */
  readonly lazily: PreparingDatabase = {
    runPrepared: (statement, values) => this.runOn(this.lazyPool, statement, values),
  };

  private async runOn(
    pool: pg.Pool,
    { name, text }: PreparedStatement,
    values: unknown[],
  ): Promise<object[]> {
    refuseSecondConnection();
    const { rows } = await pool.query<object>({ name, text, values });
    return rows;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool.end(), this.lazyPool.end()]);
  }
}
