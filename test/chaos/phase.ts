import type { MessageStatus } from '../../src/messages/rows/message-status.js';
import type { Sent } from '../support/load.js';

/** Recipients whose messages the platform treats in its own way, known by a digit of their number. */
export interface Trouble {
  readonly digit: number;
  /** What the simulator does; see `libs/simulator/faults.ts`. */
  readonly fault: unknown;
  /** How often; default always. */
  readonly times?: number;
  /** Whether, for a time, only the platform knows the outcome. */
  readonly becomesUnconfirmed: boolean;
  /** Whether the platform reports their statuses. Default true. */
  readonly isReported?: boolean;
  /** What they may be in the end. */
  readonly ends: readonly MessageStatus[];
}

/** What a fault may do, and what was seen while it happened. */
export interface Phase {
  readonly title: string;
  /** The most messages that may be unconfirmed for a time, troubles apart. */
  unconfirmedMax: number;
  /** Whether a request may be refused or left unanswered because of it. */
  readonly mayRefuse: boolean;
  readonly troubles: readonly Trouble[];
  /** References of messages that may be gone, or stay unconfirmed, because the database has forgotten what it knew. */
  readonly mayBeForgotten: Set<string>;
  readonly sent: Sent[];
  /** What the fault itself found wrong, each with its invariant. */
  readonly violations: string[];
  /** Figures that are printed. */
  readonly notes: string[];
  /** Called when everything has come to rest; returns what is wrong. */
  readonly afterwards: (() => Promise<string[]>)[];
  recoveredMs: number;
}

/** The digit that a recipient of the load has: its trouble's, else 0. */
export function digitOf(troubles: readonly Trouble[], sequence: number): number {
  const digit = sequence % 10;
  return troubles.some((trouble) => trouble.digit === digit) ? digit : 0;
}

/** A number that only the load has: `+4931`, the digit, the sequence. */
export function recipientOf(digit: number, sequence: number): string {
  return `+4931${digit}${String(sequence).padStart(6, '0')}`;
}
