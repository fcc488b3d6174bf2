import type { Job } from '../api/types.ts';

interface JobWords {
  /** Verb and object. */
  readonly button: string;
  readonly noun: string;
  /** What happens to each. */
  readonly effect: string;
  /** The keys of what shows it: the list, and what counts the same things. */
  readonly lists: readonly string[];
}

/** What the kinds of jobs are called. */
export const jobWords: Readonly<Record<Job['kind'], JobWords>> = {
  redeliver: {
    button: 'Deliver all again',
    noun: 'event',
    effect: 'Each goes to its endpoint once more, with the same id. What waits goes now.',
    lists: ['deliveries', 'endpoints', 'overview'],
  },
  resend: {
    button: 'Send all again',
    noun: 'message',
    effect:
      'Each is sent as a new message with the key that sent it, at the pace of the number and within the quota of the key. What has a fallback, was sent again before or is of a campaign is left out.',
    lists: ['messages', 'overview'],
  },
  cancel: {
    button: 'Cancel all',
    noun: 'message',
    effect: 'What no worker has in hand is never sent then.',
    lists: ['messages', 'overview'],
  },
};
