import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Store } from './installation.js';
import type { LeasedFacts } from './server-process.js';

/** A standing stack, as its test sees it. */
export interface LeaseFacts {
  readonly id: string;
  readonly databaseUrl: string;
  readonly simulator: LeasedFacts;
  readonly apis: readonly LeasedFacts[];
  readonly workers: readonly LeasedFacts[];
}

/** The right to a standing stack; see `stack-leases.ts`. */
export class Lease {
  private constructor(readonly facts: LeaseFacts) {}

  /** Waits until a standing stack is free. */
  static async take(store: Store): Promise<Lease> {
    return new Lease(await ask<LeaseFacts>('POST', { store, holder: holder() }));
  }

  giveBack(): Promise<void> {
    return ask('DELETE', { id: this.facts.id });
  }
}

/** Names the file of tests. When its process asks for another file, the file has ended without giving back. */
function holder(): { process: number; file: string } {
  return { process: process.pid, file: expect.getState().testPath ?? '' };
}

/** Not by `fetch`: its pool keeps connections of a file of tests that has ended, and it waits five minutes only. */
async function ask<T>(method: string, body: object): Promise<T> {
  const payload = JSON.stringify(body);
  const headers = { connection: 'close', 'content-length': Buffer.byteLength(payload) };
  const outgoing = request(process.env.PARLEY_TEST_LEASES_URL ?? '', { method, headers });
  outgoing.end(payload);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`no stack on lease: ${answer}`);
  return JSON.parse(answer) as T;
}
