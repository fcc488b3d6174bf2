import type { MessageError } from '../api/types.ts';
import { failureText } from './failure-text.ts';

/** Why a message failed: WhatsApp's code and what it means. */
export function FailureReason({ error, type }: { error: MessageError; type: string }) {
  return (
    <>
      {error.whatsapp_error_code !== undefined && <code>{error.whatsapp_error_code} </code>}
      {failureText(error, type)}
    </>
  );
}
