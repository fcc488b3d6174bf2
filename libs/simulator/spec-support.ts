import { createServer } from 'node:http';
import type { JsonObject } from './checks.js';
import type { SimulatorOptions } from './options.js';
import { type Simulator, startSimulator } from './server.js';

export const ownNumberId = '106540352242922';
const authorized = { authorization: 'Bearer token', 'content-type': 'application/json' };

/** An answer as a specification looks at it. */
export interface Answered {
  http: number;
  headers: Headers;
  text: string;
  /** Untyped, for easy access; null when the answer is not JSON. */
  json: ReturnType<typeof JSON.parse>;
}

/** Posts a message in place of `SimulatorUnderTest.send`, which it is given. */
export type StandIn = (body: unknown, send: () => Promise<Answered>) => Promise<Answered>;

/** A running simulator, and the calls that specifications make. */
export class SimulatorUnderTest {
  /** Set where the specifications are played through something in front of a platform with its usual options. */
  static standIn: StandIn | null = null;

  private constructor(
    readonly simulator: Simulator,
    private readonly isUsual: boolean,
  ) {}

  static async start(options: SimulatorOptions = {}): Promise<SimulatorUnderTest> {
    const isUsual = Object.keys(options).length === 0;
    return new SimulatorUnderTest(await startSimulator({ port: 0, ...options }), isUsual);
  }

  close(): Promise<void> {
    return this.simulator.close();
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = authorized,
  ): Promise<Answered> {
    const response = await fetch(`${this.simulator.url}${path}`, {
      method,
      headers,
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { http: response.status, headers: response.headers, text, json: parsed(text) };
  }

  send(body: unknown, headers?: Record<string, string>): Promise<Answered> {
    const { standIn } = SimulatorUnderTest;
    const post = () => this.post(body, headers);
    return standIn && this.isUsual && headers === undefined ? standIn(body, post) : post();
  }

  private post(body: unknown, headers?: Record<string, string>): Promise<Answered> {
    return this.call('POST', `/v25.0/${ownNumberId}/messages`, body, headers);
  }

  /** Uploads a file, a PDF unless the fields say otherwise; a field that is null is left out. */
  async upload(
    content: string | Uint8Array<ArrayBuffer> = '%PDF',
    fields: Readonly<Record<string, string | null>> = {},
  ): Promise<Answered> {
    const form = new FormData();
    const { file = 'application/pdf', ...texts } = { messaging_product: 'whatsapp', ...fields };
    for (const [name, value] of Object.entries(texts)) if (value !== null) form.set(name, value);
    if (file !== null) form.set('file', new Blob([content], { type: file }), 'a');
    const response = await fetch(`${this.simulator.url}/v25.0/${ownNumberId}/media`, {
      method: 'POST',
      headers: { authorization: 'Bearer token' },
      body: form,
    });
    const text = await response.text();
    return { http: response.status, headers: response.headers, text, json: parsed(text) };
  }

  rule(fault: unknown, match: JsonObject = {}, times?: number): Promise<Answered> {
    return this.call('POST', '/_simulator/rules', {
      match,
      fault,
      ...(times === undefined ? {} : { times }),
    });
  }

  async reset(): Promise<void> {
    await this.call('POST', '/_simulator/reset', {});
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** A send with everything but its content. */
export const message = (type: string, content: unknown, more: JsonObject = {}): JsonObject => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '+16505551234',
  type,
  [type]: content,
  ...more,
});

export const textMessage = (more: JsonObject = {}): JsonObject =>
  message('text', { body: 'Hello' }, more);

/** A list message whose parts can be replaced. */
export const listMessage = (parts: JsonObject = {}, action: JsonObject = {}): JsonObject =>
  message('interactive', {
    type: 'list',
    body: { text: 'Which one?' },
    action: { button: 'Choose', sections: [{ rows: [{ id: 'a', title: 'A' }] }], ...action },
    ...parts,
  });

/** A list with one section for each number, which says how many rows it has. */
export const listWithRows = (...rowCounts: number[]): JsonObject =>
  listMessage(
    {},
    {
      sections: rowCounts.map((count, section) => ({
        title: `Section ${section}`,
        rows: Array.from({ length: count }, (_, row) => ({
          id: `${section}-${row}`,
          title: 'Row',
        })),
      })),
    },
  );

/** A message with reply buttons of these ids and titles. */
export const buttonMessage = (
  replies: ReadonlyArray<readonly [id: string, title: string]> = [['yes', 'Yes']],
  parts: JsonObject = {},
): JsonObject =>
  message('interactive', {
    type: 'button',
    body: { text: 'Sure?' },
    action: { buttons: replies.map(([id, title]) => ({ type: 'reply', reply: { id, title } })) },
    ...parts,
  });

/** A message that opens a flow; its parameters and parts can be replaced. */
export const flowMessage = (parameters: JsonObject = {}, parts: JsonObject = {}): JsonObject =>
  message('interactive', {
    type: 'flow',
    body: { text: 'Book a table' },
    action: {
      name: 'flow',
      parameters: { flow_message_version: '3', flow_id: '1', flow_cta: 'Book', ...parameters },
    },
    ...parts,
  });

/** A media carousel with a card for each object, which replaces parts of the card. */
export const carouselMessage = (cards: readonly JsonObject[], parts: JsonObject = {}): JsonObject =>
  message('interactive', {
    type: 'carousel',
    body: { text: 'Look' },
    action: {
      cards: cards.map((card, index) => ({
        card_index: index,
        type: 'cta_url',
        header: { type: 'image', image: { link: 'https://cdn.example/picture.png' } },
        action: {
          name: 'cta_url',
          parameters: { display_text: 'Open', url: 'https://x.example/' },
        },
        ...card,
      })),
    },
    ...parts,
  });

/** Waits until the condition gives a value, at most five seconds. */
export const until = async <T>(
  condition: () => T | null | undefined | false | Promise<T | null | undefined | false>,
): Promise<T> => {
  const end = Date.now() + 5000;
  for (;;) {
    const value = await condition();
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error('the condition did not come true within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** A webhook call as it came. */
export interface ReceivedCall {
  signature: string;
  raw: string;
  json: ReturnType<typeof JSON.parse>;
}

/** An endpoint that records every webhook call and answers as configured. */
export class WebhookEndpoint {
  readonly calls: ReceivedCall[] = [];
  /** Status of the next answers; 200 when there is none left. */
  readonly answers: number[] = [];
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('latin1');
      const signature = String(request.headers['x-hub-signature-256']);
      this.calls.push({ signature, raw, json: parsed(raw) });
      response.writeHead(this.answers.shift() ?? 200).end();
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/webhooks`;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  /** Every change of the calls so far, in order. */
  changes(): ReceivedCall['json'][] {
    return this.calls.flatMap(({ json }) =>
      json.entry.flatMap((entry: { changes: unknown[] }) => entry.changes),
    );
  }

  statuses(): ReceivedCall['json'][] {
    return this.changes().flatMap(({ value }) => value.statuses ?? []);
  }

  messages(): ReceivedCall['json'][] {
    return this.changes().flatMap(({ value }) => value.messages ?? []);
  }

  clear(): void {
    this.calls.length = 0;
    this.answers.length = 0;
  }
}
