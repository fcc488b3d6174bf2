import type { Account, HealthChange } from '../../api/types.ts';
import { soonDays } from '../../keys/expires-soon.ts';
import { limitWords } from '../../parts/messaging-limit.ts';
import { dateAndTime, daysUntil } from '../../parts/times.ts';
import { plainWords } from '../../parts/words.ts';

const qualities: Readonly<Record<string, string>> = {
  GREEN: 'Green',
  YELLOW: 'Yellow',
  RED: 'Red',
  UNKNOWN: 'Not rated',
  NA: 'Not rated',
};

const reviews: Readonly<Record<string, string>> = {
  PENDING_REVIEW: 'In review',
  AVAILABLE_WITHOUT_REVIEW: 'Not reviewed',
};

const events: Readonly<Record<string, string>> = {
  FLAGGED: 'Flagged',
  UNFLAGGED: 'Good again',
  DOWNGRADE: 'Limit lowered',
  UPGRADE: 'Limit raised',
};

/** WhatsApp's words as people read them; one that Parley does not know is shown as it is. */
export const qualityWord = (quality: string) => qualities[quality] ?? plainWords(quality);
export const reviewWord = (status: string) => reviews[status] ?? plainWords(status);
export const eventWord = (event: string) => events[event] ?? plainWords(event);

/** `TIER_2K` → `2,000 people in 24 hours`. */
export const limitText = (limit: string) =>
  limit === 'TIER_UNLIMITED' || limit === '-1' ? 'No limit' : limitWords(limit);

/** When the access token ends, if that is soon; null: it is not, or not known. */
export function tokenEndsSoon({ health }: Pick<Account, 'health'>): string | null {
  const end = health?.token_valid ? health.token_expires_at : null;
  return end !== null && daysUntil(end) <= soonDays ? end : null;
}

/** One line of the history. */
export function changeText({ field, before, after }: HealthChange): string {
  switch (field) {
    case 'quality':
      return before === null
        ? `Quality first reported: ${qualityWord(after)}`
        : `Quality ${qualityWord(before)} → ${qualityWord(after)}`;
    case 'quality_event':
      return `WhatsApp reported: ${eventWord(after)}`;
    case 'messaging_limit':
      return before === null
        ? `Limit first reported: ${limitText(after)}`
        : `Limit ${shortLimit(before)} → ${limitText(after)}`;
    case 'name_status':
      return before === null
        ? `Name review: ${reviewWord(after)}`
        : `Name review ${reviewWord(before)} → ${reviewWord(after)}`;
    case 'verified_name':
      return before === null ? `Name “${after}”` : `Name “${before}” → “${after}”`;
    case 'token':
      return tokenText(after);
    default:
      return `${plainWords(field)}: ${after}`;
  }
}

const shortLimit = (limit: string) =>
  limitText(limit)
    .replace(/ people.*/, '')
    .replace('No limit', 'none');

function tokenText(word: string): string {
  if (word === 'never') return 'Token accepted, without an end';
  return word === 'invalid' ? 'Token refused' : `Token accepted, ends ${dateAndTime(word)}`;
}
