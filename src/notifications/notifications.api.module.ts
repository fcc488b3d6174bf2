import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ConsentChanges } from '../consents/consent-changes.js';
import { ContactLedger } from '../contacts/contact-ledger.js';
import { WebhookEvents } from '../deliveries/webhook-events.js';
import { MessageChangesModule } from '../messages/rows/message-changes.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ApiPresence } from './api-presence.js';
import { ContactSightings } from './contact-sightings.js';
import { NotificationsController } from './failed-events.controller.js';
import { FailedEventsService } from './failed-events.service.js';
import { AccountRoutes } from './intake/account-routes.js';
import { AppSecrets } from './intake/app-secrets.js';
import { NotificationIntake } from './intake/notification-intake.js';
import { PlatformHandshakes } from './intake/platform-handshakes.js';
import { PlatformWebhookController } from './intake/platform-webhook.controller.js';
import { SignerSearch } from './intake/signer-search.js';
import { LastNotifications } from './last-notifications.js';
import { InboundMediaController } from './received/inbound-media.controller.js';
import { InboundMediaService } from './received/inbound-media.service.js';

/** The API's side of notifications: verify, apply or store, answer; what was set aside; files of users. */
@Module({
  imports: [AuditModule, MessageChangesModule, PlatformModule],
  controllers: [NotificationsController, InboundMediaController, PlatformWebhookController],
  providers: [
    AccountRoutes,
    ApiPresence,
    AppSecrets,
    ConsentChanges,
    ContactLedger,
    ContactSightings,
    WebhookEvents,
    InboundMediaService,
    LastNotifications,
    NotificationIntake,
    PlatformHandshakes,
    FailedEventsService,
    SignerSearch,
  ],
  exports: [FailedEventsService, InboundMediaService],
})
export class PlatformWebhooksModule {}
