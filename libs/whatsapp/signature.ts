import { createHmac, timingSafeEqual } from 'node:crypto';

/** The value of `X-Hub-Signature-256` over exactly these bytes, or this text in UTF-8. */
export const signatureOf = (body: Buffer | string, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

/** The digest in `X-Hub-Signature-256`, or null when the header is missing or has another form. */
export function parseSignature(header: string | undefined): Buffer | null {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1];
  return hex ? Buffer.from(hex, 'hex') : null;
}

/** Bytes that are hashed at a time. */
const chunkBytes = 64 * 1024;

/**
 * Whether the app secret made this digest of the body's raw bytes. An empty secret never did.
 *
 * The platform escapes `/` and non-ASCII characters in its JSON, so a body that was parsed and serialised again no
 * longer matches.
 * Source: https://developers.facebook.com/docs/graph-api/webhooks/getting-started#validate-payloads
 * @param beforeHashing is called before so many bytes are hashed, 64 KiB at most; it may let others run first.
 */
export async function isSignedWith(
  appSecret: string,
  rawBody: Buffer,
  digest: Buffer,
  beforeHashing: (bytes: number) => Promise<void>,
): Promise<boolean> {
  if (appSecret === '') return false;
  const hmac = createHmac('sha256', appSecret);
  let start = 0;
  do {
    const chunk = rawBody.subarray(start, start + chunkBytes);
    await beforeHashing(chunk.length);
    hmac.update(chunk);
    start += chunkBytes;
  } while (start < rawBody.length);
  return timingSafeEqual(hmac.digest(), digest);
}
