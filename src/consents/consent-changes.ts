import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { skipOptedOut } from '../campaigns/opted-out-recipients.js';
import type { ContactConsent } from '../contacts/consent.js';
import { type ConsentOutcome, recordConsents } from '../contacts/contact-consents.js';
import { WebhookEvents } from '../deliveries/webhook-events.js';
import { type EventHint, EventHints } from '../hints/event-hints.js';
import { type ConcludedMessage, MessageConclusions } from '../messages/rows/message-conclusions.js';
import { OptedOutMessages } from '../messages/rows/opted-out-messages.js';

/** What recording consents has brought about. */
export interface ConsentsRecorded {
  readonly outcomes: readonly ConsentOutcome[];
  /** Messages that failed because of an opt-out; to publish after the commit. */
  readonly failed: readonly ConcludedMessage[];
  /** Endpoints that have something to get; to wake after the commit. */
  readonly toWake: readonly EventHint[];
}

/** Records consents, and what follows from them: messages that fail, campaigns that leave somebody out, and events. */
@Injectable()
export class ConsentChanges {
  constructor(
    private readonly messages: OptedOutMessages,
    private readonly events: WebhookEvents,
    private readonly conclusions: MessageConclusions,
    private readonly hints: EventHints,
  ) {}

  /** Records consents of contacts that this transaction has learnt. `publish` what it returns after the commit. */
  async record(
    manager: EntityManager,
    consents: readonly ContactConsent[],
  ): Promise<ConsentsRecorded> {
    const outcomes = await recordConsents(manager, consents);
    const changes = consents.filter((_, index) => outcomes[index]?.isChange);
    const optedOut = changes.filter(({ state }) => state === 'opted_out');
    const contactIds = [...new Set(optedOut.map(({ contactId }) => contactId))];
    const failed = await this.stopFor(manager, contactIds);
    const toWake = await this.events.addForWanting(
      manager,
      'contact.consent',
      changes.map(({ accountId, mode, contactId, scope, state, source }) => ({
        accountId,
        mode,
        data: { contact_id: contactId, scope, state, source },
      })),
    );
    return { outcomes, failed, toWake };
  }

  /**
   * Stops what is under way to contacts and is not allowed now: after an opt-out, or when a number or a contact turned
   * out to belong to somebody who has opted out. `publish` the messages after the commit.
   */
  async stopFor(
    manager: EntityManager,
    contactIds: readonly string[],
  ): Promise<ConcludedMessage[]> {
    if (contactIds.length === 0) return [];
    const failed = await this.messages.failFor(manager, contactIds);
    await skipOptedOut(manager, contactIds);
    return failed;
  }

  publish({ failed, toWake }: Pick<ConsentsRecorded, 'failed' | 'toWake'>): void {
    for (const message of failed) this.conclusions.publish(message);
    for (const { endpointId, dueMs } of toWake) this.hints.wake(endpointId, dueMs);
  }
}
