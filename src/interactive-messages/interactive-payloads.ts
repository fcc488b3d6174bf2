import { fileNameMaxLength, isBlank } from '../http/rules.js';
import type { MessageDraft } from '../messages/message.js';
import { addressOf, type RecipientDto, recipientOf } from '../messages/sends/recipient.dto.js';
import type { ButtonHeaderDto, ButtonMessageDto } from './button-message.dto.js';
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

/** The caller's button message as WhatsApp wants it. */
export function buttonDraft(message: ButtonMessageDto): MessageDraft {
  return {
    type: 'button',
    ...recipientOf(message),
    reference: message.reference ?? null,
    payload: interactive(message, {
      type: 'button',
      ...(message.header && { header: header(message.header) }),
      body: { text: message.body },
      ...(message.footer && { footer: { text: message.footer } }),
      action: {
        buttons: message.buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })),
      },
    }),
  };
}

function interactive(message: RecipientDto, content: object): Record<string, unknown> {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...addressOf(message),
    type: 'interactive',
    interactive: content,
  };
}

function header(given: ButtonHeaderDto): object {
  const { type } = given;
  switch (type) {
    case 'text':
      return { type, text: given.text };
    case 'image':
      return { type, image: { link: given.image?.link } };
    case 'video':
      return { type, video: { link: given.video?.link } };
    case 'document': {
      const { link = '', filename } = given.document ?? {};
      return { type, document: { link, filename: filename ?? fileNameIn(link) } };
    }
  }
}

/** The last part of a link's path, without what has no place in a file name. */
function fileNameIn(link: string): string {
  const part = new URL(link).pathname.split('/').findLast((segment) => segment !== '') ?? '';
  const name = decoded(part).replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, '');
  // The end of a long name is kept: it says what kind of file it is.
  return isBlank(name) ? 'document' : Array.from(name).slice(-fileNameMaxLength).join('');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
