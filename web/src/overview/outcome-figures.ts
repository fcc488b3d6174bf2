import type { Outcomes } from '../api/types.ts';
import { amount, ofSent, share } from '../parts/numbers.ts';
import { duration } from '../parts/times.ts';

/** The times that can be chosen, and what each is called. */
export const outcomeRanges = {
  '1h': 'Last hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
} as const;

export type OutcomeRange = keyof typeof outcomeRanges;

/** What the address says; 24 hours without, or with what is no range. */
export const outcomeRangeOf = (range: string | undefined): OutcomeRange =>
  range && Object.hasOwn(outcomeRanges, range) ? (range as OutcomeRange) : '24h';

/** `in the last hour` */
export const rangeInWords = (range: OutcomeRange) =>
  range === '1h' ? 'in the last hour' : `in the last ${outcomeRanges[range]}`;

type OutcomesOfTime = Omit<Outcomes, 'before' | 'complete'>;

/** A figure with the words that say what it is. */
export interface OutcomeFigure {
  readonly name: string;
  /** A dash where there is nothing of which it could be said. */
  readonly value: string;
  /** What a percentage is of. */
  readonly of: string;
  /** The value of the time before; absent where nothing happened in it. */
  readonly before?: string;
  /** The statuses of exactly the messages that are counted, for the list; absent where no list has just these. */
  readonly list?: string;
}

const none = '–';

/** The figures of a time, in their order. */
export function outcomeFigures(outcomes: Outcomes): OutcomeFigure[] {
  const before =
    outcomes.before && !isNothing(outcomes.before) ? figuresOf(outcomes.before) : undefined;
  return figuresOf(outcomes).map((figure, index) => ({
    ...figure,
    ...(before && { before: before[index]?.value ?? none }),
  }));
}

function figuresOf(outcomes: OutcomesOfTime): OutcomeFigure[] {
  const { sent, delivered, read, failed, concluded, replies } = outcomes;
  const { median_delivery_ms: median } = outcomes;
  return [
    { name: 'Sent', value: amount(sent), of: 'Taken by WhatsApp', ...sentList(outcomes) },
    {
      name: 'Delivered',
      ...ofSent(delivered, sent),
      ...(delivered > 0 && { list: 'delivered,read' }),
    },
    { name: 'Read', ...ofSent(read, sent), ...(read > 0 && { list: 'read' }) },
    {
      name: 'Failed',
      ...(failed > 0 && { list: 'failed' }),
      ...(concluded === 0
        ? { value: none, of: 'Nothing was sent' }
        : {
            value: share(failed, concluded),
            of: `${amount(failed)} of ${amount(concluded)} sent or failed`,
          }),
    },
    { name: 'Replies', value: amount(replies), of: 'Messages from users' },
    {
      name: 'Time to delivered',
      value: median === null ? none : duration(median),
      of: median === null ? 'Nothing was delivered' : 'Median: half took less',
    },
  ];
}

/** Messages that WhatsApp took and refused later count as sent, too, but their status is failed. */
const sentList = ({ sent, failed, concluded }: OutcomesOfTime) =>
  sent > 0 && sent + failed === concluded ? { list: 'sent,delivered,read' } : null;

/** Whether there is anything to show. */
export const isNothing = ({ concluded, replies }: OutcomesOfTime) =>
  concluded === 0 && replies === 0;
