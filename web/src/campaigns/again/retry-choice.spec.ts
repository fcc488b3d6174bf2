import { describe, expect, it } from '@jest/globals';
import {
  causesOf,
  draftWords,
  hopefulOf,
  leftOutWords,
  retryLabel,
  retryOf,
} from './retry-choice.ts';

const causes = causesOf({ 131026: 7, 131049: 12, unreachable: 1 });

describe('which failures of a campaign are tried again', () => {
  it('lists the most frequent first, with what each means', () => {
    expect(causes.map(({ code, count }) => [code, count])).toEqual([
      ['131049', 12],
      ['131026', 7],
      ['unreachable', 1],
    ]);
    expect(causes[0]?.meaning).toBe('Marketing limit of the recipient reached');
  });

  it('are those at first that another try can help; of each it says what helps', () => {
    expect(hopefulOf(causes)).toEqual(['131049', 'unreachable']);
    expect(causes[0]?.advice).toBe(
      'Send this template again after a day at the earliest, or do not send it.',
    );
    expect(causes[1]?.advice).toBe(
      'Check the number. Do not send again: reach the recipient in another way.',
    );
    // No sentence says what the one before it has said.
    expect(causesOf({ 130472: 1 })[0]?.advice).toBe(
      'Do not send again: reach the recipient in another way.',
    );
  });

  it('are counted by the button as the question begins', () => {
    const hopeless = causesOf({ 131026: 7 });
    expect(retryLabel({ causes, rest: 0 })).toBe('Retry the failed (13 of 20)…');
    expect(retryLabel({ causes, rest: 30 })).toBe('Retry the failed and the rest (43 of 50)…');
    expect(retryLabel({ causes: causesOf({ 131049: 1_200 }), rest: 0 })).toBe(
      'Retry the failed (1,200)…',
    );
    expect(retryLabel({ causes: hopeless, rest: 30 })).toBe('Send to the rest (30)…');
    expect(retryLabel({ causes: hopeless, rest: 0 })).toBeNull();
  });

  it.each([
    [
      ['131049', 'unreachable'],
      '7 of 20 are left out: another try most likely cannot help (131026).',
    ],
    [['131049', '131026'], '1 of 20 is left out: not chosen (unreachable).'],
    [
      [],
      '20 of 20 are left out: another try most likely cannot help (131026), 7; not chosen (131049, unreachable), 13.',
    ],
    [['131049', '131026', 'unreachable'], null],
  ])('are fewer than all for a reason: %j', (chosen, words) => {
    expect(leftOutWords(causes, chosen)).toBe(words);
  });

  it('asks for the chosen codes and reasons, and counts their recipients', () => {
    const left = { causes, rest: 0 };
    expect(retryOf(left, hopefulOf(causes))).toEqual({
      count: 13,
      request: { who: 'failed', codes: [131049], reasons: ['unreachable'] },
    });
    expect(retryOf(left, ['131026']).request).toEqual({ who: 'failed', codes: [131026] });
    expect(retryOf(left, []).count).toBe(0);
    expect(retryOf({ causes, rest: 30 }, ['131026'])).toEqual({
      count: 37,
      request: { who: 'failed_and_rest', codes: [131026] },
    });
    expect(retryOf({ causes, rest: 30 }, [])).toEqual({ count: 30, request: { who: 'rest' } });
  });

  it('become a draft, which sends nothing yet', () => {
    const ends = 'Nothing is sent before you start it.';
    expect(draftWords({ causes: [], rest: 1_048 })).toBe(
      `This makes a draft of the 1,048 recipients whose message was never sent. ${ends}`,
    );
    expect(draftWords({ causes, rest: 0 })).toBe(
      `This makes a draft of those whose message failed. ${ends}`,
    );
    expect(draftWords({ causes, rest: 2 })).toBe(
      `This makes a draft of those whose message failed and those whose message was never sent. ${ends}`,
    );
  });
});
