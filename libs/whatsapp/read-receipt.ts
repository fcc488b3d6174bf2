import { type ReadTarget, requestSuccess } from './reads.js';
import type { Sender } from './sender.js';

/** A user's message that the business has read. */
export interface ReadReceipt {
  /** The wamid of the user's message. */
  messageId: string;
  /** Whether the user also sees that the business is writing. */
  isTyping: boolean;
}

/** Marks a message as read. See `WhatsAppClient.markRead`. */
export async function markRead(
  target: ReadTarget,
  { phoneNumberId, accessToken }: Sender,
  { messageId, isTyping }: ReadReceipt,
): Promise<void> {
  await requestSuccess(target, accessToken, {
    path: `${target.basePath}/${encodeURIComponent(phoneNumberId)}/messages`,
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: messageId,
      ...(isTyping && { typing_indicator: { type: 'text' } }),
    }),
  });
}
