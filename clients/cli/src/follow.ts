import { setTimeout as pause } from 'node:timers/promises';
import type { ListedMessage, MessageFilter } from '../../typescript/src/index.js';
import { answerOf, type Connection } from './connection.js';
import { tell } from './output.js';
import { Patience, stopSignal } from './waiting.js';

interface Following {
  readonly filter: MessageFilter;
  /** How many of those that are there it begins with. */
  readonly limit: number;
  /** Seconds between two looks. */
  readonly interval: number;
  readonly show: (message: ListedMessage) => void;
}

/** One page holds this many; a message beyond the newest page is looked at no more. */
const pageSize = 100;
const knownMost = 10_000;

/** Shows the newest messages, then those that come and those whose status changes, until it is asked to end. */
export async function follow(connection: Connection, following: Following): Promise<void> {
  const signal = stopSignal();
  const patience = new Patience(signal);
  const watch = new Watch(connection, following.filter, signal);
  try {
    const there = await answerOf(connection, watch.begin());
    for (const message of there.slice(-following.limit)) following.show(message);
    tell('Following. Ctrl-C ends it.');
    for (;;) {
      await pause(1_000 * following.interval, undefined, { signal });
      try {
        for (const message of await watch.changes()) following.show(message);
        patience.renew();
      } catch (error) {
        await patience.wait(error);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    tell('Stopped.');
  }
}

/** Knows what has been seen of a list of messages. */
class Watch {
  private readonly known = new Map<string, ListedMessage['status']>();
  /** What is older was there before, and is not news when it moves onto the newest page. */
  private oldest = '';

  constructor(
    private readonly connection: Connection,
    private readonly filter: MessageFilter,
    private readonly signal: AbortSignal,
  ) {}

  /** The messages of the newest page, the oldest first. */
  async begin(): Promise<ListedMessage[]> {
    const { messages, next_cursor } = await this.read();
    if (next_cursor !== null) this.oldest = messages.at(-1)?.message_id ?? '';
    for (const message of messages) this.learn(message);
    return messages.toReversed();
  }

  /** What is new or has another status, the oldest first. */
  async changes(): Promise<ListedMessage[]> {
    const found: ListedMessage[] = [];
    for (let cursor: string | undefined; ; ) {
      const { messages, next_cursor } = await this.read(cursor);
      // Ids are in the order of time.
      const recent = messages.filter(({ message_id: id }) => id >= this.oldest);
      const isAllNew =
        recent.length > 0 && !recent.some(({ message_id: id }) => this.known.has(id));
      found.push(...recent.filter(({ message_id: id, status }) => this.known.get(id) !== status));
      // More have come than a page holds.
      if (!isAllNew || next_cursor === null) break;
      cursor = next_cursor;
    }
    for (const message of found) this.learn(message);
    return found.toReversed();
  }

  private learn({ message_id: id, status }: ListedMessage): void {
    this.known.set(id, status);
    if (this.known.size <= knownMost) return;
    const [first = ''] = this.known.keys();
    this.known.delete(first);
  }

  private read(cursor?: string) {
    const filter = { ...this.filter, limit: pageSize, cursor };
    return this.connection.parley.listMessages(filter, { signal: this.signal });
  }
}
