import type { ApiKey } from '../api/types.ts';
import { daysUntil } from '../parts/times.ts';

/** Keys that expire within this many days need attention. */
export const soonDays = 14;

/** Whether a key that works now will soon stop. */
export const expiresSoon = ({
  state,
  expires_at: at,
}: Pick<ApiKey, 'state' | 'expires_at'>): boolean =>
  state === 'active' && at !== null && daysUntil(at) <= soonDays;
