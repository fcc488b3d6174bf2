import { describe, expect, it } from '@jest/globals';
import { shownMessage, summaryOf } from './shown-message.ts';

const interactive = (action: object, type = 'button') =>
  shownMessage({ type: 'interactive', interactive: { type, body: { text: 'Hello' }, action } });

const link = (title: string) => ({
  name: 'cta_url',
  parameters: { display_text: title, url: 'https://example.com' },
});

describe('the buttons of a message', () => {
  it.each([
    ['link', 'Track', link('Track')],
    ['location', 'Send location', { name: 'send_location' }],
    ['contact', 'Share contact info', { name: 'request_contact_info' }],
    ['flow', 'Book', { name: 'flow', parameters: { flow_cta: 'Book' } }],
  ])('have one of the kind %s', (kind, title, action) => {
    expect(interactive(action).buttons).toEqual([{ kind, id: '', title }]);
  });

  it('have an id when they reply', () => {
    const reply = { id: 'track', title: 'Track' };
    expect(interactive({ buttons: [{ type: 'reply', reply }] }).buttons).toEqual([
      { kind: 'reply', ...reply },
    ]);
  });
});

describe('a carousel', () => {
  const header = { type: 'video', video: { link: 'https://example.com/honey.mp4' } };
  const honey = { id: 'honey', title: 'Add honey' };
  const shown = interactive(
    {
      cards: [
        { header, body: { text: 'Honey' }, action: link('See') },
        { header, action: { buttons: [{ type: 'quick_reply', quick_reply: honey }] } },
      ],
    },
    'carousel',
  );

  it('has cards that are like messages', () => {
    const plate = { kind: 'video', link: 'https://example.com/honey.mp4', filename: '' };
    expect(shown.cards).toMatchObject([
      { header: plate, body: 'Honey', buttons: [{ kind: 'link', title: 'See' }] },
      { header: plate, body: '', buttons: [{ kind: 'reply', ...honey }] },
    ]);
  });

  it('has its own text above them', () => {
    expect(shown).toMatchObject({ body: 'Hello', buttons: [] });
    expect(summaryOf(shown)).toBe('Hello');
  });
});

describe('a file', () => {
  it.each(['link', 'media_id', 'id'])('may be named by %s', (field) => {
    const shown = shownMessage({ type: 'image', image: { [field]: 'x' } });
    expect(shown.header).toEqual({ kind: 'image', link: 'x', filename: '' });
  });
});

describe('a location', () => {
  it('is a map with a name and an address', () => {
    const location = { latitude: -33.9, longitude: 18.42, name: 'Shop', address: '1 High Street' };
    const shown = shownMessage({ type: 'location', location });
    expect(shown.header).toEqual({
      kind: 'location',
      spot: '-33.9, 18.42',
      name: 'Shop',
      address: '1 High Street',
    });
    expect(summaryOf(shown)).toBe('Shop');
  });

  it('may have neither', () => {
    const shown = shownMessage({ type: 'location', location: { latitude: 1, longitude: 2 } });
    expect(summaryOf(shown)).toBe('location');
  });
});

describe('contact cards', () => {
  const card = (name: string) => ({ name: { formatted_name: name } });

  it('say who it is, and whether one can write to them', () => {
    const contacts = [{ ...card('Mia'), org: { company: 'Shop' }, phones: [{ wa_id: '4477' }] }];
    const shown = shownMessage({ type: 'contacts', contacts });
    expect(shown.people).toEqual([{ name: 'Mia', company: 'Shop', isOnWhatsApp: true }]);
  });

  it.each([
    ['Mia', ['Mia']],
    ['Mia and 1 other', ['Mia', 'Tom']],
    ['Mia and 2 others', ['Mia', 'Tom', 'Ann']],
  ])('are %s in one line', (line, names) => {
    expect(summaryOf(shownMessage({ type: 'contacts', contacts: names.map(card) }))).toBe(line);
  });
});

describe('a reaction', () => {
  const react = (emoji: string) =>
    shownMessage({ type: 'reaction', reaction: { message_id: 'wamid.A', emoji } });

  it('is an emoji about a message', () => {
    expect(react('👍').reaction).toEqual({ emoji: '👍', about: 'wamid.A' });
    expect(summaryOf(react('👍'))).toBe('Reacted 👍');
  });

  it('is taken back without one', () => {
    expect(summaryOf(react(''))).toBe('Took a reaction back');
  });

  it.each([
    ['Edited a message', { type: 'edit', edit: { original_message_id: 'a' } }],
    ['Deleted a message', { type: 'revoke', revoke: { original_message_id: 'a' } }],
  ])('says of a change to a message that is not here: %s', (line, message) => {
    expect(summaryOf(shownMessage(message))).toBe(line);
  });
});
