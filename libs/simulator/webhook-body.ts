import { createHmac } from 'node:crypto';
import type { JsonObject } from './checks.js';
import { errorCode } from './errors.js';
import type { MessageStatus } from './ledger.js';
import type { BusinessNumber } from './numbers.js';
import type { User } from './users.js';

/** Why a message costs something, or nothing. */
export type PriceType = 'regular' | 'free_customer_service' | 'free_entry_point';

/** The message that statuses are about: no more than they repeat, because many wait at once. */
export interface StatusSubject {
  wamid: string;
  number: BusinessNumber;
  /** Digits of the recipient; null when the message went to a user id and the number is hidden. */
  phone: string | null;
  user: User;
  callback: string | null;
  /** Pricing category: `service`, or the template's. */
  category: string;
  priceType: PriceType;
}

/** One thing that the platform has to tell. */
export type Notification =
  | {
      kind: 'status';
      subject: StatusSubject;
      status: Exclude<MessageStatus, 'accepted'>;
      atSeconds: number;
      failedCode: number | null;
    }
  | { kind: 'value'; accountId: string; field: string; value: JsonObject; atSeconds: number };

/** The business account that a notification is about. */
export const accountOf = (notification: Notification): string =>
  notification.kind === 'value'
    ? notification.accountId
    : notification.subject.number.business_account_id;

/** The contact that accompanies a user's messages and statuses. */
export const contactOf = (
  phone: string | null,
  { user_id, parent_user_id, username, name }: User,
  hasUsername = true,
): JsonObject => ({
  profile: {
    name: name ?? `User ${(phone ?? user_id).slice(-4)}`,
    ...(username === null || !hasUsername ? {} : { username }),
  },
  ...(phone === null ? {} : { wa_id: phone }),
  user_id,
  ...(parent_user_id === null ? {} : { parent_user_id }),
});

export const metadataOf = (number: BusinessNumber): JsonObject => ({
  display_phone_number: number.display_phone_number,
  phone_number_id: number.phone_number_id,
});

interface StatusValue extends JsonObject {
  contacts?: JsonObject[];
  statuses: JsonObject[];
}

/**
 * The body of one webhook call: an entry for each business account, in it a change for each number.
 * The same notifications always give the same bytes, so a retry need not keep them.
 */
export const webhookBody = (notifications: readonly Notification[]): Buffer => {
  const entries = new Map<string, JsonObject & { changes: JsonObject[] }>();
  const statusValues = new Map<BusinessNumber, StatusValue>();
  const entryOf = (accountId: string) => {
    let entry = entries.get(accountId);
    if (entry === undefined) {
      entry = { id: accountId, changes: [] };
      entries.set(accountId, entry);
    }
    return entry;
  };
  for (const notification of notifications) {
    if (notification.kind === 'value') {
      const { accountId, field, value, atSeconds } = notification;
      const entry = entryOf(accountId);
      if (field !== 'messages') entry.time = atSeconds;
      entry.changes.push({ value, field });
      continue;
    }
    const { subject } = notification;
    let value = statusValues.get(subject.number);
    if (value === undefined) {
      value = {
        messaging_product: 'whatsapp',
        metadata: metadataOf(subject.number),
        statuses: [],
      };
      statusValues.set(subject.number, value);
      entryOf(subject.number.business_account_id).changes.push({ value, field: 'messages' });
    }
    // A failed status names no contact.
    if (notification.status !== 'failed') {
      value.contacts ??= [];
      // Names come with what shows that the user is there.
      value.contacts.push(contactOf(subject.phone, subject.user, notification.status !== 'sent'));
    }
    value.statuses.push(statusObject(notification));
  }
  const body = { object: 'whatsapp_business_account', entry: [...entries.values()] };
  return Buffer.from(escapeLikePlatform(JSON.stringify(body)), 'latin1');
};

const statusObject = ({
  subject,
  status,
  atSeconds,
  failedCode,
}: Extract<Notification, { kind: 'status' }>): JsonObject => ({
  id: subject.wamid,
  status,
  timestamp: String(atSeconds),
  ...(subject.phone === null ? {} : { recipient_id: subject.phone }),
  ...(status === 'failed' && subject.phone !== null
    ? {}
    : { recipient_user_id: subject.user.user_id }),
  ...(subject.user.parent_user_id === null || status === 'failed'
    ? {}
    : { recipient_parent_user_id: subject.user.parent_user_id }),
  ...(subject.callback === null ? {} : { biz_opaque_callback_data: subject.callback }),
  ...(status === 'sent' || status === 'delivered' ? { pricing: pricingOf(subject) } : {}),
  ...(failedCode === null ? {} : { errors: [statusError(failedCode)] }),
});

const pricingOf = ({ category, priceType: type }: StatusSubject): JsonObject => ({
  billable: type === 'regular',
  pricing_model: 'PMP',
  type,
  category,
});

const statusError = (code: number): JsonObject => {
  const { title, details } = errorCode(code);
  return {
    code,
    title,
    message: title,
    error_data: { details },
    href: '/documentation/business-messaging/whatsapp/support/error-codes',
  };
};

/**
 * JSON as the platform writes it: `/` escaped, and everything beyond ASCII as `\uXXXX`, an emoji as
 * two of them. If you parse and serialise it again, the bytes differ and the signature fails.
 */
export const escapeLikePlatform = (json: string): string =>
  json
    .replaceAll('/', '\\/')
    .replaceAll(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

/** Value of `X-Hub-Signature-256` over exactly these bytes. */
export const signatureOf = (body: Buffer, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
