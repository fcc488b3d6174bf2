import type { MessageDraft } from '../messages/message.js';
import { addressOf, type RecipientDto, recipientOf } from '../messages/sends/recipient.dto.js';

/**
 * A text or a media message as WhatsApp wants it.
 * @param platformType WhatsApp's name of the type, which is also the name of the field with the content.
 * @param repliedTo the platform's id of the message that it answers, or null.
 */
export function directDraft(
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
