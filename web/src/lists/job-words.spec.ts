import { describe, expect, it } from '@jest/globals';
import { endpointsOfAllKeys } from '../deliveries/endpoints/endpoints-of-all-keys.ts';
import { hopelessOf, jobQuestion, jobWords, leftOutWords, sumOf } from './job-words.ts';

describe('what is read again when a job has ended', () => {
  it('is the list, and what counts the same things', () => {
    const [endpoints] = endpointsOfAllKeys(null, undefined).queryKey;
    expect(jobWords.redeliver.lists).toEqual(['deliveries', endpoints, 'overview']);
    expect(jobWords.resend.lists).toEqual(['messages', 'overview']);
    expect(jobWords.cancel.lists).toEqual(['messages', 'overview']);
  });
});

describe('the question before a job', () => {
  const preview = (total: number, endpoints: string[] = [], isExact = true) => ({
    total,
    total_is_exact: isExact,
    endpoints,
  });

  it('has the number, the status and the endpoints', () => {
    expect(jobQuestion('redeliver', preview(35, ['https://a.example']), 'failed')).toBe(
      'Deliver 35 failed events to https://a.example again?',
    );
    expect(jobQuestion('redeliver', preview(1, ['a', 'b']))).toBe(
      'Deliver 1 event to a and b again?',
    );
    expect(jobQuestion('redeliver', preview(9, ['a', 'b', 'c', 'd', 'e']))).toBe(
      'Deliver 9 events to a, b, c and 2 more again?',
    );
    expect(jobQuestion('resend', preview(2), 'failed')).toBe('Send 2 failed messages again?');
  });

  it('says where there are more, and names no list of statuses', () => {
    expect(jobQuestion('cancel', preview(10_000, [], false), 'queued,scheduled')).toBe(
      'Cancel 10,000 messages or more?',
    );
  });
});

describe('the question before messages are sent again', () => {
  it('says what is left out, and what another try cannot help', () => {
    expect(leftOutWords({ left_out: { campaign: 5, resent: 1 } })).toBe(
      'Left out: 5 of campaigns, which have a retry of their own; 1 sent again before.',
    );
    expect(leftOutWords({ left_out: {} })).toBeNull();
    const hopeless = hopelessOf({ failed_by_code: { 131026: 3, 131000: 2 } });
    expect(hopeless).toEqual([
      { code: 131026, count: 3, words: expect.stringMatching(/^3 with 131026, [A-Z]/) },
    ]);
    expect(sumOf(hopeless)).toBe(3);
  });
});
