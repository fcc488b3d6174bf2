import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { InteractiveMessagesController } from './interactive-messages.controller.js';

/** Sending of lists and reply buttons. */
@Module({ imports: [MessagesModule], controllers: [InteractiveMessagesController] })
export class InteractiveMessagesModule {}
