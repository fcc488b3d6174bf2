import type { Conversations } from './conversations.js';
import { invalidValue } from './errors.js';

/** A message of a user that the business has marked as read. */
export interface Read {
  phone_number_id: string;
  message_id: string;
  /** Whether the request showed "typing" as well. */
  typing: boolean;
  at: string;
}

const readsMax = 1000;
const typingMs = 25_000;

/** What businesses have read, and to whom they are typing. */
export class Reads {
  private reads: Read[] = [];
  /** When typing ends, by business number and user. */
  private readonly typing = new Map<string, number>();

  /** @param now the time, so that a test need not wait for typing to end. */
  constructor(
    private readonly conversations: Conversations,
    private readonly now: () => number,
  ) {}

  /** Marks a user's message and the earlier ones as read. Throws the platform's refusal of an unknown one. */
  mark(phoneNumberId: string, messageId: string, typing: boolean): void {
    const message = this.conversations.markRead(phoneNumberId, messageId);
    if (message === null) throw invalidValue('message_id is no message to this number');
    const atMs = this.now();
    const at = new Date(atMs).toISOString();
    this.reads.push({ phone_number_id: phoneNumberId, message_id: messageId, typing, at });
    if (this.reads.length > readsMax) this.reads.shift();
    if (typing) this.beginTyping(keyOf(phoneNumberId, message.from), atMs);
  }

  /** The newest requests, oldest first; of one business number or all. */
  list(phoneNumberId: string | null): Read[] {
    return this.reads.filter(
      (read) => (phoneNumberId ?? read.phone_number_id) === read.phone_number_id,
    );
  }

  /** A message from the business ends its typing. */
  endTyping(phoneNumberId: string, digits: string): void {
    // Every send comes here, and hardly one is typed.
    if (this.typing.size > 0) this.typing.delete(keyOf(phoneNumberId, digits));
  }

  /**
   * Until when a business is typing to a user, or null.
   * @param numbers ids of the business numbers to look at; null for all.
   */
  typingUntil(digits: string, numbers: readonly string[] | null): string | null {
    let untilMs = this.now();
    let found = false;
    for (const [key, endMs] of this.typing) {
      const [number = '', user] = key.split(' ');
      if (user !== digits || !(numbers?.includes(number) ?? true) || endMs <= untilMs) continue;
      untilMs = endMs;
      found = true;
    }
    return found ? new Date(untilMs).toISOString() : null;
  }

  private beginTyping(key: string, atMs: number): void {
    // In the order of their ends, so that those in the past are the first.
    this.typing.delete(key);
    this.typing.set(key, atMs + typingMs);
    for (const [oldest, endMs] of this.typing) {
      if (endMs > atMs) break;
      this.typing.delete(oldest);
    }
  }

  clear(): void {
    this.reads = [];
    this.typing.clear();
  }
}

const keyOf = (phoneNumberId: string, digits: string): string => `${phoneNumberId} ${digits}`;
