import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { MessageAdministrationController } from './reads/message-administration.controller.js';
import { MessageAdministration } from './reads/message-administration.service.js';
import { MessageReads } from './reads/message-reads.js';
import { MessagesController } from './reads/messages.controller.js';
import { MessagesService } from './reads/messages.service.js';
import { MessageAcceptance } from './rows/message-acceptance.js';
import { MessageCancellation } from './rows/message-cancellation.js';
import { MessageConclusions } from './rows/message-conclusions.js';
import { MessageWithdrawal } from './rows/message-withdrawal.js';
import { MessageCancels } from './sends/message-cancels.service.js';
import { MessageResends } from './sends/message-resends.service.js';
import { MessageWaiting } from './sends/message-waiting.js';
import { SendService } from './sends/send.service.js';

/** The API's side of messages: accept, wait, read, manage. */
@Module({
  imports: [ApiKeysModule, AuditModule, ContactsModule, QuotaModule],
  controllers: [MessageAdministrationController, MessagesController],
  providers: [
    MessageAdministration,
    MessageCancellation,
    MessageCancels,
    MessageConclusions,
    MessageResends,
    MessageAcceptance,
    MessageReads,
    MessageWaiting,
    MessageWithdrawal,
    MessagesService,
    SendService,
  ],
  exports: [MessageAdministration, MessageReads, MessageWaiting, SendService],
})
export class MessagesModule {}
