import type { MessageDraft, Needs } from '../../messages/message.js';
import type { SentMessageDto, SentTemplateDto } from '../../messages/message-answers.dto.js';
import { addressOf, type RecipientDto, recipientOf } from '../../messages/sends/recipient.dto.js';
import type { KnownTemplate } from './template-directory.js';

/**
 * A template message as WhatsApp wants it.
 * @param components left out when there are none.
 */
export function templateDraft(
  { name, language }: Pick<KnownTemplate, 'name' | 'language'>,
  message: RecipientDto & { reference?: string | null },
  components: readonly unknown[],
  needs: Needs,
): MessageDraft {
  return {
    type: 'template',
    ...recipientOf(message),
    reference: message.reference ?? null,
    needs,
    payload: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...addressOf(message),
      type: 'template',
      template: {
        name,
        language: { code: language },
        ...(components.length > 0 && { components }),
      },
    },
  };
}

/** Completes the answer to a send by named variables. */
export function sentTemplate(
  { message_id, status }: SentMessageDto,
  { to }: RecipientDto,
): SentTemplateDto {
  return { message_uuid: message_id, message_id, status, to: to ?? null };
}
