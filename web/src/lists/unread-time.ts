import { type TimeChoice, timeChoiceOf } from '../parts/time-range.ts';
import { type Unread, unreadOf } from './unread-filters.ts';

/** What of a time in the address no list can read. A period comes before two ends. */
export const unreadTime = ({ range, from, to }: TimeChoice): Unread[] => {
  const read = timeChoiceOf({ range, from, to });
  return unreadOf(read.range ? { range } : { range, from, to }, { ...read });
};
