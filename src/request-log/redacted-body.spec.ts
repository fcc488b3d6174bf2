import { RawBody } from '../http/server/raw-body.js';
import { redactedBody } from './redacted-body.js';

const redactedText = (text: string, contentType = 'application/json') =>
  redactedBody(new RawBody(Buffer.from(text), contentType));

const redacted = (body: object) => JSON.parse(redactedText(JSON.stringify(body)));

describe('a body that is kept', () => {
  it('has its form, and of what people wrote the length', () => {
    expect(
      redacted({
        to: '+14155550123',
        header: { type: 'image', image: { link: 'https://mia:pw@example.com/a.jpg?token=1' } },
        body: 'Is nine on Friday all right?',
        buttons: [
          { id: 'yes', title: 'Yes' },
          { id: 'no-later', title: 'No' },
        ],
        reference: 'order 7',
        reply_to: 'wamid.HBgLMTQxNTU1NTAxMjM=',
        expires_in_seconds: 86_400,
        send_at: '2027-01-31T12:00:00Z',
        preview_url: true,
        footer: null,
      }),
    ).toEqual({
      to: '+14…23',
      header: { type: 'image', image: { link: 'https://example.com/…' } },
      body: 'text of 28 characters',
      buttons: [
        { id: 'yes', title: 'text of 3 characters' },
        { id: 'no-later', title: 'text of 2 characters' },
      ],
      reference: 'text of 7 characters',
      reply_to: 'text of 26 characters',
      expires_in_seconds: 86_400,
      send_at: '2027-01-31T12:00:00Z',
      preview_url: true,
      footer: null,
    });
  });

  it('has the names of a template and of its variables, and no value of them', () => {
    expect(
      redacted({
        to: '14155550123',
        template_name: 'visit_on',
        language: 'en_US',
        template_id: '01a1fe24-d4ba-71e8-a502-760746519a21',
        variables: { first_name: 'Mia', code: '483920', type: 'gift', seats: 2 },
        components: [
          {
            type: 'body',
            parameters: [{ type: 'text', parameter_name: 'day', text: 'Friday' }],
          },
          { type: 'button', sub_type: 'url', index: 0 },
        ],
      }),
    ).toEqual({
      to: '14…23',
      template_name: 'visit_on',
      language: 'en_US',
      template_id: '01a1fe24-d4ba-71e8-a502-760746519a21',
      variables: {
        first_name: 'text of 3 characters',
        code: 'text of 6 characters',
        type: 'text of 4 characters',
        seats: 'number of 1 digit',
      },
      components: [
        {
          type: 'body',
          parameters: [{ type: 'text', parameter_name: 'day', text: 'text of 6 characters' }],
        },
        { type: 'button', sub_type: 'url', index: 0 },
      ],
    });
  });

  it('has nothing of a contact but the form', () => {
    expect(
      redacted({
        contacts: [
          {
            name: { formatted_name: 'Mia Jung' },
            birthday: '1999-01-23',
            phones: [{ phone: '+44 7700 900142', wa_id: '447700900142', type: 'WORK' }],
            emails: [{ email: 'mia@example.com' }],
            addresses: [{ state: 'Kent', zip: '12345' }],
          },
        ],
      }),
    ).toEqual({
      contacts: [
        {
          name: { formatted_name: 'text of 8 characters' },
          birthday: 'text of 10 characters',
          phones: [{ phone: '+44…42', wa_id: '44…42', type: 'text of 4 characters' }],
          emails: [{ email: 'text of 15 characters' }],
          addresses: [{ state: 'text of 4 characters', zip: 'text of 5 characters' }],
        },
      ],
    });
  });

  it('does not tell where a place is, and keeps small numbers', () => {
    expect(redacted({ latitude: 51.50741, longitude: -0.12776, name: 'Shop', limit: 25 })).toEqual({
      latitude: 'number of 7 digits',
      longitude: 'number of 6 digits',
      name: 'text of 4 characters',
      limit: 25,
    });
  });

  it.each([
    [{ to: 14155550123 }, { to: '14…23, as a number' }],
    [{ to: '12' }, { to: 'text of 2 characters' }],
    [{ to: 'US.13491208655302741918' }, { to: 'text of 23 characters' }],
    [{ to: ['+14155550123'] }, { to: ['+14…23'] }],
    [{ body: '+14155550123' }, { body: 'text of 12 characters' }],
    [{ body: 14155550123 }, { body: 'number of 11 digits' }],
    [{ type: 'Dear Mrs Smith' }, { type: 'text of 14 characters' }],
    [{ id: '4155550123' }, { id: 'text of 10 characters' }],
    [{ send_at: 'tomorrow' }, { send_at: 'text of 8 characters' }],
    [{ link: 'https://' }, { link: 'text of 8 characters' }],
    [
      { '+14155550123': 1, 'Dear Mia': 2 },
      { '…': 1, '… (2)': 2 },
    ],
    [{ flow: { data: { id: 'mia' } } }, { flow: { data: { id: 'text of 3 characters' } } }],
    [{ language: { code: 'en' } }, { language: { code: 'text of 2 characters' } }],
  ])('that is not valid shows what is wrong: %j', (body, shown) => {
    expect(redacted(body)).toEqual(shown);
  });

  it('has the first members of a long list, and how many more there are', () => {
    const items = Array.from({ length: 60 }, (_, index) => ({ index }));
    const shown = redacted({ items });
    expect([shown.items.length, shown.items.at(-1)]).toEqual([51, '… 10 more']);
    const fields = Object.fromEntries(items.map(({ index }) => [`field_${index}`, null]));
    expect(redacted(fields)).toMatchObject({ field_49: null, '…': '… 10 more' });
  });

  it('is cut after 16 KiB', () => {
    const texts = Array.from({ length: 50 }, () => 'a');
    const shown = redactedText(JSON.stringify({ items: texts.map(() => texts) }));
    expect(shown).toHaveLength(16 * 1024 + '\n… cut here'.length);
  });

  it.each([
    ['hello', 'A body of 5 bytes: it must be valid JSON.'],
    ['"at position 1415555"x', 'A body of 22 bytes: it must be valid JSON.'],
    ['{"to": "x"', 'A body of 10 bytes: it must be valid JSON, and is not at position 10.'],
    ['{"to": "Mia",}', 'A body of 14 bytes: it must be valid JSON, and is not at position 13.'],
    ['["Mia"]', 'A body of 7 bytes: it must be a JSON object.'],
    ['', 'A body of 0 bytes: it must not be empty.'],
    ['[['.repeat(40), 'A body of 80 bytes: it must not be nested deeper than 32 levels.'],
  ])('and is not JSON has its length and what is wrong: %s', (text, shown) => {
    expect(redactedText(text)).toBe(shown);
  });

  it('and is something else, or more than is kept, is described only', () => {
    expect(redactedText('to=Mia', 'text/plain')).toBe(
      'A body of 6 bytes: it must be sent with Content-Type: application/json.',
    );
    expect(redactedBody(new RawBody(Buffer.alloc(0), 'application/json', '', true))).toBe(
      'A body: it must be at most 256 KiB.',
    );
    expect(redactedText(' '.repeat(300_000))).toBe('A body of 300,000 bytes: more than is kept.');
  });
});
