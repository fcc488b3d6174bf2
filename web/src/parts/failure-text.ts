import type { MessageError } from '../api/types.ts';

/**
 * What a failure means. The API's message begins with the meaning of WhatsApp's code, so that a list needs no table
 * of them; for a code that Parley does not know, WhatsApp's own text says more.
 */
export const failureText = ({ message, whatsapp_error_message: text }: MessageError): string =>
  message.startsWith('Unknown error of the platform') ? (text ?? message) : message;
