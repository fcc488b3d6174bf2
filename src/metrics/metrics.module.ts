import { type DynamicModule, Global, Module } from '@nestjs/common';
import { PRIVATE_PORT } from '../http/private-port.js';
import { Backlog } from './backlog.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { PoolMetrics } from './pool-metrics.js';
import { RequestMetrics } from './request-metrics.js';

/** What a process counts, and the route that serves it. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {
  /** The API's port faces the world, the worker's does not; only workers report what waits. */
  static forProcess(process: 'api' | 'worker'): DynamicModule {
    const isWorker = process === 'worker';
    return {
      module: MetricsModule,
      controllers: [MetricsController],
      providers: [
        RequestMetrics,
        PoolMetrics,
        ...(isWorker ? [Backlog] : []),
        { provide: PRIVATE_PORT, useValue: isWorker },
      ],
    };
  }
}
