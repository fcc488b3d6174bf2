import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DeliveriesService } from './deliveries.service.js';
import { EndpointDeliveries } from './endpoint-deliveries.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEvents } from './webhook-events.js';

/** The API's side of events: managing deliveries. */
@Module({
  imports: [AuditModule],
  controllers: [WebhookDeliveriesController],
  providers: [DeliveriesService, EndpointDeliveries, WebhookEvents],
  exports: [DeliveriesService, EndpointDeliveries],
})
export class WebhookAdministrationModule {}
