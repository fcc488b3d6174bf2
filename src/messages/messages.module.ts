import { Module } from '@nestjs/common';
import { MessageAcceptance } from './message-acceptance.js';
import { MessageReads } from './message-reads.js';
import { MessageWaiting } from './message-waiting.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';
import { SendService } from './send.service.js';

/** The API's side of messages: accept, wait, read. */
@Module({
  controllers: [MessagesController],
  providers: [MessageAcceptance, MessageReads, MessageWaiting, MessagesService, SendService],
  exports: [SendService, MessageReads, MessageWaiting],
})
export class MessagesModule {}
