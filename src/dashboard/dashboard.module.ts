import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { UsersModule } from '../users/users.module.js';
import { WebhookAdministrationModule } from '../webhooks/deliveries/webhook-administration.module.js';
import { PlatformWebhooksModule } from '../webhooks/notifications/platform-webhooks.module.js';
import { AccountsController } from './accounts.controller.js';
import { AlertsService } from './alerts.service.js';
import { ApiKeysController } from './api-keys.controller.js';
import { AuditEntriesService } from './audit-entries.service.js';
import { DashboardMessagesService } from './dashboard-messages.service.js';
import { MessageResends } from './message-resends.service.js';
import { NotificationsController } from './notifications.controller.js';
import { OverviewController } from './overview.controller.js';
import { OverviewService } from './overview.service.js';
import { PlaygroundController } from './playground.controller.js';
import { PlaygroundService } from './playground.service.js';
import { PlaygroundTypes } from './playground-types.js';
import { SimulatorController } from './simulator.controller.js';
import { SimulatorService } from './simulator.service.js';
import { TemplateMappingsController } from './template-mappings.controller.js';
import { DashboardTemplatesController } from './templates.controller.js';
import { UsersController } from './users.controller.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';

/** The REST of the dashboard. */
@Module({
  imports: [
    AccountsModule,
    ApiKeysModule,
    AuditModule,
    MessagesModule,
    QuotaModule,
    PlatformWebhooksModule,
    TemplatesModule,
    UsersModule,
    WebhookAdministrationModule,
  ],
  controllers: [
    AccountsController,
    ApiKeysController,
    DashboardTemplatesController,
    NotificationsController,
    OverviewController,
    PlaygroundController,
    SimulatorController,
    TemplateMappingsController,
    UsersController,
    WebhookDeliveriesController,
  ],
  providers: [
    AlertsService,
    AuditEntriesService,
    DashboardMessagesService,
    MessageResends,
    OverviewService,
    PlaygroundService,
    PlaygroundTypes,
    SimulatorService,
  ],
})
export class DashboardModule {}
