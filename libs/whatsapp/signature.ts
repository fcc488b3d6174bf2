import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Checks `X-Hub-Signature-256` over the body's raw bytes and returns the index of the app secret that made it, or -1.
 *
 * The platform escapes `/` and non-ASCII characters in its JSON, so a body that was parsed and serialised again no
 * longer matches. Every secret is tried, whichever matches, so that time tells nothing; empty secrets match nothing.
 * Source: https://developers.facebook.com/docs/graph-api/webhooks/getting-started#validate-payloads
 */
export function verifySignature(
  rawBody: Buffer,
  header: string | undefined,
  appSecrets: string[],
): number {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1];
  if (!hex) {
    return -1;
  }
  const given = Buffer.from(hex, 'hex');
  let matched = -1;
  for (const [index, secret] of appSecrets.entries()) {
    const expected = createHmac('sha256', secret).update(rawBody).digest();
    const isEqual = timingSafeEqual(expected, given);
    if (isEqual && secret !== '' && matched === -1) {
      matched = index;
    }
  }
  return matched;
}
