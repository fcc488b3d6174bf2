import type { IncomingHttpHeaders } from 'node:http';

/** A request that the receiver took. */
export interface ReceivedRequest {
  sequence: number;
  at: string;
  headers: IncomingHttpHeaders;
  /** Parsed JSON, or the text when it is none. */
  body: unknown;
  /** The body as it came, over which a signature is checked. */
  raw: string;
}

const requestsMax = 1000;
const bodyMaxCharacters = 65_536;

/** A webhook endpoint that takes everything, for trying out what a customer's would get. */
export class Receiver {
  private requests: ReceivedRequest[] = [];
  private lastSequence = 0;

  take(headers: IncomingHttpHeaders, raw: string): void {
    this.requests.push({
      sequence: ++this.lastSequence,
      at: new Date().toISOString(),
      headers,
      body: parsed(raw),
      raw: raw.slice(0, bodyMaxCharacters),
    });
    if (this.requests.length > requestsMax) this.requests.shift();
  }

  /** The newest requests after a sequence, oldest first. */
  list(after: number, limit: number): ReceivedRequest[] {
    return this.requests.filter(({ sequence }) => sequence > after).slice(0, limit);
  }

  clear(): void {
    this.requests = [];
  }
}

const parsed = (raw: string): unknown => {
  if (raw.length > bodyMaxCharacters) return raw.slice(0, bodyMaxCharacters);
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
};
