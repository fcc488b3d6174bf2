import { describe, expect, it } from '@jest/globals';
import { endpointsOfAllKeys } from '../deliveries/endpoints/endpoints-of-all-keys.ts';
import { jobGo, jobQuestion, jobWords } from './job-words.ts';

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
      'Redeliver 35 failed events to https://a.example?',
    );
    expect(jobQuestion('redeliver', preview(1, ['a', 'b']))).toBe('Redeliver 1 event to a and b?');
    expect(jobQuestion('redeliver', preview(9, ['a', 'b', 'c', 'd', 'e']))).toBe(
      'Redeliver 9 events to a, b, c and 2 more?',
    );
    expect(jobQuestion('resend', preview(2), 'failed')).toBe('Send 2 failed messages again?');
  });

  it('has the number in its button, too', () => {
    expect(jobGo('redeliver', preview(1_213))).toBe('Redeliver 1,213');
    expect(jobGo('resend', preview(4))).toBe('Send 4 again');
    expect(jobGo('cancel', preview(10_000, [], false))).toBe('Cancel 10,000 or more');
  });

  it('says where there are more, and names no list of statuses', () => {
    expect(jobQuestion('cancel', preview(10_000, [], false), 'queued,scheduled')).toBe(
      'Cancel 10,000 messages or more?',
    );
  });
});
