import { draftOf } from '../../free-form/free-form-messages.service.js';
import type { ListMessageDto } from './list-message.dto.js';
import { listType } from './list-type.js';

const listDraft = (message: ListMessageDto) => draftOf(listType, message, null);

const to = '+14155550123';

describe('a list message for WhatsApp', () => {
  it('has every part that was given', () => {
    const draft = listDraft({
      to,
      header: 'H',
      body: 'B',
      footer: 'F',
      button: 'Choose',
      sections: [
        { title: 'One', rows: [{ id: 'a', title: 'A', description: 'First' }] },
        { title: 'Two', rows: [{ id: 'b', title: 'B' }] },
      ],
    });
    expect(draft).toEqual({
      type: 'list',
      recipient: to,
      toUserId: null,
      reference: null,
      payload: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to,
        type: 'interactive',
        interactive: {
          type: 'list',
          header: { type: 'text', text: 'H' },
          body: { text: 'B' },
          footer: { text: 'F' },
          action: {
            button: 'Choose',
            sections: [
              { title: 'One', rows: [{ id: 'a', title: 'A', description: 'First' }] },
              { title: 'Two', rows: [{ id: 'b', title: 'B' }] },
            ],
          },
        },
      },
    });
  });

  it('leaves out what is absent or null', () => {
    const draft = listDraft({
      to,
      header: null,
      body: 'B',
      footer: null,
      button: 'Choose',
      sections: [{ title: null, rows: [{ id: 'a', title: 'A', description: null }] }],
      reference: null,
    });
    expect(draft.reference).toBeNull();
    expect(draft.payload.interactive).toEqual({
      type: 'list',
      body: { text: 'B' },
      action: { button: 'Choose', sections: [{ rows: [{ id: 'a', title: 'A' }] }] },
    });
  });
});
