import type { Campaign } from '../api/types.ts';
import { placesWords } from '../lists/job-words.ts';
import { counted } from '../parts/numbers.ts';
import { lostWords } from './endpoints/endpoint-words.ts';
import type { KeyDeed } from './key-changes.ts';

/** The actions that end a key, or stop it until somebody lets it go on. */
export const isStop = (deed: KeyDeed) => deed !== 'reinstate' && deed !== 'rotate';

/** Those that nobody can take back. */
const isForGood = (deed: KeyDeed) => deed === 'revoke' || deed === 'delete';

type Listed = Pick<Campaign, 'name' | 'status'> & {
  readonly counts: Pick<Campaign['counts'], 'pending'>;
};

/** What becomes of the campaigns of a key; null where none would stop. A campaign that has released everybody ends as usual. */
export function campaignWords(deed: KeyDeed, campaigns: readonly Listed[]): string | null {
  if (!isStop(deed)) return null;
  const namesOf = (status: Campaign['status']) =>
    campaigns
      .filter((one) => one.status === status && one.counts.pending > 0)
      .map(({ name }) => name);
  const running = namesOf('running');
  const scheduled = namesOf('scheduled');
  const pause = `will pause${isForGood(deed) ? ' for good' : ''}`;
  const parts = [
    running.length > 0 &&
      `${counted(running.length, 'campaign')} ${running.length === 1 ? 'runs' : 'run'} with it and ${pause}: ${placesWords(running)}.`,
    scheduled.length > 0 &&
      `${counted(scheduled.length, 'scheduled campaign')} ${pause} when ${scheduled.length === 1 ? 'its' : 'their'} time comes: ${placesWords(scheduled)}.`,
  ];
  return parts.filter(Boolean).join(' ') || null;
}

/** What becomes of the events that wait for the endpoints of a key; null where none waits, or where they go on. */
export function eventWords(
  deed: KeyDeed,
  endpoints: Parameters<typeof lostWords>[0],
): string | null {
  if (!isForGood(deed) || endpoints.every(({ health }) => health.waiting === 0)) return null;
  return lostWords(endpoints, endpoints.length === 1 ? 'its endpoint' : 'its endpoints');
}

interface Owned {
  readonly mappings: number;
  readonly endpoints: number;
}

/** What is deleted with a key; null: nothing. */
export function deletedWords({ mappings, endpoints }: Owned): string | null {
  const parts = [
    mappings > 0 && counted(mappings, 'template mapping'),
    endpoints > 0 && counted(endpoints, 'webhook endpoint'),
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  return `Its ${parts.join(' and ')} ${mappings + endpoints === 1 ? 'is' : 'are'} deleted.`;
}
