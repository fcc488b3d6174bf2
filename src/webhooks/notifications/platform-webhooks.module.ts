import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { ContactLedger } from '../../contacts/contact-ledger.js';
import { MessageChangesModule } from '../../messages/rows/message-changes.module.js';
import { PlatformModule } from '../../platform/platform.module.js';
import { WebhookEvents } from '../deliveries/webhook-events.js';
import { AccountRoutes } from './account-routes.js';
import { AddressTurns } from './address-turns.js';
import { AppSecrets } from './app-secrets.js';
import { ContactSightings } from './contact-sightings.js';
import { FailedEventsService } from './failed-events.service.js';
import { InboundMediaController } from './inbound-media.controller.js';
import { InboundMediaService } from './inbound-media.service.js';
import { LastNotifications } from './last-notifications.js';
import { NotificationIntake } from './notification-intake.js';
import { NotificationsController } from './notifications.controller.js';
import { PlatformWebhookController } from './platform-webhook.controller.js';

/** The API's side of notifications: verify, apply or store, answer; what was set aside; files of users. */
@Module({
  imports: [AuditModule, MessageChangesModule, PlatformModule],
  controllers: [NotificationsController, InboundMediaController, PlatformWebhookController],
  providers: [
    AccountRoutes,
    AddressTurns,
    AppSecrets,
    ContactLedger,
    ContactSightings,
    WebhookEvents,
    InboundMediaService,
    LastNotifications,
    NotificationIntake,
    FailedEventsService,
  ],
  exports: [FailedEventsService],
})
export class PlatformWebhooksModule {}
