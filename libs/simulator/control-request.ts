import type { FastifyRequest } from 'fastify';
import { isObject, type JsonObject } from './checks.js';

/** A request to the simulator itself. */
export type ControlRequest = FastifyRequest<{ Querystring: URLSearchParams; Body?: string }>;

/** A control request that cannot be carried out; the text is the answer. */
export class ControlError extends Error {
  constructor(
    message: string,
    readonly statusCode = 400,
  ) {
    super(message);
  }
}

/** The body as JSON; throws `ControlError` when it is none. */
export const jsonBody = ({ body = '' }: ControlRequest): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    throw new ControlError('the body must be JSON');
  }
};

/** The body as an object; throws `ControlError` when it is none, or has a field that is not known. */
export const objectWith = (body: unknown, known: readonly string[]): JsonObject => {
  if (!isObject(body)) throw new ControlError('the body must be a JSON object');
  const strange = Object.keys(body).find((key) => !known.includes(key));
  if (strange !== undefined) {
    throw new ControlError(`the body takes ${known.join(', ')}, not "${strange}"`);
  }
  return body;
};

/** A number of the query; throws `ControlError` when it is no whole number. */
export const wholeNumber = (query: URLSearchParams, name: string, byDefault: number): number => {
  const text = query.get(name);
  if (text === null || text === '') return byDefault;
  if (!/^\d{1,15}$/.test(text)) throw new ControlError(`${name} must be a whole number`);
  return Number(text);
};
