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
