import { beyondAnyDay, type QuotaKey } from './quota.service.js';

/** How often a key may read its feed in a minute. */
const readsPerMinute = 120;

/**
 * Where a key's reads of its feed are counted: beside its other requests, under an id that no key has. Keys' ids are of
 * version 7, this is the same id with version 8.
 */
export const feedCounterOf = (apiKeyId: string) => `${apiKeyId.slice(0, 14)}8${apiKeyId.slice(15)}`;

/** The quota of a key's reads of its feed, which take nothing of its minute and its day. */
export function feedQuotaOf({ principal }: QuotaKey): QuotaKey {
  const { accountId, apiKeyId } = principal;
  return {
    rateLimitPerMinute: readsPerMinute,
    hasNoDay: true,
    principal: { accountId, apiKeyId: feedCounterOf(apiKeyId), dailyLimit: beyondAnyDay },
  };
}
