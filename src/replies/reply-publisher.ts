import { Injectable } from '@nestjs/common';
import type { ConcludedMessage } from '../messages/message-claims.js';
import { type ReplyHint, ReplyHints } from './reply-hints.js';

/** Tells API processes which of their messages have settled, those of one turn together. */
@Injectable()
export class ReplyPublisher {
  private pending = new Map<string, ReplyHint[]>();

  constructor(private readonly hints: ReplyHints) {}

  publish({ id, origin, status }: ConcludedMessage): void {
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
