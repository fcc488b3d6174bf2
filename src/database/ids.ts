import { randomUUID } from 'node:crypto';
import { hourMs } from '#libs/durations';

/**
 * A UUIDv7: 48 bits of milliseconds, then random bits. Tables are partitioned by its time and listed
 * by its order. Node keeps a pool of randomness for `randomUUID`, which makes this ten times faster
 * than asking for bytes each time.
 */
export function newId(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The smallest id of a time: everything made later has a greater one. */
export function firstIdAt(timeMs: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** An id has the time of a process's clock, `created_at` that of PostgreSQL's. They differ by less than this. */
const clocksApartMaxMs = hourMs;

/**
 * The id that bounds a search beside a time: it narrows the search to about the right rows and skips whole months.
 * @param time up to the year 9999; an id has room for more. @param sign -1: rows from that time on; 1: rows before it.
 */
export function idAround(time: Date | number, sign: 1 | -1): string {
  return firstIdAt(Math.max(0, Number(time) + sign * clocksApartMaxMs));
}

/** When an id was made, in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
