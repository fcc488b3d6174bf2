import { readSearch } from './search-query.js';

const number = (text: string) => {
  const { phones, phoneStart, phoneEnds } = readSearch(text);
  return { phones, phoneStart, phoneEnds };
};

const id = '01a1fe24-d4ba-71e8-a502-760746519a21';

describe('the reading of a search', () => {
  it.each([
    ['+1 415 555 1012', ['+14155551012'], '+14155551012', []],
    ['0014155551012', ['+14155551012'], '+14155551012', ['0014155551012', '14155551012']],
    ['+44 (0)20 7946-0882', ['+442079460882'], '+442079460882', []],
    ['+1 415', [], '+1415', []],
    ['4155551012', ['+4155551012'], '+4155551012', ['4155551012']],
    ['14155551012', ['+14155551012'], '+14155551012', ['14155551012']],
    ['(415) 555-1012', ['+4155551012'], '+4155551012', ['4155551012']],
    ['020 7946 0882', [], null, ['02079460882', '2079460882']],
    ['1012', [], null, ['1012']],
    ['tel:+44 07700 900118', ['+447700900118'], '+447700900118', []],
    ['\u202a+5511987654321.0', ['+5511987654321', '+551187654321'], '+5511987654321', []],
    ['0012', [], null, ['0012']],
    ['+49 30', [], '+4930', []],
    ['+55 11 98765 4321', ['+5511987654321', '+551187654321'], '+5511987654321', []],
  ])('reads the number %s', (text, phones, phoneStart, phoneEnds) => {
    expect(number(text)).toEqual({ phones, phoneStart, phoneEnds });
  });

  it.each(['882', '012', '+1', '1+415555', 'order-88214', '+14155551012x', '', '---'])(
    'reads no number in %j',
    (text) => {
      expect(number(text)).toEqual({ phones: [], phoneStart: null, phoneEnds: [] });
    },
  );

  it('reads an id in any case, which may be that of an event', () => {
    expect(readSearch(` ${id.toUpperCase()} `)).toMatchObject({ id, eventId: id, phones: [] });
  });

  it('reads the id of an event as receivers see it', () => {
    const seen = `evt_${id.replaceAll('-', '')}`;
    expect(readSearch(seen)).toMatchObject({ id: null, eventId: id });
  });

  it('reads what WhatsApp calls a message and a user', () => {
    expect(readSearch('wamid.HBgLNDQ3==').platformId).toBe('wamid.HBgLNDQ3==');
    expect(readSearch('US.13491208655302741918').userId).toBe('US.13491208655302741918');
    expect(readSearch('order_shipped')).toMatchObject({
      text: 'order_shipped',
      id: null,
      eventId: null,
      platformId: null,
      userId: null,
    });
  });
});
