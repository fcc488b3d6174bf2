import { describe, expect, it } from '@jest/globals';
import type { CampaignCounts } from '../api/types.ts';
import { ofSent } from '../parts/numbers.ts';
import { barOf, doneOf, figuresOf, legendOf } from './progress.ts';

const none: CampaignCounts = {
  total: 0,
  pending: 0,
  released: 0,
  sending: 0,
  unconfirmed: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  skipped: 0,
  cancelled: 0,
};
const some: CampaignCounts = {
  ...none,
  total: 100,
  pending: 40,
  released: 5,
  sending: 1,
  unconfirmed: 2,
  sent: 10,
  delivered: 20,
  read: 12,
  failed: 6,
  skipped: 3,
  cancelled: 1,
};

describe('the progress of a campaign', () => {
  it('names all counts, which add up to the total', () => {
    const sum = legendOf(some).reduce((total, { count }) => total + count, 0);
    expect(sum).toBe(some.total);
  });

  it('names rare statuses only while they have recipients', () => {
    expect(legendOf(none).map(({ status }) => status)).toEqual([
      'pending',
      'released',
      'sent',
      'delivered',
      'read',
      'failed',
      'skipped',
    ]);
  });

  it('is a bar of all but the pending, without empty parts', () => {
    expect(barOf(none)).toEqual([]);
    const sum = barOf(some).reduce((total, { count }) => total + count, 0);
    expect(sum).toBe(some.total - some.pending);
  });

  it('counts as done who has an answer, not whose message still waits in the queue', () => {
    expect(figuresOf({ counts: some, failed_after_sent: 0 })).toEqual({
      done: 53,
      sent: 42,
      delivered: 32,
      tried: 48,
    });
    expect(doneOf({ ...none, total: 9, pending: 4, cancelled: 5 })).toBe(0);
    expect(doneOf({ ...none, total: 20, released: 1, delivered: 19 })).toBe(19);
  });

  it('counts as sent what failed after WhatsApp had taken it', () => {
    const figures = figuresOf({ counts: some, failed_after_sent: 4 });
    expect(figures).toMatchObject({ sent: 46, delivered: 32, tried: 48 });
    expect(ofSent(figures.delivered, figures.sent)).toEqual({
      value: '69.6 %',
      of: '32 of 46 sent',
    });
  });
});
