import { Module } from '@nestjs/common';
import { controllerOf } from '../free-form/free-form.controller.js';
import { FreeFormModule } from '../free-form/free-form.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { contactsType } from './contacts/contacts-type.js';
import { locationType } from './location/location-type.js';
import { mediaType } from './media/media-type.js';
import { reactionType } from './reaction/reaction-type.js';
import { ReadController } from './read/read.controller.js';
import { ReadService } from './read/read.service.js';
import { textType } from './text/text-type.js';

/** Messages without buttons, each type in its folder. */
export const directTypes = [textType, mediaType, locationType, contactsType, reactionType];

/** Sends them, and marks those of users as read. */
@Module({
  imports: [FreeFormModule, MessagesModule, PlatformModule, QuotaModule],
  controllers: [...directTypes.map(controllerOf), ReadController],
  providers: [ReadService],
  exports: [ReadService],
})
export class DirectMessagesModule {}
