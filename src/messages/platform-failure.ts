import { type Classification, classify, isWindowClosed, type PlatformError } from '#libs/whatsapp';
import { storableText } from '../database/storable-text.js';
import type { MessageFailure } from './message.js';

/**
 * Why the platform refused a message, as it is stored and shown.
 * @param httpStatus of the answer; 0 for a refusal that came by webhook.
 */
export function platformFailure(
  error: PlatformError,
  httpStatus: number,
  { title, retryable }: Classification = classify(error, httpStatus),
): MessageFailure {
  return {
    code: 'MESSAGE_SEND_FAILED',
    message: storableText(withDetails(title, error.details)),
    retryable,
    platformCode: error.code,
    platformMessage: storableText(error.message),
    reason: null,
    ...(isWindowClosed(error) && { isWindowClosed: true }),
  };
}

/** WhatsApp's details often are the title once more. */
function withDetails(title: string, details: string | null): string {
  const bare = (text: string) => text.trim().replace(/\.$/, '').toLowerCase();
  return details && bare(details) !== bare(title) ? `${title}: ${details}` : title;
}
