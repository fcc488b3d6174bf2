import type { MessageError } from '../api/types.ts';
import { knownMeaningOf } from './failure-meanings.ts';

/** Why a message failed: WhatsApp's code and what it means. */
export function FailureReason({ error }: { error: MessageError }) {
  const { whatsapp_error_code: code, whatsapp_error_message: text, reason } = error;
  const meaning = knownMeaningOf(String(code ?? reason));
  return (
    <>
      {code !== undefined && <code>{code} </code>}
      {meaning ?? text ?? error.message}
    </>
  );
}
