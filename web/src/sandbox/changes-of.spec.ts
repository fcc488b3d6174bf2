import { describe, expect, it } from '@jest/globals';
import { changesOf } from './changes-of.ts';
import { replyText } from './reply-text.ts';

const text = (body: string) => ({ type: 'text', text: { body } });
const turn = (id: string, message: Record<string, unknown>, direction: 'in' | 'out' = 'in') => ({
  id,
  direction,
  message,
});
const edit = (about: string, body: string) => ({
  type: 'edit',
  edit: { original_message_id: about, message: text(body) },
});
const revoke = (about: string) => ({ type: 'revoke', revoke: { original_message_id: about } });

const seen = (...all: Parameters<typeof changesOf>[0]) => {
  const { turns, changed } = changesOf(all);
  return {
    says: turns.map(({ message }) => replyText(message)),
    changed: Object.fromEntries(changed),
  };
};

describe('the edits and revocations of a conversation', () => {
  it('change what is there: the last words count', () => {
    const turns = [turn('a', text('At nine')), turn('b', edit('a', 'At ten'))];
    expect(seen(...turns, turn('c', edit('a', 'At noon')))).toEqual({
      says: ['At noon'],
      changed: { a: 'edited' },
    });
  });

  it('leave of what was taken back only that it was', () => {
    const turns = [turn('a', text('At nine')), turn('b', revoke('a'))];
    expect(seen(...turns, turn('c', edit('a', 'At noon')))).toEqual({
      says: ['You deleted this message'],
      changed: { a: 'revoked' },
    });
    const own = [turn('a', text('Hello'), 'out'), turn('b', revoke('a'), 'out')];
    expect(seen(...own).says).toEqual(['This message was deleted']);
  });

  it('are the sender’s own', () => {
    const turns = [turn('a', text('At nine'), 'out'), turn('b', revoke('a'))];
    expect(seen(...turns)).toEqual({ says: ['At nine', 'Deleted a message'], changed: {} });
  });

  it('keep what the message answers', () => {
    const answer = { ...text('Yes'), context: { id: 'q' } };
    const { turns } = changesOf([turn('a', answer), turn('b', edit('a', 'No'))]);
    expect(turns[0]?.message.context).toEqual({ id: 'q' });
  });

  it('have a bubble of their own when the message is not there', () => {
    const turns = [turn('a', edit('x', 'At ten')), turn('b', revoke('x'))];
    expect(seen(...turns).says).toEqual(['Edited a message', 'Deleted a message']);
  });
});
