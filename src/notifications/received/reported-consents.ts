import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { MessageReceived, StatusChanged, UserPreferenceChanged } from '#libs/whatsapp';
import type { Mode } from '../../access/mode.js';
import { saidBy } from '../../accounts/keywords.js';
import { ConsentChanges, type ConsentsRecorded } from '../../consents/consent-changes.js';
import type { Consent, ContactConsent } from '../../contacts/consent.js';
import { phoneOf, type Sighting, userIdOf } from '../../contacts/contact.js';
import { storableText } from '../../database/storable-text.js';
import { isOptOutLabel } from '../../templates/opt-out-labels.js';
import { ContactSightings } from '../contact-sightings.js';
import { modesOf, type RoutedEvent } from '../routed-event.js';
import { textsOf } from './received-message.js';

/** The platform's error for a user who wants no marketing from the business. */
const stoppedCode = 131050;

/** What WhatsApp says of a choice, and where it comes from. */
const preferences: Readonly<Record<string, Pick<Consent, 'state' | 'source'>>> = {
  stop: { state: 'opted_out', source: 'user_preferences' },
  resume: { state: 'opted_in', source: 'user_preferences' },
  signup: { state: 'opted_in', source: 'signup' },
};

/** A user who says something, and what. */
interface Said {
  readonly sighting: Sighting;
  readonly consent: Consent;
}

/** A message from a user, in one mode. */
interface HeardMessage {
  readonly message: RoutedEvent<MessageReceived>;
  readonly mode: Mode;
  readonly contactId: string | null;
  /** Whether it answers a marketing template of ours. */
  readonly answersMarketing: boolean;
}

/** What users say about messages to them, by WhatsApp or by a word of theirs. */
@Injectable()
export class ReportedConsents {
  constructor(
    private readonly dataSource: DataSource,
    private readonly contacts: ContactSightings,
    private readonly changes: ConsentChanges,
  ) {}

  /** The consents that messages are: by the keywords of their accounts, and by Meta's own button for opting out. */
  async recordMessages(
    manager: EntityManager,
    messages: readonly HeardMessage[],
  ): Promise<ConsentsRecorded> {
    const consents = messages.flatMap((heard): ContactConsent[] => {
      const { message, mode, contactId } = heard;
      const { event, account, receivedAt } = message;
      if (contactId === null) return [];
      const texts = textsOf(event);
      const said = saidIn(heard, texts);
      if (said === null) return [];
      return [
        {
          ...said,
          accountId: account.id,
          mode,
          contactId,
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
    const said = events.flatMap((routed): Said[] => {
      const { value, category, from, fromUserId, fromParentUserId, detail, signupId } =
        routed.event;
      const choice = value !== null && Object.hasOwn(preferences, value) && preferences[value];
      if (!choice || category !== 'marketing_messages') return [];
      const evidence = [detail, signupId && `signup_id ${signupId}`].filter(Boolean).join('; ');
      return saidOn(
        routed,
        { phone: from, userId: fromUserId, parentUserId: fromParentUserId },
        { ...choice, evidence: evidence === '' ? null : evidenceOf(evidence) },
      );
    });
    return this.record(manager, said);
  }

  /** The opt-outs that WhatsApp tells of when it refuses a message; in a transaction of its own. */
  async recordRefusals(statuses: readonly RoutedEvent<StatusChanged>[]): Promise<void> {
    const said = statuses.flatMap((routed): Said[] => {
      const { event } = routed;
      const isStopped = event.errors.some(({ code }) => code === stoppedCode);
      if (!isStopped || event.participantId !== null) return [];
      const { recipientId, recipientUserId, recipientParentUserId } = event;
      const evidence = evidenceOf(event.platformMessageId);
      return saidOn(
        routed,
        { phone: recipientId, userId: recipientUserId, parentUserId: recipientParentUserId },
        { state: 'opted_out', source: String(stoppedCode), evidence },
      );
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

/** An opt-out comes first; a button of Meta's needs no setting and is about marketing alone. */
function saidIn(
  { message: { event, account }, answersMarketing }: HeardMessage,
  texts: readonly string[],
): Pick<Consent, 'scope' | 'state' | 'source'> | null {
  const state = account.keywords ? saidBy(texts, account.keywords) : null;
  const isButton = answersMarketing && event.type === 'button' && texts.some(isOptOutLabel);
  if (isButton && state !== 'opted_out') {
    return { scope: 'marketing', state: 'opted_out', source: 'opt_out_button' };
  }
  return state && { scope: account.keywordScope ?? 'marketing', state, source: 'keyword' };
}

function evidenceOf(text: string): string {
  return storableText(text).slice(0, 500);
}

/** What a user says about marketing, in each mode that the event is for. */
function saidOn(
  { event, account, mode, receivedAt }: RoutedEvent,
  ids: { phone: string | null; userId: string | null; parentUserId: string | null },
  consent: Pick<Consent, 'state' | 'source' | 'evidence'>,
): Said[] {
  const at = event.occurredAt ?? receivedAt;
  return modesOf(mode).map((each) => ({
    sighting: {
      accountId: account.id,
      mode: each,
      phone: phoneOf(ids.phone),
      userId: userIdOf(ids.userId),
      parentUserId: userIdOf(ids.parentUserId),
      username: null,
      name: null,
      at,
      isInbound: false,
      previous: null,
    },
    consent: { ...consent, scope: 'marketing', at },
  }));
}
