import { describe, expect, it } from '@jest/globals';
import {
  causesOf,
  hopefulOf,
  leftOutWords,
  restWords,
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
    expect(retryLabel(causes)).toBe('Retry the failed (13 of 20)…');
    expect(retryLabel(causesOf({ 131049: 1_200 }))).toBe('Retry the failed (1,200)…');
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
    expect(retryOf(causes, hopefulOf(causes))).toEqual({
      count: 13,
      request: { who: 'failed', codes: [131049], reasons: ['unreachable'] },
    });
    expect(retryOf(causes, ['131026']).request).toEqual({ who: 'failed', codes: [131026] });
    expect(retryOf(causes, []).count).toBe(0);
  });

  it('says that the rest becomes a draft, which sends nothing yet', () => {
    expect(restWords(1_048)).toBe(
      'This makes a draft of the 1,048 recipients whose message was never sent. Nothing is sent before you start it.',
    );
  });
});
