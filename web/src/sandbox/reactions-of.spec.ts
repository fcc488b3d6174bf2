import { describe, expect, it } from '@jest/globals';
import { reactionsOf } from './reactions-of.ts';

const text = (id: string) => ({
  id,
  direction: 'in' as const,
  status: null,
  message: { type: 'text', text: { body: 'Hello' } },
});

const reaction = (id: string, about: string, emoji: string, direction: 'in' | 'out' = 'out') => ({
  id,
  direction,
  status: direction === 'out' ? 'sent' : null,
  message: { type: 'reaction', reaction: { message_id: about, emoji } },
});

const seen = (...turns: Parameters<typeof reactionsOf>[0]) => {
  const { turns: bubbles, reactions } = reactionsOf(turns);
  return { bubbles: bubbles.map(({ id }) => id), reactions: Object.fromEntries(reactions) };
};

describe('the reactions of a conversation', () => {
  it('hang at the bubble that they are about, the last one of each side', () => {
    const turns = [
      reaction('b', 'a', '👍'),
      reaction('c', 'a', '🎉'),
      reaction('d', 'a', '❤️', 'in'),
    ];
    expect(seen(text('a'), ...turns)).toEqual({ bubbles: ['a'], reactions: { a: ['🎉', '❤️'] } });
  });

  it('are known to be of the user, or of the business', () => {
    const turns = [text('a'), text('b'), reaction('c', 'a', '👍', 'in'), reaction('d', 'b', '🎉')];
    expect([...reactionsOf(turns).own]).toEqual([
      ['a', '👍'],
      ['b', ''],
    ]);
  });

  it('go when they are taken back', () => {
    expect(seen(text('a'), reaction('b', 'a', '👍'), reaction('c', 'a', ''))).toEqual({
      bubbles: ['a'],
      reactions: { a: [] },
    });
  });

  it('have a bubble of their own when the other one is not there', () => {
    expect(seen(reaction('b', 'a', '👍'))).toEqual({ bubbles: ['b'], reactions: {} });
  });

  it('have one when they did not arrive', () => {
    const failed = { ...reaction('b', 'a', '👍'), status: 'failed' };
    expect(seen(text('a'), failed)).toEqual({ bubbles: ['a', 'b'], reactions: {} });
  });
});
