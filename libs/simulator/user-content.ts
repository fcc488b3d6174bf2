import { isObject, type JsonObject } from './checks.js';
import { ControlError } from './control-request.js';

const locationFields = ['latitude', 'longitude', 'name', 'address'];
const contactFields = ['name', 'phone'];

/** A place as the webhook reports it. Throws a `ControlError`. */
export const locationContent = (given: unknown): JsonObject => {
  const location = partWith(given, 'location', locationFields);
  for (const [key, max] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const value = location[key];
    if (typeof value !== 'number' || !(Math.abs(value) <= max)) {
      throw new ControlError(`location.${key} must be a number from -${max} to ${max}`);
    }
  }
  for (const key of ['name', 'address']) {
    if (location[key] !== undefined) requiredText(location, 'location', key);
  }
  return { type: 'location', location };
};

/**
 * What an edit or a revocation says: which message, and of an edit its new content, whole or as a text. Throws a
 * `ControlError`.
 */
export const changeContent = (kind: 'edit' | 'revoke', given: unknown): JsonObject => {
  const known = ['original_message_id', ...(kind === 'edit' ? ['message', 'text'] : [])];
  const change = partWith(given, kind, known);
  const original_message_id = requiredText(change, kind, 'original_message_id');
  if (kind === 'revoke') return { type: kind, revoke: { original_message_id } };
  const { message } = change;
  if (message !== undefined && !isObject(message)) {
    throw new ControlError('edit.message must be a whole message, such as {"type": "text", …}');
  }
  const content = message ?? { type: 'text', text: { body: requiredText(change, kind, 'text') } };
  return { type: kind, edit: { original_message_id, message: content } };
};

const referralFields = [
  'source_url',
  'source_id',
  'source_type',
  'headline',
  'body',
  'media_type',
  'image_url',
  'video_url',
  'thumbnail_url',
  'ctwa_clid',
  'welcome_message',
];

/** The ad that a user has clicked. Throws a `ControlError`. */
export const referralOf = (given: unknown): JsonObject => ({
  source_type: 'ad',
  ...partWith(given, 'referral', referralFields),
});

/** A contact card as the webhook reports it. Throws a `ControlError`. */
export const contactContent = (given: unknown): JsonObject => {
  const contact = partWith(given, 'contact', contactFields);
  const name = requiredText(contact, 'contact', 'name');
  const { phone } = contact;
  const digits = typeof phone === 'string' ? phone.replaceAll(/\D/g, '') : '';
  if (phone !== undefined && !/^\d{5,15}$/.test(digits)) {
    throw new ControlError('contact.phone must be a phone number');
  }
  return {
    type: 'contacts',
    contacts: [
      {
        name: { formatted_name: name, first_name: name.split(' ')[0] },
        ...(phone === undefined ? {} : { phones: [{ phone, wa_id: digits, type: 'CELL' }] }),
      },
    ],
  };
};

const partWith = (given: unknown, part: string, known: readonly string[]): JsonObject => {
  if (!isObject(given)) throw new ControlError(`${part} must be a JSON object`);
  const strange = Object.keys(given).find((key) => !known.includes(key));
  if (strange !== undefined) {
    throw new ControlError(`${part} takes ${known.join(', ')}, not "${strange}"`);
  }
  return given;
};

const requiredText = (given: JsonObject, part: string, key: string): string => {
  const value = given[key];
  if (typeof value !== 'string' || value.trim() === '') {
    throw new ControlError(`${part}.${key} must be a text`);
  }
  return value.trim();
};
