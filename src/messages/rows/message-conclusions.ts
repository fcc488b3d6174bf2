import { Injectable } from '@nestjs/common';
import { type EventHint, EventHints } from '../../hints/event-hints.js';
import { type ReplyHint, ReplyHints } from '../../hints/reply-hints.js';
import { SendsQueue } from '../../hints/sends-queue.js';
import type { MessageOutcome } from '../message.js';

/** A change that a caller may be waiting for. */
export interface ConcludedMessage extends MessageOutcome {
  readonly origin: string | null;
  /** The endpoints that have something to get because of it; null where there are none. */
  readonly endpointsToWake: readonly EventHint[] | null;
  /** The message that this one is the fallback of, or null. */
  readonly fallbackFor: string | null;
  /** The fallback that was stored because this one failed. */
  readonly fallbackId?: string | null;
}

/**
 * Notifies the API process whose caller may be waiting, and the worker that delivers the event. Notifications of
 * one turn of the event loop go together, and all of them are hints.
 */
@Injectable()
export class MessageConclusions {
  private pending = new Map<string, ReplyHint[]>();

  constructor(
    private readonly hints: ReplyHints,
    private readonly events: EventHints,
    private readonly sends: SendsQueue,
  ) {}

  publish(concluded: Omit<ConcludedMessage, 'failure'>): void {
    const { id, origin, status, endpointsToWake, fallbackFor, fallbackId } = concluded;
    for (const { endpointId, dueMs } of endpointsToWake ?? []) this.events.wake(endpointId, dueMs);
    if (fallbackId) void this.sends.addHint({ waiting: [fallbackId], background: [] });
    if (origin === null) return;
    if (this.pending.size === 0) setImmediate(() => this.flush());
    // A caller that waits for a failed message reads the state of its fallback.
    const hint: ReplyHint = fallbackFor ? { id: fallbackFor, status: 'failed' } : { id, status };
    const hints = this.pending.get(origin);
    if (hints) hints.push(hint);
    else this.pending.set(origin, [hint]);
  }

  private flush(): void {
    const pending = this.pending;
    this.pending = new Map();
    for (const [origin, hints] of pending) void this.hints.publish(origin, hints);
  }
}
