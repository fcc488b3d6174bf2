import { Module } from '@nestjs/common';
import { controllerOf } from '../free-form/free-form.controller.js';
import { FreeFormModule } from '../free-form/free-form.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { contactsType } from './contacts/contacts-type.js';
import { locationType } from './location/location-type.js';
import { mediaType } from './media/media-type.js';
import { reactionType } from './reaction/reaction-type.js';
import { textType } from './text/text-type.js';

/** Messages without buttons, each type in its folder. */
export const directTypes = [textType, mediaType, locationType, contactsType, reactionType];

/** Sends them. */
@Module({
  imports: [FreeFormModule, MessagesModule],
  controllers: directTypes.map(controllerOf),
})
export class DirectMessagesModule {}
