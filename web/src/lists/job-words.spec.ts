import { describe, expect, it } from '@jest/globals';
import { endpointsOfAllKeys } from '../deliveries/endpoints/endpoints-of-all-keys.ts';
import { jobWords } from './job-words.ts';

describe('what is read again when a job has ended', () => {
  it('is the list, and what counts the same things', () => {
    const [endpoints] = endpointsOfAllKeys(null, undefined).queryKey;
    expect(jobWords.redeliver.lists).toEqual(['deliveries', endpoints, 'overview']);
    expect(jobWords.resend.lists).toEqual(['messages', 'overview']);
    expect(jobWords.cancel.lists).toEqual(['messages', 'overview']);
  });
});
