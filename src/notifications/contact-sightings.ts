import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import type { CallReported, MessageReceived, StatusChanged } from '#libs/whatsapp';
import type { Mode } from '../access/mode.js';
import { ConsentChanges } from '../consents/consent-changes.js';
import {
  type ContactChange,
  type NumberForm,
  phoneOf,
  type Sighting,
  userIdOf,
} from '../contacts/contact.js';
import { ContactLedger, type Learnt } from '../contacts/contact-ledger.js';
import { RecentKeys } from '../contacts/forms/recent-keys.js';
import { ToldForms } from '../contacts/forms/told-forms.js';
import { GroupCommit } from '../database/group-commit.js';
import { isStoreUnavailable } from '../database/store-errors.js';
import { WebhookEvents } from '../deliveries/webhook-events.js';
import type { EventHint } from '../hints/event-hints.js';
import { LOGGER } from '../logging/logging.module.js';
import type { ConcludedMessage } from '../messages/rows/message-conclusions.js';
import { modesOf, type RoutedEvent } from './routed-event.js';

/** What was learnt about users. */
export interface SeenContacts {
  /** The contact of each sighting; null where it names nobody. */
  readonly contactIds: readonly (string | null)[];
  /** Endpoints that have something to get. */
  readonly toWake: readonly EventHint[];
  /** Messages that failed, because a contact turned out to have opted out. */
  readonly failed: readonly ConcludedMessage[];
}

type StatusOf = Pick<RoutedEvent<StatusChanged>, 'event' | 'account' | 'mode'>;

const groupMaxSize = 200;

/** Reports the users in messages and statuses to the ledger, and changes to callers. */
@Injectable()
export class ContactSightings {
  private readonly known = new RecentKeys();
  private readonly group: GroupCommit<Sighting, void>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: ContactLedger,
    private readonly events: WebhookEvents,
    private readonly consents: ConsentChanges,
    forms: ToldForms,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.group = new GroupCommit({
      commit: (sightings) => this.commit(sightings),
      maxSize: groupMaxSize,
    });
    forms.learnWith((told) => this.learnForms(told));
  }

  /** Learns in the caller's transaction, with a `contact.changed` event for each change. */
  async learn(manager: EntityManager, sightings: readonly Sighting[]): Promise<SeenContacts> {
    return this.tell(manager, await this.ledger.learn(manager, sightings));
  }

  /** Learns what the platform calls numbers. */
  private async learnForms(told: readonly NumberForm[]): Promise<void> {
    const seen = await this.dataSource.transaction(async (manager) =>
      this.tell(manager, await this.ledger.learnForms(manager, told)),
    );
    this.consents.publish(seen);
  }

  /** What follows from what was learnt: events, and an end to what somebody has opted out of under another id. */
  private async tell(
    manager: EntityManager,
    { contactIds, changes, joined }: Learnt,
  ): Promise<SeenContacts> {
    const failed = await this.consents.stopFor(manager, joined);
    const toWake = await this.events.addForWanting(
      manager,
      'contact.changed',
      changes.map((change) => ({
        accountId: change.accountId,
        mode: change.mode,
        data: changeData(change),
      })),
    );
    return {
      contactIds,
      failed,
      toWake: [...failed.flatMap((one) => one.endpointsToWake ?? []), ...toWake],
    };
  }

  /**
   * Learns which number and user id statuses name together. A pair that this process knows costs
   * nothing. Statuses are processed even if their contact cannot be stored.
   * @throws the store's error when it cannot be reached.
   */
  async learnFromStatuses(statuses: readonly StatusOf[]): Promise<void> {
    const news = new Map<string, Sighting>();
    for (const status of statuses) {
      for (const sighting of sightingsOfStatus(status)) {
        const { accountId, mode, phone, userId } = sighting;
        const key = `${accountId} ${mode} ${phone} ${userId}`;
        if (!this.known.has(key)) news.set(key, sighting);
      }
    }
    if (news.size === 0) return;
    try {
      await Promise.all([...news.values()].map((sighting) => this.group.enqueue(sighting)));
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      this.logger.error({ err: error }, 'could not learn which number and user id are one user');
      return;
    }
    for (const key of news.keys()) this.known.add(key);
  }

  private async commit(sightings: readonly Sighting[]): Promise<void[]> {
    const changing = await this.ledger.learnPairs(sightings);
    if (changing.length > 0) {
      const seen = await this.dataSource.transaction((manager) => this.learn(manager, changing));
      this.consents.publish(seen);
    }
    return sightings.map(() => undefined);
  }
}

/** Messages that are no new words of a user: they open no 24-hour window. */
const opensNoWindow = new Set(['system', 'reaction', 'edit', 'revoke']);

/** What a message, or a note of the platform about a user, says of that user. */
export function sightingOfMessage(
  { event, account, receivedAt }: RoutedEvent<MessageReceived>,
  mode: Mode,
): Sighting {
  const { change } = event;
  return {
    accountId: account.id,
    mode,
    phone: phoneOf(change ? change.current.phone : event.from),
    userId: userIdOf(change ? change.current.userId : event.fromUserId),
    parentUserId: userIdOf(change?.current.parentUserId ?? event.fromParentUserId),
    username: event.fromUsername,
    name: event.fromName,
    at: event.occurredAt ?? receivedAt,
    // What somebody writes in a group opens the window of nobody.
    isInbound: event.groupId === null && !opensNoWindow.has(event.type),
    previous: change && {
      phone: phoneOf(change.previous.phone),
      userId: userIdOf(change.previous.userId),
      parentUserId: userIdOf(change.previous.parentUserId),
    },
  };
}

/** What calls say of users. Only the beginning of a call that the user makes says that they were there. */
export function sightingsOfCall({
  event,
  account,
  mode,
  receivedAt,
}: RoutedEvent<CallReported>): Sighting[] {
  if (event.direction !== 'USER_INITIATED' || event.event !== 'connect') return [];
  return modesOf(mode).map((each) => ({
    accountId: account.id,
    mode: each,
    phone: phoneOf(event.from),
    userId: userIdOf(event.fromUserId),
    parentUserId: userIdOf(event.fromParentUserId),
    username: event.fromUsername,
    name: event.fromName,
    at: event.occurredAt ?? receivedAt,
    isInbound: true,
    previous: null,
  }));
}

/** Without both ids there is nothing to learn. */
function sightingsOfStatus({ event, account, mode }: StatusOf): Sighting[] {
  const phone = phoneOf(event.recipientId);
  const userId = userIdOf(event.recipientUserId);
  if (phone === null || userId === null || event.participantId !== null) return [];
  return modesOf(mode).map((each) => ({
    accountId: account.id,
    mode: each,
    phone,
    userId,
    parentUserId: userIdOf(event.recipientParentUserId),
    username: null,
    name: null,
    at: event.occurredAt ?? new Date(),
    isInbound: false,
    previous: null,
  }));
}

function changeData({ contactId, change, previous, current }: ContactChange): object {
  const side = (ids: ContactChange['current']) => ({
    ...(change === 'merged' && { contact_id: ids.contactId }),
    phone: ids.phone,
    user_id: ids.userId,
  });
  return { contact_id: contactId, change, previous: side(previous), current: side(current) };
}
