import { describe, expect, it } from '@jest/globals';
import { hopelessWords, openRetriesOf } from './left-words.ts';
import { causesOf } from './retry-choice.ts';

const retry = {
  id: '1',
  name: 'Advent (retry)',
  status: 'draft',
  total: 1,
  who: 'failed',
} as const;

describe('who of a campaign still has nothing', () => {
  it('is in a retry that has not ended: of the failed, or of the rest', () => {
    const open = openRetriesOf({ failed: 3, cancelled: 34 }, [
      retry,
      { ...retry, id: '2', total: 34, who: 'rest' },
      { ...retry, id: '3', status: 'completed' },
      { ...retry, id: '4', total: 36, who: 'failed_and_rest', status: 'running' },
      { ...retry, id: '5', status: 'paused' },
      { ...retry, id: '6', total: 2, status: 'scheduled' },
      { ...retry, id: '7', status: 'cancelled' },
    ]);
    expect(open.map(({ id, whom, state }) => [id, whom, state])).toEqual([
      ['1', '1 of 3 failed is in the draft', 'which was not started'],
      ['2', '34 of 34 who got nothing are in the draft', 'which was not started'],
      ['4', '36 of 37 who failed or got nothing are in', 'which runs'],
      ['5', '1 of 3 failed is in', 'which is paused'],
      ['6', '2 of 3 failed are in', 'which is scheduled'],
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
