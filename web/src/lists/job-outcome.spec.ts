import { describe, expect, it } from '@jest/globals';
import type { JobResult } from '../api/types.ts';
import { isSettled, progressOf, rereadMs, resultWords, waitingWords } from './job-outcome.ts';

const result = (
  deliveries: Partial<NonNullable<JobResult['deliveries']>> | null,
  change: Partial<JobResult['job']> = {},
) =>
  ({
    job: { kind: 'redeliver', state: 'done', total: 35, done: 35, failed: 0, ...change },
    messages: null,
    deliveries: deliveries && { succeeded: 0, failed: 0, retrying: 0, pending: 0, ...deliveries },
  }) as JobResult;

describe('what is said of a job that redelivers', () => {
  it.each([
    [result({ succeeded: 35 }), '35 of 35 events handed over: 35 delivered'],
    [
      result({ succeeded: 20, failed: 10, retrying: 4, pending: 1 }),
      '35 of 35 events handed over: 20 delivered, 10 failed again, 4 failed, to be tried again, 1 waits',
    ],
    [
      result({ succeeded: 30 }, { state: 'stopped', done: 30, failed: 2 }),
      'Stopped after 30 of 35 events handed over: 30 delivered, 2 not possible',
    ],
    [result({}, { total: 0, done: 0 }), '0 of 0 events done'],
  ])('%#: is what became of the deliveries', (given, words) => {
    expect(resultWords(given)).toBe(words);
  });

  it('says that what is handed over waits, and cannot be stopped any longer', () => {
    expect(waitingWords(result({ pending: 30 }, { state: 'running' }))).toBeNull();
    expect(waitingWords(result({ succeeded: 35 }))).toBeNull();
    expect(waitingWords(result({ succeeded: 5, retrying: 10, pending: 20 }))).toBe(
      'All are handed over: there is nothing left to stop. What waits or is to be tried again cannot be taken back.',
    );
    expect(waitingWords(result({ pending: 1 }, { state: 'stopped' }))).toBe(
      'What waits or is to be tried again cannot be taken back.',
    );
  });

  it('has the part that has ended for good', () => {
    expect(progressOf(result({ succeeded: 14, failed: 7, retrying: 14 }))).toBe(0.6);
    expect(progressOf(result({}, { total: 0, done: 0 }))).toBe(1);
  });

  it('is read again until nothing waits', () => {
    expect(rereadMs(result({ succeeded: 35 }))).toBe(false);
    expect(rereadMs(result({}, { state: 'running' }))).toBe(1_000);
    expect(rereadMs(result({ pending: 1 }))).toBe(2_000);
    expect(rereadMs(result({ retrying: 1 }))).toBe(10_000);
    expect(rereadMs(result({ pending: 1 }, { total: 100_000 }))).toBe(15_000);
    expect(isSettled(result({ retrying: 1 }))).toBe(false);
  });
});

describe('what is said of a job that sends again', () => {
  const sent = (messages: object) =>
    ({
      job: { kind: 'resend', state: 'done', total: 4, done: 4, failed: 0 },
      deliveries: null,
      messages: { sent: 0, failed: 0, unconfirmed: 0, waiting: 0, ...messages },
    }) as JobResult;

  it('is what became of the new messages', () => {
    const mixed = sent({ sent: 1, failed: 2, waiting: 1 });
    expect(resultWords(mixed)).toBe('4 of 4 messages handed over: 1 sent, 2 failed again, 1 waits');
    expect([isSettled(mixed), rereadMs(mixed)]).toEqual([false, 2_000]);
    expect(waitingWords(mixed)).toContain('You can cancel what is queued in the list');
  });
});

describe('what is said of other jobs', () => {
  it('is what was done, and what was not possible', () => {
    const job = { kind: 'cancel', total: 3, done: 2, failed: 1 } as const;
    expect(resultWords(result(null, job))).toBe('2 of 3 messages done, 1 not possible');
    expect(isSettled(result(null, job))).toBe(true);
    expect(rereadMs(result(null, { ...job, state: 'running' }))).toBe(1_000);
  });
});
