import { Module } from '@nestjs/common';
import { DirectMessagesController } from './direct-messages.controller.js';
import { DirectMessages } from './direct-messages.service.js';
import { MessageAcceptance } from './message-acceptance.js';
import { MessageReads } from './message-reads.js';
import { MessageWaiting } from './message-waiting.js';
import { MessageWithdrawal } from './message-withdrawal.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';
import { SendService } from './send.service.js';

/** The API's side of messages: texts and media, accept, wait, read. */
@Module({
  controllers: [DirectMessagesController, MessagesController],
  providers: [
    DirectMessages,
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
