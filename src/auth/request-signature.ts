import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** How far the caller's clock may be off, either way. */
export const skewMaxSeconds = 300;

/** Signatures that one request may carry: more than one only while a secret is being rotated. */
const signaturesMax = 3;

const timestampForm = /^\d{1,20}$/;
const nonceForm = /^[A-Za-z0-9_-]{16,64}$/;
const signatureForm = /^v1=([0-9a-f]{64})$/;

/** The headers of a signed request, in the form that they must have. */
export interface SignatureHeaders {
  /** Unix seconds. */
  readonly timestamp: number;
  /** Lets two equal requests share a second; empty when absent. */
  readonly nonce: string;
  /** HMAC-SHA256, 32 bytes each. */
  readonly signatures: readonly Buffer[];
}

/** What a signature covers. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query exactly as they came, undecoded. */
  readonly target: string;
  /** SHA-256 of the body's bytes, in lower-case hex; of nothing without a body. */
  readonly bodySha256: string;
}

export const sha256Hex = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Whether a request has any header of a signature; then it must have all of them, and verify. */
export function hasSignatureHeaders(
  headers: Record<string, string | string[] | undefined>,
): boolean {
  return (
    headers['x-signature'] !== undefined ||
    headers['x-timestamp'] !== undefined ||
    headers['x-nonce'] !== undefined
  );
}

/** Reads the headers of a signed request; null when one is missing or has another form. */
export function readSignatureHeaders(
  headers: Record<string, string | string[] | undefined>,
): SignatureHeaders | null {
  const timestamp = headers['x-timestamp'];
  const nonce = headers['x-nonce'] ?? '';
  const signature = headers['x-signature'];
  if (typeof timestamp !== 'string' || !timestampForm.test(timestamp)) return null;
  if (typeof nonce !== 'string' || (nonce !== '' && !nonceForm.test(nonce))) return null;
  if (typeof signature !== 'string') return null;
  const parts = signature.split(',', signaturesMax + 1).map((part) => part.trim());
  if (parts.length > signaturesMax) return null;
  const signatures: Buffer[] = [];
  for (const part of parts) {
    const hex = signatureForm.exec(part)?.[1];
    if (hex === undefined) return null;
    signatures.push(Buffer.from(hex, 'hex'));
  }
  return { timestamp: Number(timestamp), nonce, signatures };
}

/** Whether a time-stamp is close enough to our clock. */
export function isTimely(timestamp: number, nowMs: number): boolean {
  return Math.abs(nowMs / 1_000 - timestamp) <= skewMaxSeconds;
}

/**
 * The signature of a request: HMAC-SHA256, under the bytes of the secret, of six lines: `v1`,
 * time-stamp, nonce (or nothing), method, request target, and the SHA-256 of the body in hex.
 * @param secret `sgsec_` and 32 bytes in base64.
 */
export function sign(
  secret: string,
  request: SignedRequest,
  timestamp: number,
  nonce: string,
): Buffer {
  return signText(secret, signedText(request, timestamp, nonce));
}

/**
 * The fingerprint of a request of which one signature verifies under one of the secrets, and the first such secret; or
 * null. The fingerprint is the same whichever secret signed: during a rotation two secrets are valid, and a request that
 * was signed with both is used up for both. Takes the same time either way.
 */
export function verifySignature<Secret extends { readonly secret: string }>(
  headers: SignatureHeaders,
  request: SignedRequest,
  secrets: readonly Secret[],
): { fingerprint: Buffer; signedWith: Secret } | null {
  const text = signedText(request, headers.timestamp, headers.nonce);
  let signedWith: Secret | null = null;
  for (const each of secrets) {
    const expected = signText(each.secret, text);
    for (const signature of headers.signatures) {
      if (timingSafeEqual(expected, signature)) signedWith ??= each;
    }
  }
  return signedWith && { fingerprint: createHash('sha256').update(text).digest(), signedWith };
}

function signedText(request: SignedRequest, timestamp: number, nonce: string): string {
  const method = request.method.toUpperCase();
  return ['v1', timestamp, nonce, method, request.target, request.bodySha256].join('\n');
}

function signText(secret: string, text: string): Buffer {
  const key = Buffer.from(secret.replace(/^sgsec_/, ''), 'base64');
  return createHmac('sha256', key).update(text).digest();
}
