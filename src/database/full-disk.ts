import { diskFullState } from './store-errors.js';

/** Readiness names a full disk until PostgreSQL has not complained about it for this long. */
const rememberedMs = 30_000;

let complainedAt = Number.NEGATIVE_INFINITY;

/** Notes what the server complained about. @param state its SQLSTATE */
export function noteComplaint(state: string | undefined): void {
  if (state === diskFullState) complainedAt = performance.now();
}

/** Whether PostgreSQL cannot write because its disk is full. PostgreSQL still answers reads then. */
export const isDiskFull = (): boolean => performance.now() - complainedAt < rememberedMs;
