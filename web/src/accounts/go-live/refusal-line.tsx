import { ApiFailure } from '../../api/client.ts';

interface Details {
  readonly whatsapp_error_code?: number;
}

/** Why an action at WhatsApp failed, with WhatsApp's code; nothing while it did not. */
export function RefusalLine({ error }: { error: Error | null }) {
  if (!error) return null;
  const body =
    error instanceof ApiFailure ? (error.body as { error?: { details?: Details } }) : null;
  const code = body?.error?.details?.whatsapp_error_code;
  const isNamed = code === undefined || error.message.includes(String(code));
  return (
    <p className="small wrong" role="alert">
      {!isNamed && <code>{code} </code>}
      {error.message}
    </p>
  );
}
