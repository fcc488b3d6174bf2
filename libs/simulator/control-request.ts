import type { IncomingHttpHeaders } from 'node:http';

/** A request to the simulator itself, read to its end. */
export interface ControlRequest {
  method: string;
  /** Path below `/_simulator/`, split at slashes. */
  path: string[];
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  raw: string;
}

/** A control request that cannot be carried out; the text is the answer. */
export class ControlError extends Error {
  constructor(
    readonly http: number,
    message: string,
  ) {
    super(message);
  }
}

/** The body as JSON; throws `ControlError` when it is none. */
export const jsonBody = ({ raw }: ControlRequest): unknown => {
  try {
    return JSON.parse(raw);
  } catch {
    throw new ControlError(400, 'the body must be JSON');
  }
};

/** A number of the query; throws `ControlError` when it is no whole number. */
export const wholeNumber = (query: URLSearchParams, name: string, byDefault: number): number => {
  const text = query.get(name);
  if (text === null || text === '') return byDefault;
  if (!/^\d{1,15}$/.test(text)) throw new ControlError(400, `${name} must be a whole number`);
  return Number(text);
};
