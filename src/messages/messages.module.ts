import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { DirectMessagesController } from './direct-messages.controller.js';
import { DirectMessages } from './direct-messages.service.js';
import { MessageAcceptance } from './message-acceptance.js';
import { MessageAdministrationController } from './message-administration.controller.js';
import { MessageAdministration } from './message-administration.service.js';
import { MessageReads } from './message-reads.js';
import { MessageResends } from './message-resends.service.js';
import { MessageWaiting } from './message-waiting.js';
import { MessageWithdrawal } from './message-withdrawal.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';
import { SendService } from './send.service.js';

/** The API's side of messages: texts and media, accept, wait, read, look after. */
@Module({
  imports: [ApiKeysModule, AuditModule, ContactsModule, QuotaModule],
  controllers: [MessageAdministrationController, DirectMessagesController, MessagesController],
  providers: [
    DirectMessages,
    MessageAdministration,
    MessageResends,
    MessageAcceptance,
    MessageReads,
    MessageWaiting,
    MessageWithdrawal,
    MessagesService,
    SendService,
  ],
  exports: [DirectMessages, SendService, MessageReads, MessageWaiting],
})
export class MessagesModule {}
