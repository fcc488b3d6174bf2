import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DeliveryAttempts } from './attempts/delivery-attempts.js';
import { WebhookClient } from './attempts/webhook-client.js';
import { Deliverer } from './deliverer.js';
import { EventSettlement } from './event-settlement.js';
import { EventsInHand } from './events-in-hand.js';
import { EndpointLeases } from './leases/endpoint-leases.js';
import { EndpointScan } from './leases/endpoint-scan.js';
import { EndpointSwitch } from './leases/endpoint-switch.js';
import { LeasedEndpoints } from './leases/leased-endpoints.js';
import { OpenEvents } from './open-events.js';
import { WebhookEvents } from './webhook-events.js';

/** The worker's side of events: make the deliveries that are due. */
@Module({
  imports: [AuditModule],
  providers: [
    Deliverer,
    DeliveryAttempts,
    EndpointLeases,
    EndpointScan,
    EndpointSwitch,
    EventSettlement,
    EventsInHand,
    OpenEvents,
    LeasedEndpoints,
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
