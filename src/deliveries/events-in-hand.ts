import { Injectable } from '@nestjs/common';
import type { OpenEvent } from './open-events.js';

/** Attempts at once, and how many of them may be at endpoints that have taken nothing yet. */
const inFlightMax = 1_024;
const unprovenMax = inFlightMax / 2;

/** The last places are for accounts that have few attempts in flight: slow endpoints of one cannot take them all. */
const reservedPlaces = inFlightMax / 4;
const ownPlaces = 64;

/** Bodies that are read and not delivered, in this process. */
const bufferedMaxBytes = 16 * 1024 * 1024;

/**
 * Events that are read, under way or being settled, also beyond a lease, and the bounds of this
 * process. An event in hand is not read again.
 */
@Injectable()
export class EventsInHand {
  private readonly idsByEndpoint = new Map<string, Set<string>>();
  private readonly inFlightByEndpoint = new Map<string, number>();
  private readonly inFlightByAccount = new Map<string, number>();
  private inFlight = 0;
  private unproven = 0;
  private bufferedBytes = 0;

  idsAt(endpointId: string): readonly string[] {
    return [...(this.idsByEndpoint.get(endpointId) ?? [])];
  }

  /** Attempts at an endpoint that are begun and not settled: a kill repeats no more than these. */
  inFlightAt(endpointId: string): number {
    return this.inFlightByEndpoint.get(endpointId) ?? 0;
  }

  /** How many of all places in flight are taken, from 0 to 1. */
  get load(): number {
    return this.inFlight / inFlightMax;
  }

  get mayRead(): boolean {
    return this.bufferedBytes < bufferedMaxBytes;
  }

  /**
   * Whether there is a place in flight for an account.
   * @param isProven whether the endpoint has taken an event.
   */
  mayBegin(accountId: string, isProven: boolean): boolean {
    const ofAccount = this.inFlightByAccount.get(accountId) ?? 0;
    const places = ofAccount < ownPlaces ? inFlightMax : inFlightMax - reservedPlaces;
    return this.inFlight < places && (isProven || this.unproven < unprovenMax);
  }

  /** @returns false when it was in hand before. */
  addEvent(endpointId: string, eventId: string): boolean {
    const ids = this.idsByEndpoint.get(endpointId) ?? new Set();
    if (ids.has(eventId)) return false;
    this.idsByEndpoint.set(endpointId, ids.add(eventId));
    return true;
  }

  remove(endpointId: string, eventId: string): void {
    const ids = this.idsByEndpoint.get(endpointId);
    ids?.delete(eventId);
    if (ids?.size === 0) this.idsByEndpoint.delete(endpointId);
  }

  /** Keeps an event that was read. @returns false when it was in hand before. */
  read(event: OpenEvent): boolean {
    const isNew = this.addEvent(event.endpointId, event.id);
    if (isNew) this.bufferedBytes += event.body.length;
    return isNew;
  }

  /** Drops an event that was read: this process does not deliver it, or not now. */
  putBack(event: OpenEvent): void {
    this.bufferedBytes -= event.body.length;
    this.remove(event.endpointId, event.id);
  }

  /** Takes a place in flight for an event that was read. @returns what to call when it is settled. */
  begin(event: OpenEvent, isProven: boolean): () => void {
    this.bufferedBytes -= event.body.length;
    this.count(event, isProven, 1);
    return () => {
      this.remove(event.endpointId, event.id);
      this.count(event, isProven, -1);
    };
  }

  private count({ endpointId, accountId }: OpenEvent, isProven: boolean, change: number): void {
    add(this.inFlightByEndpoint, endpointId, change);
    add(this.inFlightByAccount, accountId, change);
    this.inFlight += change;
    if (!isProven) this.unproven += change;
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
