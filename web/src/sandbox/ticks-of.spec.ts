import { describe, expect, it } from '@jest/globals';
import { ticksOf } from './ticks-of.ts';

const told = (
  id: string,
  status: 'pending' | 'succeeded',
  event: 'message.received' | 'message.status' = 'message.received',
) => ({ body: JSON.stringify({ data: { message_id: id } }), delivery: { event, status } });

describe('the ticks of a message of the user', () => {
  it.each([
    ['no event about it', [told('other', 'succeeded')], 'gone'],
    ['an event of another kind', [told('a', 'succeeded', 'message.status')], 'gone'],
    ['an event that is on its way', [told('a', 'pending')], 'taken'],
    [
      'an event that an endpoint accepted',
      [told('a', 'pending'), told('a', 'succeeded')],
      'delivered',
    ],
  ])('follow its events: %s', (_case, deliveries, ticks) => {
    expect(ticksOf({ id: 'a', is_read: false }, deliveries)).toBe(ticks);
  });

  it('are blue once the business has read it, whatever became of the events', () => {
    expect(ticksOf({ id: 'a', is_read: true }, [])).toBe('read');
  });
});
