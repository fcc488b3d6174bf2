import { Injectable } from '@nestjs/common';
import { HotStatements } from '../database/hot-statements.js';
import type { Row } from '../database/statements/statement.js';
import * as sql from './open-events.statements.js';

/** Where reading an endpoint's events goes on: everything due before it is in hand or settled. */
export interface ReadMark {
  /** Milliseconds of PostgreSQL's clock, rounded down. */
  readonly dueMs: number;
  /** The same with all its digits. */
  readonly dueAt: string;
  readonly seq: string;
}

/** The start of an endpoint's events. */
export const firstMark: ReadMark = { dueMs: 0, dueAt: '-infinity', seq: '0' };

/** The mark from which everything is read that is due from a moment on. */
export function markAt(dueMs: number): ReadMark {
  return { dueMs, dueAt: new Date(dueMs).toISOString(), seq: '0' };
}

/** What to read of one endpoint. */
export interface EventRead {
  readonly endpointId: string;
  readonly after: ReadMark;
  readonly limit: number;
}

/** An event that is due at an endpoint. */
export type OpenEvent = Readonly<Omit<Row<typeof sql.readOpenEvents>, keyof ReadMark>> & {
  readonly mark: ReadMark;
};

/** Reads events that are due. */
@Injectable()
export class OpenEvents {
  constructor(private readonly statements: HotStatements) {}

  /**
   * The next events of endpoints, each in the order in which they are due.
   * @param inHand events that this process had when it asked. They are left out even if they are settled
   * by the time of the answer, so no event is delivered again because a read began before it was settled.
   */
  async read(reads: readonly EventRead[], inHand: readonly string[]): Promise<OpenEvent[]> {
    const rows = await sql.readOpenEvents.rows(this.statements, {
      endpointIds: reads.map(({ endpointId }) => endpointId),
      dueAfter: reads.map(({ after }) => after.dueAt),
      afterSeqs: reads.map(({ after }) => after.seq),
      limits: reads.map(({ limit }) => limit),
      inHand,
    });
    return rows.map(({ dueMs, dueAt, seq, ...event }) => ({
      ...event,
      mark: { dueMs, dueAt, seq },
    }));
  }

  /** Endpoints that no worker has, and when the first of their events is due, from now; below 0 it is. */
  unowned(): Promise<{ endpointId: string; dueInMs: number }[]> {
    return sql.scanOpenEvents.rows(this.statements);
  }
}
