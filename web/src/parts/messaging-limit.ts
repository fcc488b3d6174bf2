import { amount } from './numbers.ts';

/** `TIER_10K` → `10,000 people in 24 hours`; what it means is WhatsApp's to say, so a new word is shown as it is. */
export function limitWords(limit: string): string {
  const match = /^(?:TIER_)?(\d+)(K)?$/.exec(limit);
  if (!match) return limit === 'TIER_UNLIMITED' || limit === '-1' ? 'no limit' : limit;
  return `${amount(Number(match[1]) * (match[2] ? 1_000 : 1))} people in 24 hours`;
}
