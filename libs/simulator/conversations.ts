import { isObject, type JsonObject } from './checks.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import type { BusinessNumber } from './numbers.js';
import { contactOf, metadataOf, type Notification, userIdOf } from './webhook-body.js';

/** What a user has sent to a business number. */
export interface InboundMessage {
  id: string;
  atMs: number;
  phoneNumberId: string;
  /** Digits of the user's number. */
  from: string;
  /** The message as the webhook told it. */
  message: JsonObject;
}

/** A user's message before it has an id. */
export interface InboundDraft {
  number: BusinessNumber;
  /** Digits, or null for a user whose number is not disclosed. */
  from: string | null;
  userId?: string;
  name?: string;
  /** Type and content; `context` too, when it answers something. */
  message: JsonObject;
}

const INBOUND_MAX = 5000;

/** What users have written, and how both sides of a conversation are read. */
export class Conversations {
  private inbound: InboundMessage[] = [];

  constructor(
    private readonly ledger: Ledger,
    private readonly report: (notification: Notification) => void,
  ) {}

  /** Takes a user's message, reports it by webhook, and returns its id. */
  receive({ number, from, userId, name, message }: InboundDraft): string {
    const atMs = Date.now();
    const id = this.ledger.nextInboundId(from ?? '0');
    const user = userId ?? userIdOf(from ?? '0');
    const complete = {
      ...(from === null ? {} : { from }),
      from_user_id: user,
      id,
      timestamp: String(Math.floor(atMs / 1000)),
      ...message,
    };
    this.inbound.push({
      id,
      atMs,
      phoneNumberId: number.phone_number_id,
      from: from ?? '0',
      message: complete,
    });
    if (this.inbound.length > INBOUND_MAX * 2) this.inbound = this.inbound.slice(-INBOUND_MAX);
    this.report({
      kind: 'value',
      accountId: number.business_account_id,
      field: 'messages',
      atSeconds: Math.floor(atMs / 1000),
      value: {
        messaging_product: 'whatsapp',
        metadata: metadataOf(number),
        contacts: [contactOf(from, user, name)],
        messages: [complete],
      },
    });
    return id;
  }

  /** Both directions of one user's conversation, oldest first; the newest `limit`. */
  of(digits: string, limit: number): JsonObject[] {
    const all: Array<{ atMs: number; shown: JsonObject }> = [];
    for (const entry of this.ledger.entries()) {
      if (entry.digits === digits && entry.outcome === 'accepted') {
        all.push({ atMs: entry.atMs, shown: shownOutbound(entry) });
      }
    }
    for (const received of this.inbound) {
      if (received.from === digits) {
        all.push({ atMs: received.atMs, shown: shownInbound(received) });
      }
    }
    return all
      .toSorted((one, other) => one.atMs - other.atMs)
      .slice(-limit)
      .map(({ shown }) => shown);
  }

  /** The users who have a conversation, the latest first. */
  phones(limit: number): JsonObject[] {
    const phones = new Map<string, { lastAtMs: number; count: number }>();
    const add = (digits: string, atMs: number): void => {
      const known = phones.get(digits) ?? { lastAtMs: 0, count: 0 };
      phones.set(digits, { lastAtMs: Math.max(known.lastAtMs, atMs), count: known.count + 1 });
    };
    for (const entry of this.ledger.entries()) {
      if (entry.outcome === 'accepted') add(entry.digits, entry.atMs);
    }
    for (const received of this.inbound) add(received.from, received.atMs);
    return [...phones]
      .toSorted(([, one], [, other]) => other.lastAtMs - one.lastAtMs)
      .slice(0, limit)
      .map(([digits, { lastAtMs, count }]) => ({
        phone: `+${digits}`,
        last_at: new Date(lastAtMs).toISOString(),
        messages: count,
      }));
  }

  /** The number that a user wrote to or heard from last; null when nobody has. */
  numberOf(digits: string): string | null {
    let newest: { atMs: number; phoneNumberId: string } | null = null;
    for (const entry of this.ledger.entries()) {
      if (entry.digits === digits) newest = entry;
    }
    for (const received of this.inbound) {
      if (received.from === digits && received.atMs > (newest?.atMs ?? 0)) newest = received;
    }
    return newest?.phoneNumberId ?? null;
  }

  clear(): void {
    this.inbound = [];
  }
}

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

const shownInbound = ({ id, atMs, phoneNumberId, message }: InboundMessage): JsonObject => ({
  direction: 'in',
  id,
  at: new Date(atMs).toISOString(),
  phone_number_id: phoneNumberId,
  type: message.type,
  status: null,
  message,
});
