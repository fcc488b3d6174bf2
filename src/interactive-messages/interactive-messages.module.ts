import { Module } from '@nestjs/common';
import { controllerOf } from '../free-form/free-form.controller.js';
import { FreeFormModule } from '../free-form/free-form.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { buttonType } from './button/button-type.js';
import { carouselType } from './carousel/carousel-type.js';
import { contactRequestType } from './contact-request/contact-request-type.js';
import { ctaUrlType } from './cta-url/cta-url-type.js';
import { flowType } from './flow/flow-type.js';
import { listType } from './list/list-type.js';
import { locationRequestType } from './location-request/location-request-type.js';

/** Interactive messages, each type in its folder. */
export const interactiveTypes = [
  listType,
  buttonType,
  ctaUrlType,
  locationRequestType,
  contactRequestType,
  flowType,
  carouselType,
];

/** Sends them. */
@Module({
  imports: [FreeFormModule, MessagesModule],
  controllers: interactiveTypes.map(controllerOf),
})
export class InteractiveMessagesModule {}
