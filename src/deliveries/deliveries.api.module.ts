import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryMatches } from './delivery-matches.js';
import { EndpointDeliveries } from './endpoint-deliveries.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEvents } from './webhook-events.js';

/** The API's side of events: managing deliveries. */
@Module({
  imports: [AuditModule, ContactsModule, MessagesModule],
  controllers: [WebhookDeliveriesController],
  providers: [DeliveriesService, DeliveryMatches, EndpointDeliveries, WebhookEvents],
  exports: [DeliveriesService, EndpointDeliveries],
})
export class WebhookDeliveriesModule {}
