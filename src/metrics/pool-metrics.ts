import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { HotStatements } from '../database/hot-statements.js';
import { Metrics } from './metrics.js';

const pool = 'db_client_connection_pool_name';
const state = 'db_client_connection_state';

/** The connections to PostgreSQL: how many there are, and how many statements wait for one. */
@Injectable()
export class PoolMetrics implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const driver = this.dataSource.driver as PostgresDriver;
    const pools: [name: string, pool: Pool][] = [
      ['general', driver.master as Pool],
      ['hot', this.statements.pool],
    ];
    this.metrics.gauges(
      [
        {
          name: 'db_client_connection_count',
          help: 'Connections to PostgreSQL, used or idle.',
          labels: [pool, state],
        },
        {
          name: 'db_client_connection_max',
          help: 'The most connections that a pool opens.',
          labels: [pool],
        },
        {
          name: 'db_client_connection_pending_requests',
          help: 'Statements that wait for a connection.',
          labels: [pool],
        },
      ],
      ([count, max, pending]) => {
        for (const [name, { totalCount, idleCount, waitingCount, options }] of pools) {
          count?.set({ [pool]: name, [state]: 'used' }, totalCount - idleCount);
          count?.set({ [pool]: name, [state]: 'idle' }, idleCount);
          max?.set({ [pool]: name }, options.max);
          pending?.set({ [pool]: name }, waitingCount);
        }
      },
    );
  }
}
