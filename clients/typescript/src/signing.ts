import { createHash, createHmac, randomBytes } from 'node:crypto';

/** What a signature covers. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query exactly as they go over the wire. */
  readonly target: string;
  /** The body exactly as it goes over the wire; empty without one. */
  readonly body: string | Uint8Array;
}

/**
 * The headers of a signed request.
 * @param secret the key's signing secret: `sgsec_` and 32 bytes in base64.
 */
export function signatureHeaders(
  secret: string,
  { method, target, body }: SignedRequest,
  timestamp: number = Math.floor(Date.now() / 1000),
  nonce: string = randomBytes(16).toString('hex'),
): Record<string, string> {
  const key = Buffer.from(secret.replace(/^sgsec_/, ''), 'base64');
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const lines = ['v1', timestamp, nonce, method.toUpperCase(), target, bodyHash];
  const signature = createHmac('sha256', key).update(lines.join('\n')).digest('hex');
  return {
    'X-Timestamp': String(timestamp),
    'X-Nonce': nonce,
    'X-Signature': `v1=${signature}`,
  };
}
