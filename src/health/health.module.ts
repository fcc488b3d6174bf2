import { type DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Lifecycle } from '../http/server/lifecycle.js';
import { HealthController, NEEDS_REDIS } from './health.controller.js';
import { HealthService } from './health.service.js';
import { RedisHealth } from './redis-health.js';

/** Health routes of a process. */
@Module({})
export class HealthModule {
  static forProcess(options: { needsRedis: boolean }): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [
        HealthService,
        Lifecycle,
        RedisHealth,
        { provide: NEEDS_REDIS, useValue: options.needsRedis },
      ],
    };
  }
}
