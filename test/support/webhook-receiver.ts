import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { holdEventToDocument } from './api-document.js';

/** A request that the receiver got. */
export interface ReceivedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: any;
  readonly at: number;
}

/** What the receiver answers: `hang` nothing, `trickle` a byte a second, `flood` bytes without end. */
export type Reaction =
  | 'hang'
  | 'trickle'
  | 'flood'
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string | Buffer;
      delayMs?: number;
    };

/** A caller's endpoint. Each path may react in its own way; all of them take everything by default. */
export class WebhookReceiver {
  readonly events: ReceivedEvent[] = [];
  private readonly reactions = new Map<string, (count: number) => Reaction>();
  private readonly tokens = new Map<string, string>();
  private readonly open = new Map<string, { now: number; most: number }>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    // As long as most receivers keep theirs.
    const server = createServer({ keepAliveTimeout: 60_000 });
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const path = request.url ?? '/';
        receiver.events.push({
          path,
          headers: request.headers,
          raw,
          body: raw === '' ? null : JSON.parse(raw),
          at: performance.now(),
        });
        const reaction = receiver.reactions.get(path)?.(receiver.requestsAt(path).length) ?? {
          status: 200,
        };
        receiver.countOpen(path, response);
        if (receiver.answersChallenge(path, response)) return;
        const delayMs = typeof reaction === 'object' ? (reaction.delayMs ?? 0) : 0;
        setTimeout(() => answer(response, reaction), delayMs);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /**
   * What came to a path, oldest first.
   * @throws Error for an event that the API document does not allow.
   */
  at(path: string): ReceivedEvent[] {
    const events = this.requestsAt(path);
    for (const { headers, body } of events) {
      if ('webhook-signature' in headers) holdEventToDocument(body);
    }
    return events;
  }

  /** @param reaction gets the number of requests to the path so far, this one included. */
  react(path: string, reaction: (count: number) => Reaction): void {
    this.reactions.set(path, reaction);
  }

  /** From now on a path answers a challenge with this verify token, as a webhook of WhatsApp does. */
  knowToken(path: string, token: string): void {
    this.tokens.set(path, token);
  }

  private answersChallenge(path: string, response: ServerResponse): boolean {
    const { pathname, searchParams } = new URL(path, 'http://receiver');
    const token = this.tokens.get(pathname);
    if (token === undefined || !searchParams.has('hub.challenge')) return false;
    const isRight =
      searchParams.get('hub.mode') === 'subscribe' &&
      searchParams.get('hub.verify_token') === token;
    response.writeHead(isRight ? 200 : 403).end(isRight ? searchParams.get('hub.challenge') : '');
    return true;
  }

  /** The most requests that waited for their answers at the same time. */
  mostAtOnce(path: string): number {
    return this.open.get(path)?.most ?? 0;
  }

  private countOpen(path: string, response: ServerResponse): void {
    const open = this.open.get(path) ?? { now: 0, most: 0 };
    this.open.set(path, open);
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.once('close', () => (open.now -= 1));
  }

  private requestsAt(path: string): ReceivedEvent[] {
    return this.events.filter((event) => event.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

function answer(response: ServerResponse, reaction: Reaction): void {
  switch (reaction) {
    case 'hang':
      return;
    case 'trickle': {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 1_000);
      response.once('close', () => clearInterval(timer));
      return;
    }
    case 'flood': {
      response.writeHead(200);
      const piece = Buffer.alloc(64 * 1024, '.');
      const flood = new Readable({ read: () => flood.push(piece) });
      response.once('close', () => flood.destroy());
      flood.pipe(response);
      return;
    }
    default:
      response.writeHead(reaction.status, reaction.headers).end(reaction.body ?? 'taken');
  }
}
