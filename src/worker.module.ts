import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { NumberHealthModule } from './accounts/health/health.worker.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { PeriodicWorkModule } from './database/periodic-work.module.js';
import { WebhookDeliveriesModule } from './deliveries/deliveries.worker.module.js';
import { entities } from './entities.js';
import { HealthModule } from './health/health.module.js';
import { QueuesModule } from './hints/queues.module.js';
import { RepliesModule } from './hints/replies.module.js';
import { LoggingModule } from './logging/logging.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { NotificationsModule } from './notifications/notifications.worker.module.js';
import { OutcomeHoursModule } from './outcomes/outcomes.worker.module.js';
import { RequestDaysModule } from './request-log/request-log.worker.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SendingModule } from './sending/sending.module.js';
import { TemplateSyncsModule } from './templates/templates.worker.module.js';
import { TracingModule } from './tracing/tracing.module.js';

/** The worker process: claims messages, sends them to the platform, settles the results. */
@Module({})
export class WorkerModule {
  static forProcess(config: Config, logger: Logger): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.forProcess(config),
        LoggingModule.forProcess(logger),
        MetricsModule.forProcess('worker'),
        TracingModule.forProcess('worker'),
        SecretsModule,
        DatabaseModule.withEntities(entities),
        QueuesModule.forRole('consumer'),
        RepliesModule,
        SendingModule,
        NotificationsModule,
        WebhookDeliveriesModule,
        PeriodicWorkModule,
        RequestDaysModule,
        OutcomeHoursModule,
        NumberHealthModule,
        TemplateSyncsModule,
        HealthModule.forProcess({ needsRedis: true, isPrivate: true }),
      ],
    };
  }
}
