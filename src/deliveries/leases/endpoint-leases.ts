import { Injectable } from '@nestjs/common';
import { HotStatements } from '../../database/hot-statements.js';
import type { Row } from '../../database/statements/statement.js';
import * as sql from './endpoint-leases.statements.js';

/** A lease that was asked for. */
export type LeaseAnswer = Row<typeof sql.takeEndpoints>;

/** A lease that goes on. */
export type RenewedLease = Row<typeof sql.renewEndpoints>;

/** A lease of this worker. */
export interface HeldLease {
  readonly endpointId: string;
  readonly term: string;
}

/**
 * Which worker delivers to which endpoint. One worker owns an endpoint for a few seconds at a time,
 * so events are read without being written to, and one bound holds for all attempts at it. A lease
 * gets a random term when it is taken: a worker that was paused finds a different term and has lost it.
 */
@Injectable()
export class EndpointLeases {
  constructor(private readonly statements: HotStatements) {}

  /** Takes the endpoints that no other worker has. */
  takeLeases(endpointIds: readonly string[]): Promise<LeaseAnswer[]> {
    return sql.takeEndpoints.rows(this.statements, { endpointIds: endpointIds.toSorted() });
  }

  /** Endpoints whose worker has lost them without giving them back. */
  async lapsed(): Promise<string[]> {
    const rows = await sql.findLapsedLeases.rows(this.statements);
    return rows.map(({ endpointId }) => endpointId);
  }

  /** @returns the leases that are still ours, with their targets as they are now. */
  renew(leases: readonly HeldLease[]): Promise<RenewedLease[]> {
    const sorted = byEndpoint(leases);
    return sql.renewEndpoints.rows(this.statements, {
      endpointIds: sorted.map(({ endpointId }) => endpointId),
      terms: sorted.map(({ term }) => term),
    });
  }

  /**
   * Gives leases back.
   * @param busyOf the events of an endpoint that are still under way here.
   * @param busyMs for how long the next worker must leave them alone.
   * @returns when the next of their events is due, from now, below 0 if it is; null if there is none.
   */
  async release(
    leases: readonly HeldLease[],
    busyOf: (endpointId: string) => readonly string[],
    busyMs: number,
  ): Promise<number | null> {
    const sorted = byEndpoint(leases);
    const rows = await sql.releaseEndpoints.rows(this.statements, {
      endpointIds: sorted.map(({ endpointId }) => endpointId),
      terms: sorted.map(({ term }) => term),
      busy: sorted.map(({ endpointId }) => `{${busyOf(endpointId).join(',')}}`),
      busyMs,
    });
    const waiting = rows.flatMap(({ dueInMs }) => dueInMs ?? []);
    return waiting.length > 0 ? Math.min(...waiting) : null;
  }
}

function byEndpoint(leases: readonly HeldLease[]): HeldLease[] {
  return leases.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
}
