import { describe, expect, it } from '@jest/globals';
import { tapOf } from './tap-of.ts';

const mia = { name: '@mia', phone: '+14155550123' };
const tap = (kind: Parameters<typeof tapOf>[0]['kind']) =>
  tapOf({ kind, id: 'yes', title: 'Yes' }, 'wamid.1', mia);

describe('a tap of a button', () => {
  it('of a reply sends its id', () => {
    expect(tap('reply')).toEqual({ say: { to: 'wamid.1', body: { button_id: 'yes' } } });
  });

  it('of a contact request sends the contact of the user', () => {
    expect(tap('contact')).toEqual({ say: { to: 'wamid.1', body: { contact: mia } } });
  });

  it('of a location request or a flow opens a form', () => {
    expect(tap('location')).toEqual({ open: { kind: 'location', to: 'wamid.1' } });
    expect(tap('flow')).toEqual({ open: { kind: 'flow', to: 'wamid.1', title: 'Yes' } });
  });
});
