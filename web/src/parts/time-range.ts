import { hourMs } from '../../../libs/durations/index.ts';
import { type AskedTime } from '../api/lists.ts';
import { dateAndTime } from './times.ts';
import { isUtcShown } from './zone.ts';

/** Which time a list shows, as in the address: a period that moves with the clock, or two fixed ends. */
export interface TimeChoice {
  readonly range?: string | undefined;
  /** ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** All there is. */
export const noTime: TimeChoice = { range: undefined, from: undefined, to: undefined };

/** What each period is called. */
export const ranges: Readonly<Record<string, string>> = {
  '1h': 'Last hour',
  '24h': '24 hours',
  yesterday: 'Yesterday',
  '7d': '7 days',
};

const lengths: Readonly<Record<string, number>> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
};

/** What the address says, without what is no time. */
export function timeChoiceOf({ range, from, to }: TimeChoice): TimeChoice {
  if (range && Object.hasOwn(ranges, range)) return { range };
  const ends = { ...(isTime(from) && { from }), ...(isTime(to) && { to }) };
  return ends;
}

const isTime = (text: string | undefined) => text !== undefined && !Number.isNaN(Date.parse(text));

/** The two ends of a choice at this moment, for the API. */
export function endsOf(choice: TimeChoice, now = new Date()): { from?: string; to?: string } {
  const { range } = choice;
  if (range === 'yesterday') {
    return { from: midnight(now, -1).toISOString(), to: midnight(now, 0).toISOString() };
  }
  const length = range && lengths[range];
  if (length) return { from: new Date(now.getTime() - length).toISOString() };
  return {
    ...(choice.from && { from: new Date(choice.from).toISOString() }),
    ...(choice.to && { to: new Date(choice.to).toISOString() }),
  };
}

/** A choice as lists are asked for it. Its ends move with the clock, and days with the zone. */
export const askedTime = (choice: TimeChoice): AskedTime => ({
  key: [choice, isUtcShown()],
  ends: () => endsOf(choice),
});

/** A midnight in the zone that is shown. */
function midnight(now: Date, days: number): Date {
  return isUtcShown()
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days))
    : new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
}

/** A choice in words; undefined for all times. */
export function timeWords({ range, from, to }: TimeChoice): string | undefined {
  if (range) return ranges[range];
  if (from && to) return `${dateAndTime(from)} – ${dateAndTime(to)}`;
  if (from) return `from ${dateAndTime(from)}`;
  return to && `until ${dateAndTime(to)}`;
}
