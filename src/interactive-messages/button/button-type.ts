import { freeFormType } from '../../free-form/free-form-type.js';
import { filesIn } from '../../uploads/uploaded-files.js';
import { headerContent } from '../header-content.js';
import { ButtonMessageDto } from './button-message.dto.js';
import { buttonWarnings } from './button-warnings.js';

/** One to three reply buttons. */
export const buttonType = freeFormType<ButtonMessageDto>({
  type: 'button',
  path: 'interactive/button',
  permission: 'send_text',
  summary: 'Sends a message with one to three reply buttons.',
  dto: ButtonMessageDto,
  files: ({ header }) => filesIn({ header }),
  content: ({ header, body, footer, buttons }) => ({
    type: 'interactive',
    interactive: {
      type: 'button',
      ...(header && { header: headerContent(header) }),
      body: { text: body },
      ...(footer && { footer: { text: footer } }),
      action: {
        buttons: buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })),
      },
    },
  }),
  warnings: ({ buttons }) => buttonWarnings(buttons),
});
