import { createHash } from 'node:crypto';
import { type ParsedEvent, parseNotification } from '#libs/whatsapp';
import type { Mode } from '../access/mode.js';
import type { AccountKeywords } from '../accounts/account.entity.js';
import type { ConsentScope } from '../contacts/consent.js';

/** A stored notification, claimed. */
export interface StoredNotification {
  readonly id: string;
  readonly mode: Mode | null;
  /** Null: every account. */
  readonly accountIds: readonly string[] | null;
  readonly body: Buffer;
  readonly receivedAt: Date;
  readonly attempts: number;
}

/** What routing needs to know of an account. */
export interface RoutedAccount {
  readonly id: string;
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  readonly displayPhoneNumber: string;
  /** The words by which users opt out and in; absent where only statuses are processed. */
  readonly keywords?: AccountKeywords | null;
  readonly keywordScope?: ConsentScope;
  /** Whether it has an endpoint that gets WhatsApp's own form. */
  readonly isRelayed: boolean;
  /** Set if the account was read a while ago: changes made for it must check whether it has changed. */
  readonly version?: string;
}

/** An event that was tried before and is not done. */
export interface PendingEvent {
  readonly id: string;
  readonly attempts: number;
}

/** One event for one account. */
export interface RoutedEvent<Event extends ParsedEvent = ParsedEvent> {
  readonly event: Event;
  readonly account: RoutedAccount;
  /** Whose rows it may touch; null: live and test ones. */
  readonly mode: Mode | null;
  readonly notificationId: string;
  readonly receivedAt: Date;
  /** Set when it was tried before. */
  readonly pending: PendingEvent | null;
}

/**
 * The events in a notification's body.
 * @throws SyntaxError when it is not JSON.
 */
export function eventsOf(notification: StoredNotification): ParsedEvent[] {
  return parseNotification(JSON.parse(notification.body.toString('utf8')));
}

/** Fields of other products do not concern us; in this one every event must be read. */
export function isUnreadable(event: ParsedEvent): boolean {
  // None of our accounts has an id that PostgreSQL cannot store.
  if (event.kind === 'status') return event.platformMessageId.includes('\0');
  return event.kind === 'other' && event.field === 'messages';
}

/** The accounts that an event is for, of those whose secret signed it. */
export function accountsOf(
  event: ParsedEvent,
  { accountIds }: Pick<StoredNotification, 'accountIds'>,
  accounts: readonly RoutedAccount[],
): RoutedAccount[] {
  const allowed = accounts.filter(({ id }) => accountIds === null || accountIds.includes(id));
  if (event.phoneNumberId !== null) {
    return allowed.filter(({ phoneNumberId }) => phoneNumberId === event.phoneNumberId);
  }
  const ofBusiness = allowed.filter(
    ({ businessAccountId }) => businessAccountId === event.businessAccountId,
  );
  if (event.displayPhoneNumber === null) return ofBusiness;
  const digits = digitsOf(event.displayPhoneNumber);
  return ofBusiness.filter(({ displayPhoneNumber }) => digitsOf(displayPhoneNumber) === digits);
}

/** What identifies an event permanently. The simulator's are apart from the platform's. */
export function seenKey({ event, account, mode }: RoutedEvent): Buffer {
  return createHash('sha256')
    .update(`${mode ?? 'both'}\n${account.id}\n${event.dedupeKey}`)
    .digest();
}

/** The digest that identifies an event in its notification's body. */
export function eventKey(event: ParsedEvent): string {
  return createHash('sha256').update(event.dedupeKey).digest('base64url');
}

/** The modes that an event is for: where the simulator plays the platform, both. */
export function modesOf(mode: Mode | null): readonly Mode[] {
  return mode === null ? ['live', 'test'] : [mode];
}

/** A phone number without what people put between its digits. */
export function digitsOf(phoneNumber: string): string {
  return phoneNumber.replaceAll(/\D/g, '');
}
