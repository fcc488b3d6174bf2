import { describe, expect, it } from '@jest/globals';
import { lengthFaults } from './length-faults.ts';
import type { PlaygroundType } from './playground-types.ts';

const long = (length: number) => 'a'.repeat(length + 1);

describe('what is too long', () => {
  it.each<[PlaygroundType, string, number, (text: string) => object]>([
    ['text', 'body', 4_096, (body) => ({ body })],
    ['flow', 'body', 1_024, (body) => ({ body })],
    ['flow', 'footer', 60, (footer) => ({ footer })],
    ['flow', 'flow.cta', 20, (cta) => ({ flow: { cta } })],
    ['cta_url', 'button.text', 20, (text) => ({ button: { text } })],
    ['cta_url', 'button.url', 2_000, (url) => ({ button: { url } })],
    ['cta_url', 'header.image.link', 2_048, (link) => ({ header: { image: { link } } })],
    ['carousel', 'cards[0].body', 160, (body) => ({ cards: [{ body }] })],
    ['carousel', 'cards[0].button.text', 20, (text) => ({ cards: [{ button: { text } }] })],
    ['carousel', 'cards[0].button.url', 2_000, (url) => ({ cards: [{ button: { url } }] })],
    ['carousel', 'cards[0].buttons[0].id', 256, (id) => ({ cards: [{ buttons: [{ id }] }] })],
    [
      'carousel',
      'cards[1].buttons[0].title',
      20,
      (title) => ({ cards: [{}, { buttons: [{ title }] }] }),
    ],
    ['location', 'name', 1_000, (name) => ({ name })],
    ['location', 'address', 1_000, (address) => ({ address })],
    [
      'contacts',
      'contacts[0].org.company',
      1_000,
      (company) => ({ contacts: [{ org: { company } }] }),
    ],
  ])('in a %s is %s with more than %i characters', (type, path, max, payloadOf) => {
    const faults = lengthFaults(type, payloadOf(long(max)) as never);
    expect(Object.keys(faults)).toEqual([path]);
    expect(lengthFaults(type, payloadOf('a'.repeat(max)) as never)).toEqual({});
  });

  it('is a body of a card with more than two line breaks', () => {
    const faults = (body: string) => lengthFaults('carousel', { cards: [{ body }] });
    expect(faults('one\ntwo\r\nthree')).toEqual({});
    expect(faults('one\ntwo\nthree\nfour')).toEqual({
      'cards[0].body': 'At most 2 line breaks; this has 3',
    });
  });

  it('is nothing in the data of a flow', () => {
    expect(lengthFaults('flow', { flow: { data: { name: long(5_000) } } })).toEqual({});
  });
});
