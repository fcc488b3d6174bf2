import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { WebhookDeliveriesModule } from '../deliveries/deliveries.api.module.js';
import { DirectMessagesModule } from '../direct-messages/direct-messages.module.js';
import { FreeFormModule } from '../free-form/free-form.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { OutcomeCounts } from '../outcomes/outcome-counts.js';
import { QuotaModule } from '../quota/quota.module.js';
import { RequestLogModule } from '../request-log/request-log.api.module.js';
import { TemplatesModule } from '../templates/templates.api.module.js';
import { AccountContactsController } from './contacts/account-contacts.controller.js';
import { AccountContacts } from './contacts/account-contacts.service.js';
import { OutcomesService } from './outcomes.service.js';
import { OverviewController } from './overview.controller.js';
import { OverviewService } from './overview.service.js';
import { PlaygroundController } from './playground.controller.js';
import { PlaygroundService } from './playground.service.js';
import { PlaygroundTypes } from './playground-types.js';
import { SandboxController } from './sandbox.controller.js';
import { SandboxService } from './sandbox.service.js';
import { EventSearch } from './search/event-search.js';
import { ManagedSearch } from './search/managed-search.js';
import { MessageSearch } from './search/message-search.js';
import { RequestSearch } from './search/request-search.js';
import { SearchController } from './search/search.controller.js';
import { SearchService } from './search/search.service.js';

/** What only the dashboard has: its first page, the playground, and the sandbox phone. */
@Module({
  imports: [
    AlertsModule,
    ApiKeysModule,
    AuditModule,
    ConsentsModule,
    ContactsModule,
    DirectMessagesModule,
    FreeFormModule,
    MessagesModule,
    QuotaModule,
    RequestLogModule,
    TemplatesModule,
    WebhookDeliveriesModule,
  ],
  controllers: [
    AccountContactsController,
    OverviewController,
    PlaygroundController,
    SandboxController,
    SearchController,
  ],
  providers: [
    AccountContacts,
    EventSearch,
    ManagedSearch,
    MessageSearch,
    OutcomeCounts,
    OutcomesService,
    OverviewService,
    PlaygroundService,
    PlaygroundTypes,
    RequestSearch,
    SandboxService,
    SearchService,
  ],
})
export class DashboardModule {}
