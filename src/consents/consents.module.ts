import { Module } from '@nestjs/common';
import { ContactLedger } from '../contacts/contact-ledger.js';
import { WebhookEvents } from '../deliveries/webhook-events.js';
import { RepeatedRequests } from '../idempotency/repeated-requests.js';
import { MessageChangesModule } from '../messages/rows/message-changes.module.js';
import { ConsentChanges } from './consent-changes.js';
import { ConsentsController } from './consents.controller.js';
import { ConsentsService } from './consents.service.js';

/** Consents for callers. */
@Module({
  imports: [MessageChangesModule],
  controllers: [ConsentsController],
  exports: [ConsentsService],
  providers: [ConsentChanges, ConsentsService, ContactLedger, RepeatedRequests, WebhookEvents],
})
export class ConsentsModule {}
