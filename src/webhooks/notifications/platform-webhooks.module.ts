import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { MessageChangesModule } from '../../messages/message-changes.module.js';
import { AccountRoutes } from './account-routes.js';
import { AddressTurns } from './address-turns.js';
import { AppSecrets } from './app-secrets.js';
import { SetAsideService } from './failed-events.service.js';
import { InboundMediaController } from './inbound-media.controller.js';
import { InboundMediaService } from './inbound-media.service.js';
import { LastNotifications } from './last-notifications.js';
import { NotificationIntake } from './notification-intake.js';
import { PlatformWebhookController } from './platform-webhook.controller.js';

/** The API's side of notifications: verify, apply or store, answer; what was set aside; files of users. */
@Module({
  imports: [AuditModule, MessageChangesModule],
  controllers: [InboundMediaController, PlatformWebhookController],
  providers: [
    AccountRoutes,
    AddressTurns,
    AppSecrets,
    InboundMediaService,
    LastNotifications,
    NotificationIntake,
    SetAsideService,
  ],
  exports: [SetAsideService],
})
export class PlatformWebhooksModule {}
