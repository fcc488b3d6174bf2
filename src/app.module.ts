import { type BeforeApplicationShutdown, type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { AuditLogModule } from './audit/audit-log.module.js';
import { AuthModule } from './auth/auth.module.js';
import { CampaignsModule } from './campaigns/campaigns.api.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ConsentsModule } from './consents/consents.module.js';
import { ContactsModule } from './contacts/contacts.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DatabaseModule } from './database/database.module.js';
import { WebhookEndpointsModule } from './deliveries/endpoints/endpoints.api.module.js';
import { EventFeedModule } from './deliveries/feed/feed.api.module.js';
import { DirectMessagesModule } from './direct-messages/direct-messages.module.js';
import { entities } from './entities.js';
import { GraphModule } from './graph/graph.module.js';
import { HealthModule } from './health/health.module.js';
import { QueuesModule } from './hints/queues.module.js';
import { RepliesModule } from './hints/replies.module.js';
import { InteractiveMessagesModule } from './interactive-messages/interactive-messages.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LoggingModule } from './logging/logging.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { MessageWaiting } from './messages/sends/message-waiting.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { PlatformWebhooksModule } from './notifications/notifications.api.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { RequestLogModule } from './request-log/request-log.api.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SignInLimitModule } from './sessions/sign-in-limit.module.js';
import { TemplatesModule } from './templates/templates.api.module.js';
import { TracingModule } from './tracing/tracing.module.js';
import { UploadsModule } from './uploads/uploads.api.module.js';

/** The API process: accepts requests, stores and enqueues messages, answers with the outcome. */
@Module({})
export class AppModule implements BeforeApplicationShutdown {
  static forProcess(config: Config, logger: Logger): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forProcess(config),
        LoggingModule.forProcess(logger),
        MetricsModule.forProcess('api'),
        TracingModule.forProcess('api'),
        SecretsModule,
        DatabaseModule.withEntities(entities),
        QueuesModule.forRole('producer'),
        RepliesModule,
        AuthModule,
        HealthModule.forProcess({ needsRedis: false, isPrivate: false }),
        ConsentsModule,
        ContactsModule,
        MessagesModule,
        DirectMessagesModule,
        InteractiveMessagesModule,
        TemplatesModule,
        CampaignsModule,
        UploadsModule,
        GraphModule,
        WebhookEndpointsModule,
        EventFeedModule,
        AuditLogModule,
        RequestLogModule,
        DashboardModule,
        JobsModule,
        SessionsModule,
        SignInLimitModule,
        PlatformWebhooksModule,
        OpenApiModule,
      ],
    };
  }

  constructor(private readonly waiting: MessageWaiting) {}

  /** Callers that wait are answered before the server closes. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.waiting.drain();
  }
}
