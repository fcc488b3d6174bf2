import { plainNumber, readPhoneNumber } from './read-phone-number.js';

const bare = { hasBareCodes: true };

describe('the reading of a phone number', () => {
  it.each([
    // Grouping, and 00 for +.
    ['+1 (415) 555-0123', '+14155550123'],
    ['+49 171/123.45-67', '+491711234567'],
    ['(+44) 7700 900118', '+447700900118'],
    ['+ 44 7700–900‑118', '+447700900118'],
    ['0044 7700 900118', '+447700900118'],
    ['+44\u00a07700\u202f900118\r\n', '+447700900118'],
    ['+447700900118,', '+447700900118'],
    // The 0 that is dialled within a country only.
    ['+44 (0)7700 900118', '+447700900118'],
    ['+44(0) 7700 900118', '+447700900118'],
    ['+44 ( 0 ) 7700 900118', '+447700900118'],
    ['+44 [0] 7700 900118', '+447700900118'],
    ['0044 (0)7700 900118', '+447700900118'],
    ['+44 07700 900118', '+447700900118'],
    ['+44 (07700) 900118', '+447700900118'],
    ['+353 (0)85 012 3456', '+353850123456'],
    // In these countries, the 0 is part of the number.
    ['+39 06 1234 5678', '+390612345678'],
    ['+225 07 12 34 56 78', '+2250712345678'],
    // What spreadsheets make of numbers.
    ['+5511987654321.0', '+5511987654321'],
    ['+5511987654321,00', '+5511987654321'],
    ["'+5511987654321", '+5511987654321'],
    ['’+5511987654321', '+5511987654321'],
    ['="+5511987654321"', '+5511987654321'],
    ['"+5511987654321"', '+5511987654321'],
    // What phones and chats put around them.
    ['\u202a+44 7700 900118\u202c', '+447700900118'],
    ['\u200e+44 7700 900118\u200f', '+447700900118'],
    ['\ufeff+44 7700 900118', '+447700900118'],
    ['tel:+44-7700-900118', '+447700900118'],
    ['Tel.: +44 7700 900118', '+447700900118'],
    ['p:+447700900118', '+447700900118'],
    ['whatsapp:+447700900118', '+447700900118'],
    ['whatsapp://send?phone=447700900118', '+447700900118'],
    ['https://wa.me/447700900118', '+447700900118'],
    ['447700900118@c.us', '+447700900118'],
    // Digits of other writings.
    ['＋４４　７７００　９００１１８', '+447700900118'],
    ['+٩٦٦٥٠١٢٣٤٥٦٧', '+966501234567'],
    ['+۹۸۹۱۲۳۴۵۶۷۸۹', '+989123456789'],
  ])('takes %j as %s', (text, phone) => {
    expect(readPhoneNumber(text)).toEqual({ phone });
    expect(readPhoneNumber(text, bare)).toEqual({ phone });
  });

  it.each([
    ['447700900118', '+447700900118'],
    ['44 (0)7700 900118', '+447700900118'],
    ['5511987654321.0', '+5511987654321'],
    ['5,511,987,654,321.00', '+5511987654321'],
    ['5.511.987.654.321,00', '+5511987654321'],
    ['5’511’987’654’321', '+5511987654321'],
    ['(415) 555-0123', '+4155550123'],
  ])('asks for the country code of %s', (text, phone) => {
    const fault = 'No country code: a number starts with + or 00';
    expect(readPhoneNumber(text)).toEqual({ fault });
    expect(readPhoneNumber(text, bare)).toEqual({ phone });
  });

  it.each([
    ['', 'There is no number'],
    ['07700 900118', 'No country code: a number starts with + or 00'],
    ['(0)7700 900118', 'No country code: a number starts with + or 00'],
    ['+44', 'Too short for a number'],
    ['+4477009001182299', 'Too long for a number'],
    ['+0447700900118', 'No country code begins with 0'],
    ['+44 7700 900 38l', '“l” is not a digit'],
    ['nobody', '“n” is not a digit'],
    ['++447700900118', 'A + stands at the beginning only'],
    ['+44 007700 900118', 'No number begins with 00 after +44'],
    [
      '+44 7700 (0) 900118',
      'Write the number without (0), or with 0 where it belongs to the number',
    ],
    ['+39 (0)6 1234567', 'Write the number without (0), or with 0 where it belongs to the number'],
    ['(1)', 'A negative number, not a phone number'],
    ['(4155550123)', 'A negative number, not a phone number'],
    ['-45', 'A negative number, not a phone number'],
    ['−447700900118', 'A negative number, not a phone number'],
    ['5511987654321.5', 'A decimal number, not a phone number'],
    ...['5.5E+12', '5,51E+12', '5.51198765432e+12', '5E12', '+5.5E+12'].map((text) => [
      text,
      'The spreadsheet has cut this number: make the column a text and export again',
    ]),
    ['+44 7700\u200b900118', 'Contains a zero-width space (U+200B)'],
    ['\u200b+447700900118', 'Contains a zero-width space (U+200B)'],
    ['+44\u200d7700900118', 'Contains a zero-width joiner (U+200D)'],
    ['\u202e+447700900118', 'Contains a mark that turns the digits round (U+202E)'],
    ['+44\u00007700900118', 'Contains an invisible sign (U+0000)'],
    ...[
      '+44 7700 900118 ext. 12',
      '+447700900118x12',
      '+447700900118 #12',
      '+447700900118, extension 12',
      'tel:+447700900118;ext=12',
      '+5511987654321 ramal 12',
    ].map((text) => [text, 'Has an extension: WhatsApp knows whole numbers only']),
    ...[
      '+447700900118 +447700900119',
      '+447700900118/+447700900119',
      '+447700900118; +447700900119',
      '+447700900118, 07700900119',
      '+447700900118 or 07700900119',
      '+447700900118\n+447700900119',
      '00447700900118 / 00447700900119',
      '447700900118 447700900119',
      '4155550123/4155550124',
    ].map((text) => [text, 'Two numbers in one cell']),
  ])('says what is wrong with %j: %s', (text, fault) => {
    expect(readPhoneNumber(text ?? '')).toEqual({ fault });
  });

  it.each([
    ['900 118', '900118'],
    ['+44 (77', '+4477'],
    ['\u202a1012', '1012'],
    ['order', 'order'],
  ])('compares %j as %s', (text, plain) => {
    expect(plainNumber(text)).toBe(plain);
  });
});
