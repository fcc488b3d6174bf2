import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A network path to a server on this machine that can be cut and joined again. */
export class Link {
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;

  /** The port that it leads to; set it before anybody connects. */
  target = 0;

  /** @param port where it listens. */
  constructor(readonly port: number) {}

  /** Lets connections through. */
  async join(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(this.target, '127.0.0.1');
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        socket.setNoDelay(true);
        this.sockets.add(socket);
        socket.on('error', () => {});
        socket.once('close', () => {
          this.sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
  }

  /** Resets every connection at once and refuses new ones. */
  cut(): void {
    this.server?.close();
    this.server = null;
    for (const socket of this.sockets) socket.resetAndDestroy();
  }
}
