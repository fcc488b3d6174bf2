import type { MessageDraft } from '../messages/message.js';
import type { SentMessage } from '../messages/send.service.js';
import type { KnownTemplate } from './template-directory.js';

/**
 * A template message as WhatsApp wants it.
 * @param components left out when there are none.
 */
export function templateDraft(
  { name, language }: Pick<KnownTemplate, 'name' | 'language'>,
  { to, reference }: { to: string; reference?: string | null },
  components: readonly unknown[],
): MessageDraft {
  return {
    type: 'template',
    recipient: to,
    reference: reference ?? null,
    payload: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type: 'template',
      template: {
        name,
        language: { code: language },
        ...(components.length > 0 && { components }),
      },
    },
  };
}

/** The answer to a send by named variables. */
export interface SentTemplate extends SentMessage {
  /** The same as `message_id`. */
  message_uuid: string;
  /** The recipient. */
  to: string;
}

/** Completes the answer to a send by named variables. */
export function sentTemplate(sent: SentMessage, { to }: { to: string }): SentTemplate {
  return { message_uuid: sent.message_id, ...sent, to };
}
