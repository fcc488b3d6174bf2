import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { MessageReceived, StatusChanged, UserPreferenceChanged } from '#libs/whatsapp';
import type { Mode } from '../../../access/mode.js';
import { saidBy } from '../../../accounts/keywords.js';
import { ConsentChanges, type ConsentsRecorded } from '../../../consents/consent-changes.js';
import type { Consent, ContactConsent } from '../../../contacts/consent.js';
import { phoneOf, type Sighting, userIdOf } from '../../../contacts/contact.js';
import { storableText } from '../../../database/storable-text.js';
import { ContactSightings } from '../contact-sightings.js';
import { modesOf, type RoutedEvent } from '../routed-event.js';
import { textsOf } from './received-message.js';

/** The platform's error for a user who wants no marketing from the business. */
const stoppedCode = 131050;

const states = new Map([
  ['stop', 'opted_out'],
  ['resume', 'opted_in'],
] as const);

/** A user who says something, and what. */
interface Said {
  readonly sighting: Sighting;
  readonly consent: Consent;
}

/** What users say about messages to them, by WhatsApp or by a word of theirs. */
@Injectable()
export class ReportedConsents {
  constructor(
    private readonly dataSource: DataSource,
    private readonly contacts: ContactSightings,
    private readonly changes: ConsentChanges,
  ) {}

  /** The consents that messages are, by the keywords of their accounts. */
  async recordMessages(
    manager: EntityManager,
    messages: readonly {
      message: RoutedEvent<MessageReceived>;
      mode: Mode;
      contactId: string | null;
    }[],
  ): Promise<ConsentsRecorded> {
    const consents = messages.flatMap(({ message, mode, contactId }): ContactConsent[] => {
      const { event, account, receivedAt } = message;
      if (contactId === null || !account.keywords) return [];
      const texts = textsOf(event);
      const state = saidBy(texts, account.keywords);
      if (state === null) return [];
      return [
        {
          accountId: account.id,
          mode,
          contactId,
          scope: account.keywordScope ?? 'marketing',
          state,
          source: 'keyword',
          evidence: evidenceOf(`${event.platformMessageId}: ${texts[0] ?? ''}`),
          at: event.occurredAt ?? receivedAt,
        },
      ];
    });
    return this.changes.record(manager, consents);
  }

  /** What users chose in WhatsApp itself. Other categories and values change nothing. */
  recordPreferences(
    manager: EntityManager,
    events: readonly RoutedEvent<UserPreferenceChanged>[],
  ): Promise<ConsentsRecorded> {
    const said = events.flatMap(({ event, account, mode, receivedAt }): Said[] => {
      const state = [...states].find(([value]) => value === event.value)?.[1];
      if (!state || event.category !== 'marketing_messages') return [];
      const at = event.occurredAt ?? receivedAt;
      return modesOf(mode).map((each) => ({
        sighting: sightingOf(account.id, each, at, {
          phone: event.from,
          userId: event.fromUserId,
          parentUserId: event.fromParentUserId,
        }),
        consent: {
          scope: 'marketing',
          state,
          source: 'user_preferences',
          evidence: event.detail && evidenceOf(event.detail),
          at,
        },
      }));
    });
    return this.record(manager, said);
  }

  /** The opt-outs that WhatsApp tells of when it refuses a message; in a transaction of its own. */
  async recordRefusals(statuses: readonly RoutedEvent<StatusChanged>[]): Promise<void> {
    const said = statuses.flatMap(({ event, account, mode, receivedAt }): Said[] => {
      if (event.participantId !== null || !event.errors.some(({ code }) => code === stoppedCode))
        return [];
      const at = event.occurredAt ?? receivedAt;
      return modesOf(mode).map((each) => ({
        sighting: sightingOf(account.id, each, at, {
          phone: event.recipientId,
          userId: event.recipientUserId,
          parentUserId: event.recipientParentUserId,
        }),
        consent: {
          scope: 'marketing',
          state: 'opted_out',
          source: String(stoppedCode),
          evidence: evidenceOf(event.platformMessageId),
          at,
        },
      }));
    });
    if (said.length === 0) return;
    const recorded = await this.dataSource.transaction((manager) => this.record(manager, said));
    this.changes.publish(recorded);
  }

  private async record(manager: EntityManager, said: readonly Said[]): Promise<ConsentsRecorded> {
    if (said.length === 0) return this.changes.record(manager, []);
    const seen = await this.contacts.learn(
      manager,
      said.map(({ sighting }) => sighting),
    );
    const consents = said.flatMap(({ sighting, consent }, index): ContactConsent[] => {
      const contactId = seen.contactIds[index];
      const { accountId, mode } = sighting;
      return contactId ? [{ ...consent, accountId, mode, contactId }] : [];
    });
    const recorded = await this.changes.record(manager, consents);
    return { ...recorded, toWake: [...seen.toWake, ...recorded.toWake] };
  }
}

function evidenceOf(text: string): string {
  return storableText(text).slice(0, 500);
}

function sightingOf(
  accountId: string,
  mode: Mode,
  at: Date,
  ids: { phone: string | null; userId: string | null; parentUserId: string | null },
): Sighting {
  return {
    accountId,
    mode,
    phone: phoneOf(ids.phone),
    userId: userIdOf(ids.userId),
    parentUserId: userIdOf(ids.parentUserId),
    username: null,
    name: null,
    at,
    isInbound: false,
    previous: null,
  };
}
