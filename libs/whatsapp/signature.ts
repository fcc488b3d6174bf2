import { createHmac, timingSafeEqual } from 'node:crypto';

/** The digest in `X-Hub-Signature-256`, or null when the header is missing or has another form. */
export function parseSignature(header: string | undefined): Buffer | null {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1];
  return hex ? Buffer.from(hex, 'hex') : null;
}

/**
 * Whether the app secret made this digest of the body's raw bytes. An empty secret never did.
 *
 * The platform escapes `/` and non-ASCII characters in its JSON, so a body that was parsed and serialised again no
 * longer matches.
 * Source: https://developers.facebook.com/docs/graph-api/webhooks/getting-started#validate-payloads
 */
export function isSignedWith(appSecret: string, rawBody: Buffer, digest: Buffer): boolean {
  if (appSecret === '') return false;
  return timingSafeEqual(createHmac('sha256', appSecret).update(rawBody).digest(), digest);
}
