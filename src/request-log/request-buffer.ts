import { createHash } from 'node:crypto';
import { minuteMs } from '#libs/durations';
import { firstIdAt } from '../database/ids.js';
import type { LoggedRequest } from './logged-request.js';

/** Requests with known keys that are kept until they are written; some 10 MB. */
const keptMax = 20_000;

/** Rows of strangers that are kept: addresses, with the result of their requests. */
const strangersMax = 5_000;

/** When there is no room, so many go at once: each removal moves all others. */
const dropSize = 1_000;

/** A request without a known key. */
export interface StrangersRequest {
  /** The address or its block; null where it is not known. */
  readonly address: string | null;
  readonly status: number;
  readonly code: string | null;
}

/** Requests that are not written yet: no more than there is room for, and the oldest are given up first. */
export class RequestBuffer {
  private kept: LoggedRequest[] = [];
  private readonly strangers = new Map<string, LoggedRequest>();

  /** @param onDrop hears how many requests are given up. */
  constructor(
    private readonly onDrop: (requests: number) => void,
    private readonly most = { kept: keptMax, strangers: strangersMax, drop: dropSize },
  ) {}

  /** Rows that wait. */
  get size(): number {
    return this.kept.length + this.strangers.size;
  }

  add(request: LoggedRequest): void {
    this.kept.push(request);
    this.makeRoom();
  }

  /** Counts a request without a known key to those of its minute, address and result. */
  addStranger(request: StrangersRequest, nowMs = Date.now()): void {
    this.count(rowOf(request, nowMs));
  }

  /** Takes out the oldest rows, at most `max`. */
  take(max: number): LoggedRequest[] {
    const taken = [...this.strangers.values()].slice(0, max);
    for (const { id } of taken) this.strangers.delete(id);
    return taken.concat(this.kept.splice(0, max - taken.length));
  }

  /** Takes back rows that could not be written; they are older than all others. */
  takeBack(rows: readonly LoggedRequest[]): void {
    this.kept = rows.filter(({ apiKeyId }) => apiKeyId !== null).concat(this.kept);
    for (const row of rows) if (row.apiKeyId === null) this.count(row);
    this.makeRoom();
  }

  private count(row: LoggedRequest): void {
    const known = this.strangers.get(row.id);
    if (!known && this.strangers.size >= this.most.strangers) {
      this.dropOldestStranger();
    }
    this.strangers.set(row.id, known ? { ...known, calls: known.calls + row.calls } : row);
  }

  private dropOldestStranger(): void {
    const [oldest] = this.strangers.values();
    if (!oldest) return;
    this.strangers.delete(oldest.id);
    this.onDrop(oldest.calls);
  }

  private makeRoom(): void {
    const { kept, drop } = this.most;
    const excess = this.kept.length - kept;
    if (excess <= 0) return;
    this.onDrop(this.kept.splice(0, Math.max(excess, drop)).length);
  }
}

/** The row that all requests of a minute share that come from one address and end alike. */
function rowOf({ address, status, code }: StrangersRequest, nowMs: number): LoggedRequest {
  const minute = firstIdAt(nowMs - (nowMs % minuteMs)).slice(0, 13);
  const hash = createHash('sha256').update(`${address} ${status} ${code}`).digest('hex');
  return {
    id: `${minute}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`,
    accountId: null,
    apiKeyId: null,
    mode: null,
    method: null,
    route: null,
    status,
    code,
    fields: null,
    address,
    latencyMs: null,
    messageId: null,
    calls: 1,
  };
}
