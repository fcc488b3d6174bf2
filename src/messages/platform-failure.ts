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
    message: storableText(withDetails(title, error)),
    retryable,
    platformCode: error.code,
    platformMessage: storableText(error.message),
    reason: null,
    ...(isWindowClosed(error) && { isWindowClosed: true }),
    refusal: {
      status: httpStatus,
      subcode: error.subcode,
      type: error.type && storableText(error.type),
      details: error.details && storableText(error.details),
      isTransient: error.isTransient,
      trace: error.fbtraceId && storableText(error.fbtraceId),
    },
  };
}

/** WhatsApp's details often are its message once more, which the caller gets as it is. */
function withDetails(title: string, { details, message }: PlatformError): string {
  const bare = (text: string) =>
    text
      .replace(/^\(#\d+\)/, '')
      .trim()
      .replace(/\.$/, '')
      .toLowerCase();
  const isNew = details && ![title, message].map(bare).includes(bare(details));
  return isNew ? `${title}: ${details}` : title;
}
