import { freeFormType } from '../../free-form/free-form-type.js';
import { ContactRequestMessageDto } from './contact-request-message.dto.js';

/** A button with which users share their contact card. */
export const contactRequestType = freeFormType<ContactRequestMessageDto>({
  type: 'contact_request',
  path: 'interactive/contact-request',
  permission: 'send_text',
  summary: 'Asks the recipient for their contact card, such as the number that they hide.',
  dto: ContactRequestMessageDto,
  content: ({ body }) => ({
    type: 'interactive',
    interactive: {
      type: 'request_contact_info',
      body: { text: body },
      action: { name: 'request_contact_info' },
    },
  }),
});
