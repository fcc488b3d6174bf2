import { Agent, request } from 'undici';
import { catalogue, type ErrorCode } from '../../src/errors/catalogue.js';

/** A request as it goes out. */
export interface Call {
  readonly method: string;
  /** With its query, from the root. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** An answer, read to its end. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed JSON, or null. */
  readonly body: any;
}

/** Makes calls over a few connections, as they are: nothing is normalised or repeated. */
export class Caller {
  private readonly agent = new Agent({ connections: 32, pipelining: 1, bodyTimeout: 60_000 });

  constructor(private readonly url: string) {}

  async call({ method, path, headers, body }: Call): Promise<CallAnswer> {
    const answer = await request(`${this.url}${path}`, {
      dispatcher: this.agent,
      method: method as 'POST',
      headers,
      body,
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, body: parsed(text) };
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Internals that no answer may show: stack traces, files, statements, libraries. */
const insides =
  /\n\s+at |node_modules|node:internal|dist\/src|\.js:\d|QueryFailed|violates|syntax error at|relation "|SQLSTATE|ioredis|BullMQ|TypeError|RangeError|ReferenceError/;

/**
 * Why an answer is not acceptable, or null: it is in the envelope, has its request id, names
 * a code of the catalogue with its status, and shows no internals.
 */
export function faultOf(answer: CallAnswer): string | null {
  const { status, headers, body } = answer;
  if (typeof body?.success !== 'boolean') return 'is not in the envelope';
  if (body.meta?.request_id !== headers['x-request-id']) return 'does not tell its request id';
  if (!/^req_[0-9a-f]{32}$/.test(body.meta.request_id)) return 'has a request id of another form';
  if (body.success) return status === 200 || status === 202 ? null : 'is a success without 200';
  const { code, message } = body.error ?? {};
  const entry = Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode] : null;
  if (!entry) return `names the code ${code}`;
  if (typeof message !== 'string' || message === '') return 'says nothing';
  if (status >= 500) return 'is a fault of ours';
  const isOfTheSocket = code === 'VALIDATION_ERROR' && [408, 413, 431].includes(status);
  if (status !== entry.status && !isOfTheSocket) return `has ${status} with ${code}`;
  return insides.test(message) ? 'shows our insides' : null;
}

/** A call with its answer, for the report of a failure. */
export function describeCall(call: Call, { status, text }: CallAnswer): string {
  const body = call.body?.toString().slice(0, 2_000) ?? '';
  return [
    `${call.method} ${call.path} ${JSON.stringify(call.headers)}`,
    body,
    `→ ${status} ${text.slice(0, 2_000)}`,
  ].join('\n');
}
