import { describe, expect, it } from '@jest/globals';
import { reachOf } from './reach.ts';

const contact = { window: { state: 'open' }, opted_out: null, phone: '+447700900001' } as const;
const marks = (given: Parameters<typeof reachOf>[0]) => reachOf(given).map(({ is }) => is);

describe('what reaches a contact now', () => {
  it('is everything in an open window, and templates in a closed one', () => {
    expect(marks(contact)).toEqual(['yes', 'yes', 'yes', 'yes']);
    expect(marks({ ...contact, window: { state: 'closed' } })).toEqual(['no', 'yes', 'yes', 'yes']);
  });

  it('is not known of free-form messages while the window is not known', () => {
    expect(reachOf({ ...contact, window: { state: 'unknown' } })[0]).toEqual({
      what: 'Text, media, buttons and lists',
      is: 'maybe',
      why: 'Parley does not know whether they wrote in the last 24 hours',
    });
  });

  it('depends on what they wrote since WhatsApp refused a message for the closed window', () => {
    const refusedAt = '2026-11-21T13:01:44.000Z';
    expect(reachOf({ ...contact, window: { state: 'unknown' }, refusedAt })[0]).toMatchObject({
      is: 'maybe',
      why: 'if they have written since WhatsApp refused a message',
    });
    expect(marks({ ...contact, refusedAt })[0]).toBe('yes');
  });

  it('leaves out what they have opted out of, and codes without a number', () => {
    expect(marks({ ...contact, opted_out: 'marketing' })).toEqual(['yes', 'no', 'yes', 'yes']);
    expect(marks({ ...contact, opted_out: 'all', phone: null })).toEqual(['yes', 'no', 'no', 'no']);
  });
});
