import type { MediaMessageDto } from './media-message.dto.js';
import type { MessageDraft } from './message.js';
import { addressOf, type RecipientDto, recipientOf } from './sends/recipient.dto.js';
import type { TextMessageDto } from './text-message.dto.js';

/**
 * The caller's text message as WhatsApp wants it.
 * @param repliedTo the platform's id of the message that it answers, or null.
 */
export function textDraft(message: TextMessageDto, repliedTo: string | null): MessageDraft {
  const { body, preview_url } = message;
  return draft('text', 'text', message, repliedTo, { preview_url: preview_url ?? false, body });
}

/**
 * The caller's media message as WhatsApp wants it. `null` and absent are the same.
 * @param repliedTo the platform's id of the message that it answers, or null.
 */
export function mediaDraft(message: MediaMessageDto, repliedTo: string | null): MessageDraft {
  const { type, link, caption, filename } = message;
  return draft('media', type, message, repliedTo, {
    link,
    ...(caption && { caption }),
    ...(filename && { filename }),
  });
}

function draft(
  type: MessageDraft['type'],
  platformType: string,
  message: RecipientDto & { reference?: string | null },
  repliedTo: string | null,
  content: object,
): MessageDraft {
  return {
    type,
    ...recipientOf(message),
    reference: message.reference ?? null,
    payload: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...addressOf(message),
      ...(repliedTo !== null && { context: { message_id: repliedTo } }),
      type: platformType,
      [platformType]: content,
    },
  };
}
