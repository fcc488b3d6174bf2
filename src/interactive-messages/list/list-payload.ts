import type { MessageDraft } from '../../messages/message.js';
import { recipientOf } from '../../messages/sends/recipient.dto.js';
import { interactive } from '../interactive-payload.js';
import type { ListMessageDto } from './list-message.dto.js';

/** The caller's list message as WhatsApp wants it. `null` and absent are the same. */
export function listDraft(message: ListMessageDto): MessageDraft {
  return {
    type: 'list',
    ...recipientOf(message),
    reference: message.reference ?? null,
    payload: interactive(message, {
      type: 'list',
      ...(message.header && { header: { type: 'text', text: message.header } }),
      body: { text: message.body },
      ...(message.footer && { footer: { text: message.footer } }),
      action: {
        button: message.button,
        sections: message.sections.map((section) => ({
          ...(section.title && { title: section.title }),
          rows: section.rows.map((row) => ({
            id: row.id,
            title: row.title,
            ...(row.description && { description: row.description }),
          })),
        })),
      },
    }),
  };
}
