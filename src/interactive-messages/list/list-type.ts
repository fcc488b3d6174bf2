import { freeFormType } from '../../free-form/free-form-type.js';
import { ListMessageDto } from './list-message.dto.js';
import { listWarnings } from './list-warnings.js';

/** A menu button that opens a list of choices. */
export const listType = freeFormType<ListMessageDto>({
  type: 'list',
  path: 'interactive/list',
  permission: 'send_text',
  summary: 'Sends a message with a menu button that opens a list of choices.',
  dto: ListMessageDto,
  content: ({ header, body, footer, button, sections }) => ({
    type: 'interactive',
    interactive: {
      type: 'list',
      ...(header && { header: { type: 'text', text: header } }),
      body: { text: body },
      ...(footer && { footer: { text: footer } }),
      action: {
        button,
        sections: sections.map(({ title, rows }) => ({
          ...(title && { title }),
          rows: rows.map(({ id, title: name, description }) => ({
            id,
            title: name,
            ...(description && { description }),
          })),
        })),
      },
    },
  }),
  warnings: listWarnings,
});
