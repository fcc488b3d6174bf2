import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** Decides what to do with one complete request; `text` is the request as received. */
export type Script = (socket: Socket, text: string) => void;

/**
 * A TCP server that says exactly what a test wants, including what no HTTP server would. For tests only.
 * Each request is recorded before its script runs.
 */
export class ScriptedServer {
  readonly requests: string[] = [];
  readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  static async listen(script: Script): Promise<ScriptedServer> {
    const server = createServer();
    const scripted = new ScriptedServer(server);
    server.on('connection', (socket) => {
      scripted.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      let received = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        const text = received.toString();
        const bodyAt = text.indexOf('\r\n\r\n') + 4;
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (bodyAt > 3 && Buffer.byteLength(text.slice(bodyAt)) >= length) {
          received = Buffer.alloc(0);
          scripted.requests.push(text);
          script(socket, text);
        }
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return scripted;
  }

  get origin(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') {
      throw new Error('the server is not listening');
    }
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) {
      socket.destroy();
    }
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A complete HTTP/1.1 response. `body` is sent as it is, or as JSON when it is not a string. */
export function response(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const head = { 'content-length': String(Buffer.byteLength(text)), ...headers };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} X`, ...lines, '', text].join('\r\n');
}
