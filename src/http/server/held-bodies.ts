import type { IncomingMessage } from 'node:http';
import { Timers } from '../../timers/timers.js';

/** Bytes of bodies that are still coming in, over all connections of a process. */
const heldMaxBytes = 32 * 1024 * 1024;

interface HeldBody {
  bytes: number;
  readonly sinceMs: number;
  readonly giveUp: (reason: 'crowded' | 'late') => void;
}

interface HeldBodiesOptions {
  readonly maxBytes?: number;
  /** How long a body may take to come in. */
  readonly maxMs: number;
  readonly checkEveryMs: number;
}

/**
 * Bodies that are not complete yet. When they get too many, the one that has been coming in for the
 * longest is dropped: slow senders give way to fast ones. Those that take too long are dropped too.
 */
export class HeldBodies {
  private readonly bodies = new Map<IncomingMessage, HeldBody>();
  private bytes = 0;
  private readonly maxBytes: number;

  constructor(timers: Timers, { maxBytes = heldMaxBytes, maxMs, checkEveryMs }: HeldBodiesOptions) {
    this.maxBytes = maxBytes;
    timers.every(checkEveryMs, 'drop late bodies', () => this.dropLate(performance.now() - maxMs));
  }

  /** Call it before the first byte. @param giveUp drops the bytes received and answers. */
  begin(message: IncomingMessage, giveUp: HeldBody['giveUp']): void {
    this.bodies.set(message, { bytes: 0, sinceMs: performance.now(), giveUp });
  }

  /** Call it before bytes are kept. */
  addBytes(message: IncomingMessage, bytes: number): void {
    const body = this.bodies.get(message);
    if (!body) return;
    body.bytes += bytes;
    this.bytes += bytes;
    for (const [oldest, { bytes: held, giveUp }] of this.bodies) {
      if (this.bytes <= this.maxBytes) break;
      if (held === 0) continue;
      this.end(oldest);
      giveUp('crowded');
    }
  }

  /** Drops the bodies that began before a moment; the map has the oldest first. */
  private dropLate(beforeMs: number): void {
    for (const [oldest, { sinceMs, giveUp }] of this.bodies) {
      if (sinceMs > beforeMs) break;
      this.end(oldest);
      giveUp('late');
    }
  }

  /** Call it when the body is complete, or its connection is gone. */
  end(message: IncomingMessage): void {
    this.bytes -= this.bodies.get(message)?.bytes ?? 0;
    this.bodies.delete(message);
  }
}
