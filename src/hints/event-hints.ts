import { Injectable } from '@nestjs/common';
import { HintChannel } from './hint-channel.js';

/** An endpoint that has something to get, and since when: milliseconds of PostgreSQL's clock. */
export interface EventHint {
  readonly endpointId: string;
  readonly dueMs: number;
}

const channelName = 'events';

/** At most this many hints in one text: PostgreSQL takes 8,000 bytes in a NOTIFY. */
const hintsMax = 120;

/** The first hint of a quiet moment goes at once; those of the next milliseconds share one text. */
const gatherMs = 4;

/**
 * Notifies all workers which endpoints have events to get. The worker that delivers to the endpoint
 * reads them; if there is none, one of them takes the endpoint.
 */
@Injectable()
export class EventHints {
  private pending = new Map<string, number>();
  private isGathering = false;

  constructor(private readonly channel: HintChannel) {}

  /** Calls `listener` with every hint, and `onGap` when some may have been lost. */
  listen(listener: (hints: EventHint[]) => void, onGap: () => void): Promise<void> {
    return this.channel.listen(channelName, (text) => listener(decode(text)), onGap);
  }

  /** Announces one endpoint. @param dueMs when its earliest event is due. */
  wake(endpointId: string, dueMs: number): void {
    const known = this.pending.get(endpointId) ?? Number.POSITIVE_INFINITY;
    this.pending.set(endpointId, Math.min(known, dueMs));
    if (this.isGathering) return;
    this.isGathering = true;
    setImmediate(() => this.flush());
  }

  private flush(): void {
    const hints = [...this.pending].map(([id, dueMs]) => `${id}:${dueMs}`);
    this.pending = new Map();
    this.isGathering = hints.length > 0;
    if (!this.isGathering) return;
    setTimeout(() => this.flush(), gatherMs).unref();
    for (let start = 0; start < hints.length; start += hintsMax) {
      void this.channel.publish(channelName, hints.slice(start, start + hintsMax).join(' '));
    }
  }
}

function decode(text: string): EventHint[] {
  return text.split(' ').flatMap((part) => {
    const [endpointId, due] = part.split(':');
    const dueMs = Number(due);
    return endpointId && Number.isFinite(dueMs) ? [{ endpointId, dueMs }] : [];
  });
}
