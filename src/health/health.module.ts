import { type DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { PRIVATE_PORT } from '../http/private-port.js';
import { Lifecycle } from '../http/server/lifecycle.js';
import { HealthController, NEEDS_REDIS } from './health.controller.js';
import { HealthService, waitsToken } from './health.service.js';
import { HealthConnection } from './health-connection.js';
import { RedisHealth } from './redis-health.js';

/** Health routes of a process. */
@Module({})
export class HealthModule {
  /** @param options.waits whether this is a process that waits for migrations, and is not ready before. */
  static forProcess(options: {
    needsRedis: boolean;
    isPrivate: boolean;
    waits?: true;
  }): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [
        HealthConnection,
        HealthService,
        Lifecycle,
        RedisHealth,
        { provide: NEEDS_REDIS, useValue: options.needsRedis },
        { provide: PRIVATE_PORT, useValue: options.isPrivate },
        { provide: waitsToken, useValue: options.waits ?? false },
      ],
    };
  }
}
