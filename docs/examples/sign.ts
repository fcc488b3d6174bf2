import { createHash, createHmac, randomBytes } from 'node:crypto';

/** What a signature covers. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query exactly as they go over the wire. */
  readonly target: string;
  /** The body exactly as it goes over the wire; empty without one. */
  readonly body: string;
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

/** Who calls. */
export interface Credentials {
  readonly apiKey: string;
  readonly signingSecret: string;
}

/**
 * Calls the API with a signed request.
 * @param payload becomes the JSON body; absent for a read.
 */
export async function call(
  credentials: Credentials,
  method: string,
  url: string,
  payload?: object,
): Promise<{ status: number; answer: unknown }> {
  // What `fetch` will send, which may be escaped in another way than the text that we were given.
  const { pathname, search } = new URL(url);
  // Serialised once: what is signed and what is sent must be the same bytes.
  const body = payload === undefined ? '' : JSON.stringify(payload);
  const response = await fetch(url, {
    method,
    headers: {
      'X-API-Key': credentials.apiKey,
      ...(body !== '' && { 'Content-Type': 'application/json' }),
      ...signatureHeaders(credentials.signingSecret, { method, target: pathname + search, body }),
    },
    ...(body !== '' && { body }),
  });
  return { status: response.status, answer: await response.json() };
}
