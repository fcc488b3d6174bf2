import { jobNames } from '../../../src/audit/subject-words.ts';
import type { Job, JobPreview } from '../api/types.ts';
import { amount, counted } from '../parts/numbers.ts';
import { plainWords } from '../parts/words.ts';

interface JobWords {
  /** Verb and object. */
  readonly button: string;
  /** With a number: `Redeliver 35 failed events`. */
  readonly ask: (what: string) => string;
  readonly noun: string;
  /** Where nothing is left to do. */
  readonly nothing: string;
  /** What happens to each. */
  readonly effect: string;
  /** The keys of what shows it: the list, and what counts the same things. */
  readonly lists: readonly string[];
}

/** What the kinds of jobs are called. */
export const jobWords: Readonly<Record<Job['kind'], JobWords>> = {
  redeliver: {
    button: jobNames.redeliver,
    ask: (what) => `Redeliver ${what}`,
    noun: 'event',
    nothing: 'Nothing to redeliver',
    effect: 'Each goes to its endpoint once more, with the same id. What waits goes now.',
    lists: ['deliveries', 'endpoints', 'overview'],
  },
  resend: {
    button: jobNames.resend,
    ask: (what) => `Send ${what} again`,
    noun: 'message',
    nothing: 'Nothing to send again',
    effect:
      'Each is sent as a new message with the key that sent it, at the pace of the number and within the quota of the key. They are charged as new messages.',
    lists: ['messages', 'overview'],
  },
  cancel: {
    button: jobNames.cancel,
    ask: (what) => `Cancel ${what}`,
    noun: 'message',
    nothing: 'Nothing to cancel',
    effect: 'What no worker has in hand is never sent then.',
    lists: ['messages', 'overview'],
  },
};

/** Whether it is a kind of this version. */
export const isJobKind = (kind: string | null): kind is Job['kind'] =>
  kind !== null && Object.hasOwn(jobWords, kind);

/** So many addresses have a name in a question. */
const namedMax = 3;

/** `https://a.example, https://b.example and 2 more` */
export function placesWords(urls: readonly string[]): string {
  const more = urls.length - namedMax;
  if (more > 0) return `${urls.slice(0, namedMax).join(', ')} and ${amount(more)} more`;
  return [urls.slice(0, -1).join(', '), urls.at(-1)].filter(Boolean).join(' and ');
}

/** `Redeliver 1,213`, `Send 4 again`; `Cancel 10,000 or more` */
export const jobGo = (kind: Job['kind'], { total, total_is_exact: isExact }: Counted) =>
  jobWords[kind].ask(`${amount(total)}${isExact ? '' : ' or more'}`);

/** `35 failed events`; `10,000 events or more`. */
function countedWords(kind: Job['kind'], { total, total_is_exact: isExact }: Counted, status = '') {
  const noun = [/^[a-z]+$/.test(status) && lowered(plainWords(status)), jobWords[kind].noun];
  return `${counted(total, noun.filter(Boolean).join(' '))}${isExact ? '' : ' or more'}`;
}

type Counted = Pick<JobPreview, 'total' | 'total_is_exact'>;

const lowered = (text: string) => text.toLowerCase();

/** `Redeliver 35 failed events to https://a.example?` */
export function jobQuestion(
  kind: Job['kind'],
  preview: Counted & Pick<JobPreview, 'endpoints'>,
  status?: string,
): string {
  const { endpoints } = preview;
  const what = countedWords(kind, preview, status);
  const to = endpoints.length > 0 ? ` to ${placesWords(endpoints)}` : '';
  return `${jobWords[kind].ask(what + to)}?`;
}
