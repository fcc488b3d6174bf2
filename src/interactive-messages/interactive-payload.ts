import { addressOf, type RecipientDto } from '../messages/sends/recipient.dto.js';

/** An interactive message as WhatsApp wants it. */
export function interactive(message: RecipientDto, content: object): Record<string, unknown> {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...addressOf(message),
    type: 'interactive',
    interactive: content,
  };
}
