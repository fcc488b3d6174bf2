import type { MessageError } from '../api/types.ts';
import { platformText } from './platform-text.ts';
import { ofTemplates } from './template-failures.ts';

/**
 * What a failure means. The API's message begins with the meaning of WhatsApp's code, so that a list needs no table
 * of them, but for what differs for templates; for a code that Parley does not know, WhatsApp's own text says more.
 * @param type of the message.
 */
export function failureText(
  { message, whatsapp_error_code: code, whatsapp_error_message: text }: MessageError,
  type: string,
): string {
  const own = type === 'template' && code !== undefined ? ofTemplates[code] : undefined;
  if (own) return own.meaning;
  if (message.startsWith(unknown)) return unknownText(message, text);
  return code !== undefined && repeated.includes(code) ? (message.split(': ')[0] ?? '') : message;
}

const unknown = 'Unknown error of the platform';

/** What WhatsApp says of a code that Parley does not know, with its details, which the message has after a colon. */
function unknownText(message: string, text: string | null | undefined): string {
  const own = platformText(text ?? '');
  return own === '' ? message : `${own}${message.slice(unknown.length)}`;
}

/** For these codes, WhatsApp's details after the colon say what the meaning says: 131047, the window is closed. */
const repeated: readonly number[] = [131047];
