import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { AccountVersions } from '../accounts/account-versions.js';
import { NumberHolds } from '../accounts/number-holds.js';
import { ConsentChanges } from '../consents/consent-changes.js';
import { ContactLedger } from '../contacts/contact-ledger.js';
import { WebhookDeliveriesModule } from '../deliveries/deliveries.worker.module.js';
import { MessageChangesModule } from '../messages/rows/message-changes.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { TemplateNotifications } from '../templates/sync/template-notifications.js';
import { ContactSightings } from './contact-sightings.js';
import { LastNotifications } from './last-notifications.js';
import { AccountUpdates } from './processing/account-updates.js';
import { EventProcessing } from './processing/event-processing.js';
import { NotificationProcessing } from './processing/notification-processing.js';
import { NotificationRelay } from './processing/notification-relay.js';
import { NotificationRows } from './processing/notification-rows.js';
import { NotificationsProcessor } from './processing/notifications.processor.js';
import { OwnRecipients } from './processing/own-recipients.js';
import { Echoes } from './received/echoes.js';
import { ReceivedMessages } from './received/received-messages.js';
import { ReportedConsents } from './received/reported-consents.js';

/** The worker's side of notifications: what they report about messages, users, templates and accounts. */
@Module({
  imports: [MessageChangesModule, QuotaModule, WebhookDeliveriesModule],
  providers: [
    AccountUpdates,
    AccountVersions,
    ConsentChanges,
    ContactLedger,
    ContactSightings,
    EventProcessing,
    LastNotifications,
    NotificationProcessing,
    NotificationRelay,
    NotificationRows,
    NotificationsProcessor,
    NumberHolds,
    OwnRecipients,
    ReceivedMessages,
    Echoes,
    ReportedConsents,
    TemplateNotifications,
  ],
})
export class NotificationsModule implements BeforeApplicationShutdown {
  constructor(
    private readonly processing: NotificationProcessing,
    private readonly processor: NotificationsProcessor,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    void this.processor.worker.pause(true).catch(() => undefined);
    await this.processing.stop();
  }
}
