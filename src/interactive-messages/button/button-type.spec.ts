import { draftOf } from '../../free-form/free-form-messages.service.js';
import type { ButtonMessageDto } from './button-message.dto.js';
import { buttonType } from './button-type.js';

const buttonDraft = (message: ButtonMessageDto) => draftOf(buttonType, message, null);

const to = '+14155550123';
const buttons = [
  { id: 'yes', title: 'Yes' },
  { id: 'no', title: 'No' },
];

describe('a button message for WhatsApp', () => {
  it.each([
    ['no header', undefined, undefined],
    ['a header of null', null, undefined],
    ['text', { type: 'text', text: 'Hi' }, { type: 'text', text: 'Hi' }],
    [
      'an image',
      { type: 'image', image: { link: 'https://example.com/a.jpg' } },
      { type: 'image', image: { link: 'https://example.com/a.jpg' } },
    ],
    [
      'a video',
      { type: 'video', video: { link: 'https://example.com/a.mp4' } },
      { type: 'video', video: { link: 'https://example.com/a.mp4' } },
    ],
    [
      'a document',
      { type: 'document', document: { link: 'https://example.com/a.pdf', filename: 'a.pdf' } },
      { type: 'document', document: { link: 'https://example.com/a.pdf', filename: 'a.pdf' } },
    ],
    [
      'text together with nulls',
      { type: 'text', text: 'Hi', image: null, video: null, document: null },
      { type: 'text', text: 'Hi' },
    ],
  ] as const)('has the header of its variant: %s', (_, header, expected) => {
    const { payload } = buttonDraft({ to, header, body: 'B', buttons });
    expect(JSON.parse(JSON.stringify(payload))).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type: 'interactive',
      interactive: {
        type: 'button',
        ...(expected && { header: expected }),
        body: { text: 'B' },
        action: {
          buttons: [
            { type: 'reply', reply: { id: 'yes', title: 'Yes' } },
            { type: 'reply', reply: { id: 'no', title: 'No' } },
          ],
        },
      },
    });
  });

  it('keeps recipient and reference as they were given', () => {
    const draft = buttonDraft({ to, body: 'B', footer: 'F', buttons, reference: 'order-42' });
    expect(draft).toMatchObject({ type: 'button', recipient: to, reference: 'order-42' });
    expect(draft.payload).toMatchObject({ interactive: { footer: { text: 'F' } } });
    expect(draft.payload).not.toHaveProperty('reference');
  });
});

describe('the file name of a document without one', () => {
  it.each([
    [
      'the last part of the path',
      'https://example.com/bills/Invoice%201042.pdf',
      'Invoice 1042.pdf',
    ],
    ['without the query', 'https://example.com/invoice.pdf?a=/b.txt#c/d', 'invoice.pdf'],
    ['without a slash behind it', 'https://example.com/bills/42/', '42'],
    ['in any script', 'https://example.com/Größe.pdf', 'Größe.pdf'],
    ['as it is if it cannot be decoded', 'https://example.com/100%25%ff.pdf', '100%25%ff.pdf'],
    ['without folders and controls', 'https://example.com/..%2Fa%00b%5Cc%0Ad.pdf', '..abcd.pdf'],
    ['in one direction', 'https://example.com/a%E2%80%AEfdp.exe', 'afdp.exe'],
    [
      'its last 240 characters',
      `https://example.com/${'x'.repeat(250)}.pdf`,
      `${'x'.repeat(236)}.pdf`,
    ],
    ['a fixed one for the root', 'https://example.com', 'document'],
    ['a fixed one for a blank name', 'https://example.com/%20', 'document'],
  ])('is %s', (_, link, filename) => {
    for (const given of [{ link }, { link, filename: null }]) {
      const header = { type: 'document', document: given } as const;
      const { payload } = buttonDraft({ to, header, body: 'B', buttons });
      expect(payload).toMatchObject({
        interactive: { header: { document: { link, filename } } },
      });
    }
  });
});
