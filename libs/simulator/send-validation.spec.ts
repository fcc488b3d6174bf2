import {
  buttonMessage,
  listMessage,
  listWithRows,
  message,
  SimulatorUnderTest,
  textMessage,
} from './spec-support.js';

const image = { link: 'https://cdn.example/picture.png' };
const chars = (count: number): string => 'x'.repeat(count);
const row = (parts: object) =>
  listMessage({}, { sections: [{ rows: [{ id: 'a', title: 'A', ...parts }] }] });
const template = (components: unknown, name = 'hello_world') =>
  message('template', { name, language: { code: 'en_US' }, components });
const body = (...parameters: unknown[]) => template([{ type: 'body', parameters }]);

describe('what the platform takes and refuses', () => {
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start();
  });
  afterAll(() => simulator.close());

  it.each<[string, unknown]>([
    ['a text of 4096 characters', message('text', { body: chars(4096) })],
    [
      'a text of 4096 emoji, which are 8192 code units',
      message('text', { body: '🙂'.repeat(4096) }),
    ],
    ['a message without a type as text', { ...textMessage(), type: undefined }],
    ['a number without +', textMessage({ to: '16505551234' })],
    ['a number as people write it', textMessage({ to: '+1 (650) 555-1234' })],
    ['a message without recipient_type', textMessage({ recipient_type: undefined })],
    ['a reply', textMessage({ context: { message_id: 'wamid.abc' } })],
    ['512 characters of callback data', textMessage({ biz_opaque_callback_data: chars(512) })],
    [
      'an image by link with 1024 characters of caption',
      message('image', { ...image, caption: chars(1024) }),
    ],
    [
      'a document with a file name',
      message('document', { ...image, filename: 'a.pdf', caption: 'b' }),
    ],
    ['a voice note', message('audio', { ...image, voice: true })],
    ['an audio that is no voice note', message('audio', { ...image, voice: false })],
    ['an image by id', message('image', { id: '1037543291543636' })],
    ['a sticker', message('sticker', { id: '12' })],
    ['a reaction that is taken back', message('reaction', { message_id: 'wamid.x', emoji: '' })],
    ['a location', message('location', { latitude: 37.4, longitude: '-122.1', name: 'HQ' })],
    [
      '257 contacts',
      message(
        'contacts',
        Array.from({ length: 257 }, () => ({ name: { formatted_name: 'A' } })),
      ),
    ],
    ['a contact', message('contacts', [{ name: { formatted_name: 'A B', first_name: 'A' } }])],
    ['ten rows in one section', listWithRows(10)],
    ['ten rows over ten sections', listWithRows(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)],
    ['one section without a title', listMessage()],
    ['a list body of 4096 characters', listMessage({ body: { text: chars(4096) } })],
    [
      'list texts at their limits',
      listMessage(
        { header: { type: 'text', text: chars(60) }, footer: { text: chars(60) } },
        {
          button: chars(20),
          sections: [
            {
              title: chars(24),
              rows: [{ id: chars(200), title: chars(24), description: chars(72) }],
            },
          ],
        },
      ),
    ],
    [
      'equal row titles',
      listMessage(
        {},
        {
          sections: [
            {
              rows: [
                { id: 'a', title: 'A' },
                { id: 'b', title: 'A' },
              ],
            },
          ],
        },
      ),
    ],
    [
      'three buttons',
      buttonMessage([
        ['a', 'A'],
        ['b', 'B'],
        ['c', 'C'],
      ]),
    ],
    [
      'button texts at their limits',
      buttonMessage([[chars(256), chars(20)]], {
        header: { type: 'text', text: chars(60) },
        body: { text: chars(1024) },
        footer: { text: chars(60) },
      }),
    ],
    ['an image header', buttonMessage([['a', 'A']], { header: { type: 'image', image } })],
    ['a video header', buttonMessage([['a', 'A']], { header: { type: 'video', video: image } })],
    [
      'a document header',
      buttonMessage([['a', 'A']], {
        header: { type: 'document', document: { ...image, filename: 'a.pdf' } },
      }),
    ],
    [
      'a link button',
      message('interactive', {
        type: 'cta_url',
        body: { text: 'See' },
        action: {
          name: 'cta_url',
          parameters: { display_text: 'Open', url: 'https://x.example/' },
        },
      }),
    ],
  ])('takes %s', async (_, sent) => {
    const { http, text } = await simulator.send(sent);
    expect([http, text]).toEqual([200, expect.stringContaining('wamid.')]);
  });

  it.each<[string, unknown, number, string | RegExp]>([
    ['malformed JSON', '{', 100, /messaging_product is required/],
    [
      'another product',
      textMessage({ messaging_product: 'sms' }),
      100,
      /messaging_product must be one of/,
    ],
    ['no recipient', textMessage({ to: undefined }), 100, '(#100) The parameter to is required.'],
    [
      'a recipient that is no string',
      textMessage({ to: 16505551234 }),
      100,
      /Param to must be a string/,
    ],
    ['a recipient without digits', textMessage({ to: 'nobody' }), 131009, /phone number/],
    ['a malformed user id', textMessage({ to: undefined, recipient: 'us.1' }), 131009, /user id/],
    [
      'an unknown type',
      textMessage({ type: 'fax' }),
      100,
      /Param type must be one of .*- got "fax"/,
    ],
    [
      'an unknown field',
      textMessage({ priority: 1 }),
      100,
      '(#100) Unexpected key "priority" on param "root".',
    ],
    ['the content of another type', textMessage({ image }), 100, /Unexpected key "image"/],
    ['no content', textMessage({ text: undefined }), 100, '(#100) The parameter text is required.'],
    [
      'a text of 4097 characters',
      message('text', { body: chars(4097) }),
      100,
      "(#100) Param text['body'] must be at most 4096 characters long.",
    ],
    [
      'a text that is no string',
      message('text', { body: 5 }),
      100,
      "(#100) Param text['body'] must be a string.",
    ],
    ['a blank text', message('text', { body: ' \n' }), 100, /text\['body'\]/],
    [
      'an unknown field of a text',
      message('text', { body: 'x', bold: true }),
      100,
      '(#100) Unexpected key "bold" on param "text".',
    ],
    [
      '513 characters of callback data',
      textMessage({ biz_opaque_callback_data: chars(513) }),
      100,
      /biz_opaque_callback_data must be at most 512/,
    ],
    [
      'a reply to no message id',
      textMessage({ context: { message_id: 'abc' } }),
      131009,
      /context/,
    ],
    ['both id and link', message('image', { ...image, id: '1' }), 131009, /only one of id, link/],
    ['neither id nor link', message('image', {}), 131008, /one of id, link/],
    [
      'a link that is not http',
      message('image', { link: 'ftp://x.example/a' }),
      100,
      "(#100) Param image['link'] is not a valid URI.",
    ],
    [
      'a caption of 1025 characters',
      message('image', { ...image, caption: chars(1025) }),
      100,
      /image\['caption'\] must be at most 1024/,
    ],
    [
      'a caption on audio',
      message('audio', { ...image, caption: 'x' }),
      100,
      /Unexpected key "caption"/,
    ],
    [
      'a caption on a sticker',
      message('sticker', { ...image, caption: 'x' }),
      100,
      /Unexpected key "caption"/,
    ],
    [
      '258 contacts',
      message(
        'contacts',
        Array.from({ length: 258 }, () => ({ name: { formatted_name: 'A' } })),
      ),
      131009,
      /contacts/,
    ],
    [
      'a latitude out of range',
      message('location', { latitude: 91, longitude: 0 }),
      131009,
      /latitude/,
    ],

    [
      'eleven rows in one section',
      listWithRows(11),
      131009,
      'Total row count exceed max allowed count: 10',
    ],
    [
      'eleven rows over two sections',
      listWithRows(6, 5),
      131009,
      'Total row count exceed max allowed count: 10',
    ],
    ['an empty section', listWithRows(0), 131009, /rows count/],
    ['no sections', listMessage({}, { sections: [] }), 131009, /sections count/],
    ['eleven sections', listWithRows(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), 131009, /sections count/],
    [
      'two sections, one untitled',
      listMessage(
        {},
        {
          sections: [
            { title: 'S', rows: [{ id: 'a', title: 'A' }] },
            { rows: [{ id: 'b', title: 'B' }] },
          ],
        },
      ),
      131008,
      /Section title/,
    ],
    [
      'a section title of 25 characters',
      listMessage({}, { sections: [{ title: chars(25), rows: [{ id: 'a', title: 'A' }] }] }),
      131009,
      /Max length: 24/,
    ],
    [
      'a row title of 25 characters',
      row({ title: chars(25) }),
      131009,
      'Row title is too long. Max length is 24',
    ],
    ['a row without a title', row({ title: undefined }), 131008, /Row title/],
    ['a row id of 201 characters', row({ id: chars(201) }), 131009, /Max length: 200/],
    [
      'a row description of 73 characters',
      row({ description: chars(73) }),
      131009,
      /Max length: 72/,
    ],
    ['an empty row description', row({ description: '' }), 131009, /Row description/],
    [
      'equal row ids',
      listMessage(
        {},
        {
          sections: [
            {
              rows: [
                { id: 'a', title: 'A' },
                { id: 'a', title: 'B' },
              ],
            },
          ],
        },
      ),
      131009,
      /unique/,
    ],
    [
      'an image header on a list',
      listMessage({ header: { type: 'image', image } }),
      131009,
      /Header type/,
    ],
    [
      'a list header of 61 characters',
      listMessage({ header: { type: 'text', text: chars(61) } }),
      131009,
      /Max length: 60/,
    ],
    [
      'a list body of 4097 characters',
      listMessage({ body: { text: chars(4097) } }),
      131009,
      /Max length: 4096/,
    ],
    ['a list without a body', listMessage({ body: undefined }), 131008, /body/],
    ['an empty footer', listMessage({ footer: { text: '' } }), 131009, /Footer/],
    [
      'a list label of 21 characters',
      listMessage({}, { button: chars(21) }),
      131009,
      /Max length: 20/,
    ],
    ['an unknown field of a row', row({ icon: 'x' }), 100, /Unexpected key "icon"/],

    [
      'four buttons',
      buttonMessage([
        ['a', 'A'],
        ['b', 'B'],
        ['c', 'C'],
        ['d', 'D'],
      ]),
      131009,
      'Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3',
    ],
    ['no buttons', buttonMessage([]), 131009, /Invalid buttons count/],
    [
      'a button title of 21 characters',
      buttonMessage([['a', chars(21)]]),
      131009,
      'Button title length invalid. Min length: 1, Max length: 20',
    ],
    [
      'an empty button title',
      buttonMessage([['a', '']]),
      131009,
      'Button title length invalid. Min length: 1, Max length: 20',
    ],
    [
      'button titles that differ in case only',
      buttonMessage([
        ['a', 'WhatsApp'],
        ['b', 'Whatsapp'],
      ]),
      131009,
      'Buttons titles must be unique',
    ],
    [
      'equal button ids',
      buttonMessage([
        ['a', 'A'],
        ['a', 'B'],
      ]),
      131009,
      /unique/,
    ],
    [
      'a button id of 257 characters',
      buttonMessage([[chars(257), 'A']]),
      131009,
      /Max length: 256/,
    ],
    ['a button id with a space at its end', buttonMessage([['a ', 'A']]), 131009, /spaces/],
    [
      'a button body of 1025 characters',
      buttonMessage([['a', 'A']], { body: { text: chars(1025) } }),
      131009,
      /Max length: 1024/,
    ],
    [
      'an audio header',
      buttonMessage([['a', 'A']], { header: { type: 'audio', audio: image } }),
      131009,
      /Header type/,
    ],
    [
      'a caption in a header',
      buttonMessage([['a', 'A']], { header: { type: 'image', image: { ...image, caption: 'x' } } }),
      100,
      /Unexpected key "caption"/,
    ],
    [
      'an unknown interactive type',
      message('interactive', { type: 'LIST', body: { text: 'x' }, action: {} }),
      100,
      /interactive\['type'\]/,
    ],

    [
      'a template without a language',
      message('template', { name: 'hello_world' }),
      100,
      /template\['language'\] is required/,
    ],
    ['a template without a name', template([], ''), 100, /template\['name'\] is required/],
    [
      'a component in capitals',
      template([{ type: 'BODY', parameters: [] }]),
      100,
      /must be one of \{HEADER, BODY, BUTTON, /,
    ],
    ['a line break in a parameter', body({ type: 'text', text: 'a\nb' }), 132018, /new-line\/tab/],
    ['a tab in a parameter', body({ type: 'text', text: 'a\tb' }), 132018, /new-line\/tab/],
    [
      'five spaces in a parameter',
      body({ type: 'text', text: 'a     b' }),
      132018,
      /4 consecutive spaces/,
    ],
    [
      'a blank parameter',
      body({ type: 'text', text: ' ' }),
      131008,
      'Parameter of type text is missing text value',
    ],
    [
      'a button component without its index',
      template([{ type: 'button', sub_type: 'url', parameters: [] }]),
      131008,
      /index/,
    ],
  ])('refuses %s', async (_, sent, code, text) => {
    const { http, json } = await simulator.send(sent);
    expect([http, json.error?.code]).toEqual([400, code]);
    const told = json.error.error_data?.details ?? json.error.message;
    expect(told).toMatch(text);
  });

  it('takes the stricter reading of disputed limits when set to', async () => {
    const strict = await SimulatorUnderTest.start({
      strictness: {
        listBodyMaxCharacters: 1024,
        refusesEqualRowTitles: true,
        characterUnit: 'utf-16',
      },
    });
    const answers = [
      await strict.send(listMessage({ body: { text: chars(1025) } })),
      await strict.send(
        listMessage(
          {},
          {
            sections: [
              {
                rows: [
                  { id: 'a', title: 'A' },
                  { id: 'b', title: 'A' },
                ],
              },
            ],
          },
        ),
      ),
      await strict.send(buttonMessage([['a', '🙂'.repeat(11)]])),
    ];
    await strict.close();
    expect(answers.map(({ json }) => json.error?.code)).toEqual([131009, 131009, 131009]);
  });

  it('accepts a user id written into `to` and loses the message, as the platform does', async () => {
    const { http, json } = await simulator.send(textMessage({ to: 'US.13491208655302741918' }));
    expect(http).toBe(200);
    expect(json.contacts[0]).toEqual({
      input: 'US.13491208655302741918',
      wa_id: '134912086553027',
    });
  });
});
