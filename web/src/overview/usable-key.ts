import type { ApiKey } from '../api/types.ts';

/** A key that the user may send with; viewers try messages with test keys only. */
export const usableKey = (keys: readonly ApiKey[], mayChange: boolean) =>
  keys.find(({ state, mode }) => state === 'active' && (mayChange || mode === 'test'));
