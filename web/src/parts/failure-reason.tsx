import type { MessageError } from '../api/types.ts';
import { knownTextOf } from './failure-meanings.ts';

/** Why a message failed: WhatsApp's code and what it means. */
export function FailureReason({ error }: { error: MessageError }) {
  const { whatsapp_error_code: code, whatsapp_error_message: text, reason } = error;
  const known = knownTextOf(String(code ?? reason));
  return (
    <>
      {code !== undefined && <code>{code} </code>}
      {known?.meaning ?? text ?? error.message}
    </>
  );
}
