import { digestOf, fromBase64, macOf, randomHex, toHex } from './bytes.js';

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
  nonce: string = randomHex(16),
): Record<string, string> {
  const key = fromBase64(secret.replace(/^sgsec_/, ''));
  const lines = ['v1', timestamp, nonce, method.toUpperCase(), target, digestOf(body)];
  const signature = toHex(macOf(key, [lines.join('\n')]));
  return {
    'X-Timestamp': String(timestamp),
    'X-Nonce': nonce,
    'X-Signature': `v1=${signature}`,
  };
}
