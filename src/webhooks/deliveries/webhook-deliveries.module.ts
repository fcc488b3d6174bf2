import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { Deliverer } from './deliverer.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { EndpointLeases } from './endpoint-leases.js';
import { EndpointScan } from './endpoint-scan.js';
import { Endpoints } from './endpoints.js';
import { EventSettlement } from './event-settlement.js';
import { EventsInHand } from './events-in-hand.js';
import { OpenEvents } from './open-events.js';
import { OwnedEndpoints } from './owned-endpoints.js';
import { WebhookClient } from './webhook-client.js';
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
