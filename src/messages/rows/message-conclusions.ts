import { Injectable } from '@nestjs/common';
import { type EventHint, EventHints } from '../../hints/event-hints.js';
import { type ReplyHint, ReplyHints } from '../../hints/reply-hints.js';
import type { MessageOutcome } from '../message.js';

/** A change that a caller may be waiting for. */
export interface ConcludedMessage extends MessageOutcome {
  readonly origin: string | null;
  /** The endpoint that has something to get because of it, or null. */
  readonly endpointToWake: EventHint | null;
}

/**
 * Notifies those that a conclusion concerns: the API process whose caller may be waiting, and the worker that
 * delivers its event. Those of one turn go together, and all of them are hints.
 */
@Injectable()
export class MessageConclusions {
  private pending = new Map<string, ReplyHint[]>();

  constructor(
    private readonly hints: ReplyHints,
    private readonly events: EventHints,
  ) {}

  publish({ id, origin, status, endpointToWake }: Omit<ConcludedMessage, 'failure'>): void {
    if (endpointToWake) this.events.wake(endpointToWake.endpointId, endpointToWake.dueMs);
    if (origin === null) return;
    if (this.pending.size === 0) setImmediate(() => this.flush());
    const hints = this.pending.get(origin);
    if (hints) hints.push({ id, status });
    else this.pending.set(origin, [{ id, status }]);
  }

  private flush(): void {
    const pending = this.pending;
    this.pending = new Map();
    for (const [origin, hints] of pending) void this.hints.publish(origin, hints);
  }
}
