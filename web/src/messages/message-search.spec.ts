import { describe, expect, it } from '@jest/globals';
import { searchFilter } from './message-search.ts';

describe('a search of messages', () => {
  it.each(['+447700910761', '+44 7700 910761', '+44 (7700) 910-761', '447700910761'])(
    'takes %s as a recipient',
    (text) => {
      expect(searchFilter(text)).toEqual({ to: '+447700910761' });
    },
  );

  it.each(['US.13491208655302741918', ' US.ENT.11815799212886844830 '])(
    'takes %s as the user id of a recipient',
    (text) => {
      expect(searchFilter(text)).toEqual({ to_user_id: text.trim() });
    },
  );

  it.each(['order-58213', '58213', '+12', 'rem 2026-11-21'])('takes %s as a reference', (text) => {
    expect(searchFilter(text)).toEqual({ reference: text });
  });
});
