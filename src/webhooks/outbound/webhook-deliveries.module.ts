import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { Deliverer } from './deliverer.js';
import { DeliveriesProcessor } from './deliveries.processor.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { DeliveryClaims } from './delivery-claims.js';
import { DeliverySettlement } from './delivery-settlement.js';
import { Endpoints } from './endpoints.js';
import { WebhookClient } from './webhook-client.js';
import { WebhookEvents } from './webhook-events.js';

/** The worker's side of events: make the deliveries that are due. */
@Module({
  imports: [AuditModule],
  providers: [
    Deliverer,
    DeliveriesProcessor,
    DeliveryAttempts,
    DeliveryClaims,
    DeliverySettlement,
    Endpoints,
    WebhookClient,
    WebhookEvents,
  ],
  exports: [WebhookEvents],
})
export class WebhookDeliveriesModule implements BeforeApplicationShutdown {
  constructor(
    private readonly deliverer: Deliverer,
    private readonly processor: DeliveriesProcessor,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    void this.processor.worker.pause(true).catch(() => undefined);
    await this.deliverer.stop();
  }
}
