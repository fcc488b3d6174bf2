import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** To the server, or back from it. */
type Direction = 'there' | 'back';

/** A network path to a server on this machine that can be cut, joined again, slowed down and held. */
export class Link {
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private readonly held: Record<Direction, Promise<void> | null> = { there: null, back: null };
  private readonly letGo: (() => void)[] = [];

  /** The port that it leads to; set it before anyone connects. */
  target = 0;

  /** Hears what goes to the server, in the pieces in which it came. */
  heard: (bytes: Buffer) => void = () => {};

  /** How long every piece of data is on its way, either way, in milliseconds. */
  delayMs = 0;

  /** @param port where it listens. */
  constructor(readonly port: number) {}

  /** Lets connections through. */
  async join(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(this.target, '127.0.0.1');
      near.on('data', (bytes) => this.heard(bytes));
      for (const [socket, other, direction] of [
        [near, far, 'there'],
        [far, near, 'back'],
      ] as const) {
        socket.setNoDelay(true);
        this.sockets.add(socket);
        socket.on('error', () => {});
        socket.once('close', () => {
          this.sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(this.way(direction)).pipe(other);
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

  /**
   * Takes connections and data and passes nothing on, until `release`: a half-open network.
   * @param directions `['back']`: what is asked arrives, and only the answers do not.
   */
  hold(directions: readonly Direction[] = ['there', 'back']): void {
    for (const direction of directions) {
      this.held[direction] ??= new Promise((resolve) => {
        this.letGo.push(resolve);
      });
    }
  }

  /** Holds the answers back from the first piece on, on its way to the server, that is `wanted`. */
  holdAnswersTo(wanted: (bytes: Buffer) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.heard = (bytes) => {
        if (!wanted(bytes)) return;
        this.heard = () => {};
        this.hold(['back']);
        resolve();
      };
    });
  }

  release(): void {
    this.held.there = null;
    this.held.back = null;
    for (const letGo of this.letGo.splice(0)) letGo();
  }

  private way(direction: Direction): Transform {
    return new Transform({
      transform: (data, _, done) => {
        if (this.delayMs === 0 && !this.held[direction]) done(null, data);
        else void this.passLater(direction, data, done);
      },
    });
  }

  private async passLater(
    direction: Direction,
    data: Buffer,
    done: TransformCallback,
  ): Promise<void> {
    if (this.delayMs > 0) await pause(this.delayMs);
    await this.held[direction];
    done(null, data);
  }
}
