import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { OpenEvents } from '../../events/open-events.js';
import { DeliveryAttempts } from './attempts/delivery-attempts.js';
import { WebhookClient } from './attempts/webhook-client.js';
import { Deliverer } from './deliverer.js';
import { EndpointLeases } from './endpoints/endpoint-leases.js';
import { EndpointScan } from './endpoints/endpoint-scan.js';
import { Endpoints } from './endpoints/endpoints.js';
import { OwnedEndpoints } from './endpoints/owned-endpoints.js';
import { EventSettlement } from './event-settlement.js';
import { EventsInHand } from './events-in-hand.js';
import { WebhookEvents } from './webhook-events.js';

/** The worker's side of events: make the deliveries that are due. */
@Module({
  imports: [AuditModule],
  providers: [
    Deliverer,
    DeliveryAttempts,
    EndpointLeases,
    EndpointScan,
    Endpoints,
    EventSettlement,
    EventsInHand,
    OpenEvents,
    OwnedEndpoints,
    WebhookClient,
    WebhookEvents,
  ],
  exports: [WebhookEvents],
})
export class WebhookDeliveriesModule implements BeforeApplicationShutdown {
  constructor(private readonly deliverer: Deliverer) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.deliverer.stop();
  }
}
