import { describe, expect, it } from '@jest/globals';
import { campaignWords, deletedWords, eventWords } from './deed-effects.ts';

const running = (name: string, pending = 5) =>
  ({ name, status: 'running', counts: { pending } }) as const;
const scheduled = (name: string) =>
  ({ name, status: 'scheduled', counts: { pending: 5 } }) as const;
const waiting = (...counts: number[]) => counts.map((count) => ({ health: { waiting: count } }));

describe('what the question about a key says of its campaigns', () => {
  it.each([
    ['switch-off', '1 campaign runs with it and will pause: Spring sale.'],
    ['suspend', '1 campaign runs with it and will pause: Spring sale.'],
    ['revoke', '1 campaign runs with it and will pause for good: Spring sale.'],
    ['delete', '1 campaign runs with it and will pause for good: Spring sale.'],
    ['rotate', null],
    ['reinstate', null],
  ] as const)('to %s: %s', (deed, words) => {
    expect(campaignWords(deed, [running('Spring sale')])).toBe(words);
  });

  it('names three of them', () => {
    const five = ['A', 'B', 'C', 'D', 'E'].map((name) => running(name));
    expect(campaignWords('suspend', five)).toBe(
      '5 campaigns run with it and will pause: A, B, C and 2 more.',
    );
  });

  it('tells scheduled ones apart', () => {
    expect(campaignWords('suspend', [running('Now'), scheduled('Later')])).toBe(
      '1 campaign runs with it and will pause: Now. 1 scheduled campaign will pause when its time comes: Later.',
    );
    expect(campaignWords('revoke', [scheduled('One'), scheduled('Two')])).toBe(
      '2 scheduled campaigns will pause for good when their time comes: One and Two.',
    );
  });

  it('leaves out one that has released everybody: it does not pause', () => {
    expect(campaignWords('revoke', [running('Almost over', 0)])).toBeNull();
    expect(campaignWords('revoke', [])).toBeNull();
  });
});

describe('what it says of events that wait', () => {
  it('counts them where they are given up', () => {
    expect(eventWords('delete', waiting(280, 1))).toBe(
      '281 events wait for its endpoints and will not be delivered.',
    );
    expect(eventWords('revoke', waiting(1))).toBe(
      '1 event waits for its endpoint and will not be delivered.',
    );
    expect(eventWords('delete', waiting(10_000, 3))).toBe(
      '10,003 events or more wait for its endpoints and will not be delivered.',
    );
  });

  it('says nothing where none waits, or where they go on', () => {
    expect(eventWords('delete', waiting(0, 0))).toBeNull();
    expect(eventWords('delete', [])).toBeNull();
    expect(eventWords('switch-off', waiting(5))).toBeNull();
    expect(eventWords('suspend', waiting(5))).toBeNull();
  });
});

describe('what is deleted with a key', () => {
  it.each([
    [1, 3, 'Its 1 template mapping and 3 webhook endpoints are deleted.'],
    [0, 1, 'Its 1 webhook endpoint is deleted.'],
    [2, 0, 'Its 2 template mappings are deleted.'],
    [0, 0, null],
  ])('%i mappings and %i endpoints: %s', (mappings, endpoints, words) => {
    expect(deletedWords({ mappings, endpoints })).toBe(words);
  });
});
