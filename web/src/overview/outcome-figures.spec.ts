import { describe, expect, it } from '@jest/globals';
import type { Outcomes } from '../api/types.ts';
import { isNothing, outcomeFigures, outcomeRangeOf, rangeInWords } from './outcome-figures.ts';

const nothing: Outcomes = {
  from: '2026-11-22T10:00:00.000Z',
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  concluded: 0,
  replies: 0,
  median_delivery_ms: null,
  steps: [],
  complete: true,
  before: null,
};

const shown = (outcomes: Partial<Outcomes>) =>
  Object.fromEntries(
    outcomeFigures({ ...nothing, ...outcomes }).map(({ name, value, of }) => [
      name,
      `${value}: ${of}`,
    ]),
  );

describe('what became of messages', () => {
  it('says what each percentage is of', () => {
    const outcomes = {
      sent: 4_640,
      delivered: 4_512,
      read: 2_830,
      failed: 56,
      concluded: 4_690,
      replies: 1_204,
      median_delivery_ms: 1_800,
    };
    expect(shown(outcomes)).toEqual({
      Sent: '4,640: Taken by WhatsApp',
      Delivered: '97.2 %: 4,512 of 4,640 sent',
      Read: '61.0 %: 2,830 of 4,640 sent',
      Failed: '1.2 %: 56 of 4,690 sent or failed',
      Replies: '1,204: Messages from users',
      'Time to delivered': '1.8 s: Median: half took less',
    });
  });

  it('has the figures of the time before beside them, if something happened in it', () => {
    const before = { ...nothing, sent: 2, delivered: 1, concluded: 2 };
    expect(outcomeFigures({ ...nothing, before }).map((figure) => figure.before)).toEqual([
      '2',
      '50.0 %',
      '0 %',
      '0 %',
      '0',
      '–',
    ]);
    const [sent] = outcomeFigures({ ...nothing, before: nothing });
    expect(sent).not.toHaveProperty('before');
  });

  it('has no percentage of nothing', () => {
    expect(shown({ replies: 3 })).toEqual({
      Sent: '0: Taken by WhatsApp',
      Delivered: '–: Nothing was sent',
      Read: '–: Nothing was sent',
      Failed: '–: Nothing was sent',
      Replies: '3: Messages from users',
      'Time to delivered': '–: Nothing was delivered',
    });
    expect(shown({ failed: 2, concluded: 2 })).toMatchObject({
      Delivered: '–: Nothing was sent',
      Failed: '100.0 %: 2 of 2 sent or failed',
    });
  });

  it('is nothing without messages and replies', () => {
    expect(isNothing(nothing)).toBe(true);
    expect(isNothing({ ...nothing, replies: 1 })).toBe(false);
    expect(isNothing({ ...nothing, failed: 1, concluded: 1 })).toBe(false);
  });

  it('leads to the messages that it counts, or to none', () => {
    const listed = (outcomes: Partial<Outcomes>) =>
      outcomeFigures({ ...nothing, ...outcomes }).flatMap(({ name, list }) =>
        list ? [[name, list]] : [],
      );
    expect(listed({ sent: 38, failed: 5, concluded: 43 })).toEqual([
      ['Sent', 'sent,delivered,read'],
      ['Failed', 'failed'],
    ]);
    // One of the failed was sent: no list has the 39.
    expect(listed({ sent: 39, failed: 5, concluded: 43 })).toEqual([['Failed', 'failed']]);
    expect(listed({ sent: 38, delivered: 30, read: 0, concluded: 38 })).toEqual([
      ['Sent', 'sent,delivered,read'],
      ['Delivered', 'delivered,read'],
    ]);
    expect(listed({ sent: 39, delivered: 30, read: 8, failed: 5, concluded: 43 })).toEqual([
      ['Delivered', 'delivered,read'],
      ['Read', 'read'],
      ['Failed', 'failed'],
    ]);
    expect(listed({ replies: 1 })).toEqual([]);
  });

  it('is of the time in the address', () => {
    expect(['7d', 'ever', undefined, 'toString'].map(outcomeRangeOf)).toEqual([
      '7d',
      '24h',
      '24h',
      '24h',
    ]);
    expect(rangeInWords('1h')).toBe('in the last hour');
    expect(rangeInWords('30d')).toBe('in the last 30 days');
  });
});
