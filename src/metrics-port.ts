import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { Config } from './config/config.js';
import { HealthController, NEEDS_REDIS } from './health/health.controller.js';
import { HealthService } from './health/health.service.js';
import { PRIVATE_PORT } from './http/private-port.js';
import { createApplication } from './http/server/application.js';
import { Lifecycle } from './http/server/lifecycle.js';
import { listen } from './http/server/listening.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { Metrics } from './metrics/metrics.js';

/** The routes for operators alone that a worker has on WORKER_PORT, about a process that listens elsewhere. */
@Module({ controllers: [HealthController, MetricsController] })
class MetricsPortModule {
  static about(app: NestFastifyApplication): DynamicModule {
    const shared = [Metrics, HealthService, NEEDS_REDIS].map((provide) => ({
      provide,
      useValue: app.get<unknown>(provide, { strict: false }),
    }));
    return {
      module: MetricsPortModule,
      providers: [...shared, Lifecycle, { provide: PRIVATE_PORT, useValue: true }],
    };
  }
}

/**
 * Serves the API's metrics and health on METRICS_PORT, to whoever reaches it; does nothing where none is set.
 * @throws ConfigError when the address cannot be listened on.
 */
export async function serveMetrics(
  app: NestFastifyApplication,
  { host, metricsPort: port }: Config,
  logger: Logger,
): Promise<void> {
  if (port === null) return;
  const server = await createApplication(MetricsPortModule.about(app), {
    logger,
    trustedProxies: [],
    isHttps: false,
  });
  server.enableShutdownHooks();
  await listen(server, { host, port, portName: 'METRICS_PORT', isPrivate: true });
  logger.info({ url: await server.getUrl() }, 'metrics ready');
}
