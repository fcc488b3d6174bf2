import { assertObject } from './checks.js';
import { injectedError, invalidParameter } from './errors.js';
import type { BusinessNumber } from './numbers.js';

/** Registers a number for the Cloud API. Throws the platform's refusal of a body, or of a wrong PIN. */
export const register = (number: BusinessNumber, body: unknown): void => {
  const fields = parsed(body);
  assertObject(fields, 'body');
  if (fields.messaging_product !== 'whatsapp') {
    throw invalidParameter('The parameter messaging_product is required.');
  }
  const { pin } = fields;
  if (typeof pin !== 'string' || !/^\d{6}$/.test(pin)) {
    throw invalidParameter('Param pin must be a string of 6 digits.');
  }
  if (number.pin !== null && number.pin !== pin) throw injectedError(133005);
  number.pin = pin;
  number.registered = true;
};

const parsed = (body: unknown): unknown => {
  try {
    return JSON.parse(String(body));
  } catch {
    return null;
  }
};
