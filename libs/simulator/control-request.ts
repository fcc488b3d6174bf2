import type { FastifyRequest } from 'fastify';

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

/** A number of the query; throws `ControlError` when it is no whole number. */
export const wholeNumber = (query: URLSearchParams, name: string, byDefault: number): number => {
  const text = query.get(name);
  if (text === null || text === '') return byDefault;
  if (!/^\d{1,15}$/.test(text)) throw new ControlError(`${name} must be a whole number`);
  return Number(text);
};
