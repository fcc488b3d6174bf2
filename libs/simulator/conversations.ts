import { isObject, type JsonObject } from './checks.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { waIdOf } from './number-forms.js';
import type { BusinessNumber } from './numbers.js';
import type { User, UserChange } from './users.js';
import { contactOf, metadataOf, type Notification } from './webhook-body.js';

/** What a user has sent to a business number. */
export interface InboundMessage {
  id: string;
  atMs: number;
  phoneNumberId: string;
  /** Digits of the user's number, also where businesses do not see it; 0 where there is none. */
  from: string;
  /** The message as the webhook reported it. */
  message: JsonObject;
  /** Whether the business has marked it as read. */
  isRead: boolean;
}

/** What the business wrote, edited or took back in its own app. */
interface Echoed {
  readonly id: string;
  readonly atMs: number;
  readonly phoneNumberId: string;
  /** Digits of the user's number. */
  readonly digits: string;
  /** The message as the webhook reported it. */
  readonly message: JsonObject;
}

/** A user's message before it has an id. */
export interface InboundDraft {
  number: BusinessNumber;
  user: User;
  /** Type and content; `context` too, when it answers something. */
  message: JsonObject;
  /** When they wrote it; now where absent. */
  atMs?: number;
}

const inboundMax = 5000;

/** What a user does without writing: it opens no window. */
const isNoWriting = new Set(['reaction', 'edit', 'revoke']);

const clickKey = ({ user_id }: User, phoneNumberId: string) => `${phoneNumberId} ${user_id}`;

/** What users have written, and how both sides of a conversation are read. */
export class Conversations {
  private inbound: InboundMessage[] = [];
  private echoes: Echoed[] = [];
  /** When users last wrote from an ad, by business number and user. */
  private readonly clicks = new Map<string, number>();

  constructor(
    private readonly ledger: Ledger,
    private readonly report: (notification: Notification) => void,
  ) {}

  /** Takes a user's message, reports it by webhook, and returns its id. */
  receive({ number, user, message, atMs = Date.now() }: InboundDraft): string {
    const shown = user.hides_phone ? null : user.phone;
    const id = this.ledger.nextInboundId(user.phone ?? '0');
    const complete = {
      ...(shown === null ? {} : { from: shown }),
      from_user_id: user.user_id,
      ...(user.parent_user_id === null ? {} : { from_parent_user_id: user.parent_user_id }),
      id,
      timestamp: String(Math.floor(atMs / 1000)),
      ...message,
    };
    this.inbound.push({
      id,
      atMs,
      phoneNumberId: number.phone_number_id,
      from: user.phone ?? '0',
      message: complete,
      isRead: false,
    });
    if (this.inbound.length > inboundMax * 2) this.inbound = this.inbound.slice(-inboundMax);
    if (isObject(message.referral)) this.keepClick(clickKey(user, number.phone_number_id), atMs);
    this.reportMessage(number, atMs, complete, [contactOf(shown, user)]);
    return id;
  }

  /** Reports what the business wrote to a user in its own app, and returns its id. */
  echo(number: BusinessNumber, user: User, message: JsonObject): string {
    const atMs = Date.now();
    const atSeconds = Math.floor(atMs / 1000);
    const id = this.ledger.nextInboundId(number.display_phone_number);
    const complete = {
      from: number.display_phone_number,
      ...(user.hides_phone ? {} : { to: user.phone }),
      to_user_id: user.user_id,
      id,
      timestamp: String(atSeconds),
      ...message,
    };
    const { phone_number_id: phoneNumberId } = number;
    this.echoes.push({ id, atMs, phoneNumberId, digits: user.phone ?? '0', message: complete });
    if (this.echoes.length > inboundMax * 2) this.echoes = this.echoes.slice(-inboundMax);
    this.report({
      kind: 'value',
      accountId: number.business_account_id,
      field: 'smb_message_echoes',
      atSeconds,
      value: {
        messaging_product: 'whatsapp',
        metadata: metadataOf(number),
        message_echoes: [complete],
      },
    });
    return id;
  }

  /** Reports that a user has another number or another id, as a system message, and returns its id. */
  tellChange(number: BusinessNumber, { before, after }: UserChange): string {
    const atMs = Date.now();
    const id = this.ledger.nextInboundId(after.phone ?? '0');
    const hasNewPhone = before.phone !== after.phone && !after.hides_phone;
    const hasNewId = before.user_id !== after.user_id;
    const [from, to] = hasNewPhone ? [before.phone, after.phone] : [before.user_id, after.user_id];
    this.reportMessage(number, atMs, {
      ...(hasNewPhone && before.phone !== null ? { from: before.phone } : {}),
      id,
      timestamp: String(Math.floor(atMs / 1000)),
      type: 'system',
      system: {
        body: `User ${after.name ?? 'User'} changed from ${from} to ${to}`,
        ...(hasNewPhone ? { wa_id: after.phone } : {}),
        ...(hasNewId ? { user_id: after.user_id, previous_user_id: before.user_id } : {}),
        ...(after.parent_user_id === null ? {} : { parent_user_id: after.parent_user_id }),
        ...(before.parent_user_id === null || before.parent_user_id === after.parent_user_id
          ? {}
          : { previous_parent_user_id: before.parent_user_id }),
        type: hasNewPhone ? 'user_changed_number' : 'user_changed_user_id',
      },
    });
    return id;
  }

  /** Reports that a user stopped, resumed or signed up for the marketing messages of a business number. */
  tellPreference(number: BusinessNumber, user: User, value: 'stop' | 'resume' | 'signup'): void {
    const atSeconds = Math.floor(Date.now() / 1000);
    const shown = user.hides_phone ? null : user.phone;
    this.report({
      kind: 'value',
      accountId: number.business_account_id,
      field: 'user_preferences',
      atSeconds,
      value: {
        messaging_product: 'whatsapp',
        metadata: metadataOf(number),
        contacts: [contactOf(shown, user)],
        user_preferences: [
          {
            ...(shown === null ? {} : { wa_id: shown }),
            user_id: user.user_id,
            ...(user.parent_user_id === null ? {} : { parent_user_id: user.parent_user_id }),
            detail:
              value === 'signup'
                ? 'User signed up for marketing messages'
                : `User requested to ${value} marketing messages`,
            ...(value === 'signup'
              ? { signup_id: this.ledger.nextInboundId(user.phone ?? '0') }
              : {}),
            category: 'marketing_messages',
            value,
            timestamp: atSeconds,
          },
        ],
      },
    });
  }

  /**
   * Both directions of one user's conversation, oldest first; the newest `limit`.
   * @param numbers ids of the business numbers to include; null for all.
   */
  of(digits: string, numbers: readonly string[] | null, limit: number): JsonObject[] {
    const waId = waIdOf(digits);
    return this.turns(numbers)
      .filter((turn) => turn.digits === waId)
      .slice(-limit)
      .map(shownTurn);
  }

  /**
   * The users who have a conversation, the latest first, each with its last message.
   * @param numbers as above.
   */
  phones(numbers: readonly string[] | null, limit: number): JsonObject[] {
    const phones = new Map<string, { last: Turn; count: number }>();
    for (const turn of this.turns(numbers)) {
      phones.set(turn.digits, { last: turn, count: (phones.get(turn.digits)?.count ?? 0) + 1 });
    }
    return [...phones]
      .toSorted(([, one], [, other]) => other.last.atMs - one.last.atMs)
      .slice(0, limit)
      .map(([digits, { last, count }]) => ({
        phone: `+${digits}`,
        last_at: new Date(last.atMs).toISOString(),
        messages: count,
        last: shownTurn(last),
      }));
  }

  /** The number that a user wrote to or heard from last; null if there is none. */
  numberOf(digits: string): string | null {
    let newest: { atMs: number; phoneNumberId: string } | null = null;
    for (const entry of this.ledger.entries()) {
      if (waIdOf(entry.digits) === waIdOf(digits)) newest = entry;
    }
    for (const received of this.inbound) {
      if (received.from === waIdOf(digits) && received.atMs > (newest?.atMs ?? 0))
        newest = received;
    }
    return newest?.phoneNumberId ?? null;
  }

  /**
   * Whether a user has written to a business number after a time; reactions are no writing. It knows
   * as many messages as are kept.
   */
  hasWritten(user: User, phoneNumberId: string, sinceMs: number): boolean {
    return this.inbound.some(
      (received) =>
        received.atMs > sinceMs &&
        received.phoneNumberId === phoneNumberId &&
        (received.from === user.phone || received.message.from_user_id === user.user_id) &&
        !isNoWriting.has(String(received.message.type)),
    );
  }

  /** Whether a user has written to a business number from an ad after a time. */
  hasClicked(user: User, phoneNumberId: string, sinceMs: number): boolean {
    return this.clicks.size > 0 && (this.clicks.get(clickKey(user, phoneNumberId)) ?? 0) > sinceMs;
  }

  /** The digits of the user who sent a message to a business number; null when there is none. */
  senderOf(phoneNumberId: string, messageId: unknown): string | null {
    return this.inboundOf(phoneNumberId, messageId)?.from ?? null;
  }

  /**
   * Marks a user's message, and what they had written to the same business number before it, as read.
   * Returns the message; null when there is none.
   */
  markRead(phoneNumberId: string, messageId: string): InboundMessage | null {
    const read = this.inboundOf(phoneNumberId, messageId);
    if (read === null) return null;
    const place = this.inbound.indexOf(read);
    for (const [index, other] of this.inbound.entries()) {
      const isSameUser =
        other.from === read.from &&
        // Users without a number are told apart by their ids.
        (read.from !== '0' || other.message.from_user_id === read.message.from_user_id);
      // As turns are ordered: by time, and of the same time as they came.
      const isEarlier = other.atMs < read.atMs || (other.atMs === read.atMs && index <= place);
      if (isSameUser && isEarlier && other.phoneNumberId === phoneNumberId) other.isRead = true;
    }
    return read;
  }

  clear(): void {
    this.inbound = [];
    this.echoes = [];
    this.clicks.clear();
  }

  private keepClick(key: string, atMs: number): void {
    this.clicks.delete(key);
    this.clicks.set(key, atMs);
    for (const oldest of this.clicks.keys()) {
      if (this.clicks.size <= inboundMax) break;
      this.clicks.delete(oldest);
    }
  }

  private inboundOf(phoneNumberId: string, messageId: unknown): InboundMessage | null {
    const found = this.inbound.find(({ id }) => id === messageId);
    return found?.phoneNumberId === phoneNumberId ? found : null;
  }

  /** System messages come without contacts. */
  private reportMessage(
    number: BusinessNumber,
    atMs: number,
    message: JsonObject,
    contacts?: JsonObject[],
  ): void {
    this.report({
      kind: 'value',
      accountId: number.business_account_id,
      // Meta's own agent answers, and the business hears of it only.
      field: number.standby ? 'standby' : 'messages',
      atSeconds: Math.floor(atMs / 1000),
      value: {
        messaging_product: 'whatsapp',
        metadata: metadataOf(number),
        ...(contacts && { contacts }),
        messages: [message],
      },
    });
  }

  /** What both sides said, oldest first. */
  private turns(numbers: readonly string[] | null): Turn[] {
    const turns: Turn[] = [];
    const isWanted = (phoneNumberId: string) => numbers?.includes(phoneNumberId) ?? true;
    for (const entry of this.ledger.entries()) {
      const { atMs, outcome, phoneNumberId } = entry;
      const digits = waIdOf(entry.digits);
      if (outcome === 'accepted' && isWanted(phoneNumberId)) turns.push({ digits, atMs, entry });
    }
    for (const inbound of this.inbound) {
      const { from: digits, atMs, phoneNumberId } = inbound;
      if (isWanted(phoneNumberId)) turns.push({ digits, atMs, inbound });
    }
    for (const echoed of this.echoes) {
      const { digits, atMs, phoneNumberId } = echoed;
      if (isWanted(phoneNumberId)) turns.push({ digits, atMs, echoed });
    }
    return turns.toSorted((one, other) => one.atMs - other.atMs);
  }
}

/** A message of either side; it is parsed only when it is shown. */
type Turn = { readonly digits: string; readonly atMs: number } & (
  | { readonly entry: LedgerEntry }
  | { readonly inbound: InboundMessage }
  | { readonly echoed: Echoed }
);

const shownTurn = (turn: Turn): JsonObject => {
  if ('echoed' in turn) return shownEcho(turn.echoed);
  return 'entry' in turn ? shownOutbound(turn.entry) : shownInbound(turn.inbound);
};

const shownEcho = ({ id, atMs, phoneNumberId, message }: Echoed): JsonObject => ({
  direction: 'out',
  id,
  at: new Date(atMs).toISOString(),
  phone_number_id: phoneNumberId,
  type: message.type,
  status: null,
  is_echo: true,
  message,
});

const shownOutbound = (entry: LedgerEntry): JsonObject => {
  const parsed: unknown = JSON.parse(entry.raw);
  return {
    direction: 'out',
    id: entry.wamid,
    at: new Date(entry.atMs).toISOString(),
    phone_number_id: entry.phoneNumberId,
    type: entry.type,
    status: entry.status,
    message: isObject(parsed) ? parsed : {},
  };
};

const shownInbound = ({
  id,
  atMs,
  phoneNumberId,
  message,
  isRead,
}: InboundMessage): JsonObject => ({
  direction: 'in',
  id,
  at: new Date(atMs).toISOString(),
  phone_number_id: phoneNumberId,
  type: message.type,
  status: null,
  is_read: isRead,
  message,
});
