import { Module } from '@nestjs/common';
import { FallbacksModule } from '../fallbacks/fallbacks.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { InteractiveMessagesController } from './interactive-messages.controller.js';

/** Sending of lists and reply buttons. */
@Module({
  imports: [FallbacksModule, MessagesModule],
  controllers: [InteractiveMessagesController],
})
export class InteractiveMessagesModule {}
