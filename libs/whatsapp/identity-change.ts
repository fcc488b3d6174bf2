import { isObject, type JsonObject, toId, toText } from './json.js';

/** A user's ids; null where the platform does not give one. Phone numbers are digits. */
export interface UserIds {
  phone: string | null;
  userId: string | null;
}

/** What a system message says of a user whose number, user id or both have changed. */
export interface IdentityChange {
  previous: ChangedIds;
  current: ChangedIds;
}

interface ChangedIds extends UserIds {
  /** The user's id for all businesses of a portfolio. */
  parentUserId: string | null;
}

/** At the end of the text: before it comes the name of the user, who may call themselves anything. */
const changeForm =
  / changed from ([A-Z]{2}\.[0-9A-Za-z.]{1,132}) to ([A-Z]{2}\.[0-9A-Za-z.]{1,132})$/;

/**
 * Reads the change in a system message: `user_changed_number` or `user_changed_user_id`; null for any other message.
 *
 * The previous id of a user stands in a field of its own, or as the sender, or in the text alone.
 * Source: https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/reference/messages/system
 */
export function identityChangeOf(message: JsonObject): IdentityChange | null {
  const { system } = message;
  if (message.type !== 'system' || !isObject(system)) return null;
  if (system.type !== 'user_changed_number' && system.type !== 'user_changed_user_id') return null;
  const hasNewNumber = system.type === 'user_changed_number';
  const current = {
    phone: toId(system.new_wa_id) ?? toId(system.wa_id),
    userId: toText(system.user_id),
    parentUserId: toText(system.parent_user_id),
  };
  const [, told = null, toldNew = null] = changeForm.exec(toText(system.body) ?? '') ?? [];
  const namedBefore = [
    toText(system.previous_user_id),
    toText(message.from_user_id),
    toldNew === current.userId ? told : null,
  ];
  const previous = {
    phone: hasNewNumber ? toId(message.from) : null,
    userId: namedBefore.find((id) => id !== null && id !== current.userId) ?? null,
    parentUserId: toText(system.previous_parent_user_id),
  };
  const isKnown = hasNewNumber ? current.phone !== null : current.userId !== null;
  return isKnown ? { previous, current } : null;
}
