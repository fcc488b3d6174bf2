import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A way to the simulator that a test can watch and block. It passes the host on, so the addresses
 * of further pages lead through it, too.
 */
export class Passage {
  /** Paths of the requests for templates that came through, oldest first. */
  readonly asked: string[] = [];
  /** Where it leads; until it is set everything is answered 503. */
  target: string | null = null;
  /** Returns whether a request for templates is answered 500. */
  isBlocked: (path: string) => boolean = () => false;
  /** Awaited before a request for templates is passed on. */
  hold: () => Promise<void> = () => Promise.resolve();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Passage> {
    const server = createServer();
    const passage = new Passage(server);
    server.on('request', (incoming, outgoing) => void passage.pass(incoming, outgoing));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return passage;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url ?? '';
    if (this.target === null) return void outgoing.writeHead(503).end();
    if (path.includes('/message_templates')) {
      this.asked.push(path);
      await this.hold();
      if (this.isBlocked(path)) return void outgoing.writeHead(500).end('{}');
    }
    const { method, headers } = incoming;
    const forwarded = request(`${this.target}${path}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  }
}
