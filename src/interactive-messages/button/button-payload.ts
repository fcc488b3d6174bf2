import { fileNameMaxLength, isBlank } from '../../http/validation/rules.js';
import type { MessageDraft } from '../../messages/message.js';
import { recipientOf } from '../../messages/sends/recipient.dto.js';
import { interactive } from '../interactive-payload.js';
import type { ButtonHeaderDto, ButtonMessageDto } from './button-message.dto.js';

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

/** The last part of a link's path, without characters that a file name cannot have. */
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
