import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/**
 * The headers of one attempt, as Standard Webhooks 1.0.0 wants them: HMAC-SHA256 over
 * `id.timestamp.body` with the decoded bytes of each secret.
 * @param id the same for every attempt: receivers recognise repetitions by it.
 * @param body exactly the text that is sent.
 * @param secrets `whsec_…`; two during a rotation, and either verifies.
 */
export function signatureHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${mac}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** What receivers see of an event's id. */
export function webhookId(eventId: string): string {
  return `evt_${eventId.replaceAll('-', '')}`;
}
