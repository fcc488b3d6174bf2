import type { Schema } from './document-types.js';

export const text: Schema = { type: 'string' };
export const textOrNull: Schema = { type: ['string', 'null'] };

/** An object with members that are always there, others that may be, and any that are new. */
export function object(
  required: Record<string, Schema>,
  optional: Record<string, Schema> = {},
): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    ...(Object.keys(required).length > 0 && { required: Object.keys(required) }),
  };
}

/** The type of an event or a message. */
export const constant = (type: string): Schema => ({ type: 'string', const: type });

/** An object of which nothing is said. */
export const anyObject: Schema = { type: 'object', additionalProperties: true };
