import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { RequestReads } from '../request-log/request-reads.js';
import { MessageAcceptance } from './acceptance/message-acceptance.js';
import { MessageWithdrawal } from './acceptance/message-withdrawal.js';
import { RepeatedMessages } from './acceptance/repeated-messages.js';
import { AccountMessagesController } from './reads/account-messages.controller.js';
import { MessageMatches } from './reads/message-matches.js';
import { MessageReads } from './reads/message-reads.js';
import { MessagesController } from './reads/messages.controller.js';
import { MessagesService } from './reads/messages.service.js';
import { MessageCancellation } from './rows/message-cancellation.js';
import { MessageConclusions } from './rows/message-conclusions.js';
import { ScheduledMessages } from './rows/scheduled-rows.js';
import { MessageResends } from './sends/message-resends.service.js';
import { MessageWaiting } from './sends/message-waiting.js';
import { SendService } from './sends/send.service.js';
import { UnsentMessages } from './sends/unsent-messages.service.js';

/** The API's side of messages: accept, wait, read, manage. */
@Module({
  imports: [ApiKeysModule, AuditModule, ContactsModule, QuotaModule],
  controllers: [AccountMessagesController, MessagesController],
  providers: [
    MessageCancellation,
    ScheduledMessages,
    UnsentMessages,
    MessageConclusions,
    MessageResends,
    MessageAcceptance,
    MessageMatches,
    MessageReads,
    MessageWaiting,
    RepeatedMessages,
    MessageWithdrawal,
    MessagesService,
    // By itself: its module listens to the API's server, and tests open this module without one.
    RequestReads,
    SendService,
  ],
  exports: [
    MessagesService,
    MessageCancellation,
    MessageMatches,
    MessageReads,
    MessageResends,
    MessageWaiting,
    SendService,
    UnsentMessages,
  ],
})
export class MessagesModule {}
