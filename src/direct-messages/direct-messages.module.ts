import { Module } from '@nestjs/common';
import { FallbacksModule } from '../fallbacks/fallbacks.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { DirectMessagesController } from './direct-messages.controller.js';
import { DirectMessages } from './direct-messages.service.js';

/** Sending of texts and media. */
@Module({
  imports: [FallbacksModule, MessagesModule],
  controllers: [DirectMessagesController],
  providers: [DirectMessages],
  exports: [DirectMessages],
})
export class DirectMessagesModule {}
