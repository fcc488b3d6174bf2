import { windowCodes } from '../../../libs/whatsapp/error-texts.ts';
import type { ContactWindow, Message } from '../api/types.ts';

type Sent = Pick<Message, 'error' | 'failed_at' | 'status' | 'type'>;

/**
 * When WhatsApp refused a message because the window was closed; null where that is not the newest thing that is known of
 * the window.
 * @param messages to the same recipient, newest first.
 */
export function windowRefusedAt(window: ContactWindow, messages: readonly Sent[]): string | null {
  if (window.state !== 'unknown') return null;
  const newest = messages.find(
    (message) => message.type !== 'template' && (isRefused(message) || hasArrived(message)),
  );
  if (!newest || !isRefused(newest) || newest.failed_at === null) return null;
  const heard = window.last_inbound_at;
  return heard !== null && Date.parse(heard) >= Date.parse(newest.failed_at)
    ? null
    : newest.failed_at;
}

const isRefused = ({ error, status }: Sent) =>
  status === 'failed' && windowCodes.has(String(error?.whatsapp_error_code));

const hasArrived = ({ status }: Sent) => status === 'delivered' || status === 'read';
