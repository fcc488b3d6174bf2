import { describe, expect, it } from '@jest/globals';
import { hopelessWords, waitingDraftsOf } from './left-words.ts';
import { causesOf } from './retry-choice.ts';

const retry = {
  id: '1',
  name: 'Advent (retry)',
  status: 'draft',
  total: 1,
  who: 'failed',
} as const;

describe('who of a campaign still has nothing', () => {
  it('is in a draft that was not started: of the failed, or of the rest', () => {
    const drafts = waitingDraftsOf({ failed: 3, cancelled: 34 }, [
      retry,
      { ...retry, id: '2', total: 34, who: 'rest' },
      { ...retry, id: '3', status: 'completed' },
      { ...retry, id: '4', total: 37, who: 'failed_and_rest' },
    ]);
    expect(drafts.map(({ id, whom }) => [id, whom])).toEqual([
      ['1', '1 of 3 failed is'],
      ['2', '34 of 34 who got nothing are'],
      ['4', '37 of 37 who failed or got nothing are'],
    ]);
  });

  it('is beyond help, where every cause is', () => {
    expect(hopelessWords(causesOf({ 131026: 2 }))).toBe(
      'Another try most likely cannot help 2 failed recipients: Recipient not on WhatsApp, or cannot receive the message (131026).',
    );
    expect(hopelessWords(causesOf({ 131026: 1 }))).toMatch(/help 1 failed recipient: /);
  });

  it('is nobody where another try can help somebody, or where none is left', () => {
    expect(hopelessWords(causesOf({ 131026: 2, 131049: 1 }))).toBeNull();
    expect(hopelessWords([])).toBeNull();
  });
});
