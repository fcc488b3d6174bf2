import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { Logger } from 'pino';
import { Config } from '../config/config.js';
import { poolOptions } from '../database/data-source-options.js';
import { LOGGER } from '../logging/logging.module.js';

/** How long a health check waits for the database. */
const answerWithinMs = 1_000;

/**
 * The connection of the health checks: a process whose other connections are all in use is busy, not unable to work,
 * and must not be taken out.
 */
@Injectable()
export class HealthConnection implements OnApplicationShutdown {
  private readonly pool: pg.Pool;

  constructor(config: Config, @Inject(LOGGER) logger: Logger) {
    this.pool = new pg.Pool({
      ...poolOptions,
      connectionString: config.databaseUrl,
      application_name: 'parley health',
      max: 1,
      statement_timeout: answerWithinMs,
      query_timeout: answerWithinMs,
    });
    this.pool.on('error', (error) => logger.debug({ err: error }, 'an idle connection was lost'));
  }

  /** @throws Error when the database has not answered within a second. */
  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query(text, values);
    return rows as Row[];
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
