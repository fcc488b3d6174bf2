import { Injectable } from '@nestjs/common';
import type { KnownKey } from '../api-keys/api-key-directory.js';
import { SigningSecrets } from '../api-keys/signing-secrets.js';
import { AppError, unavailable } from '../errors/app-error.js';
import type { Request } from '../http/request.js';
import { RawBody } from '../http/server/raw-body.js';
import { StreamedBody } from '../http/server/streamed-body.js';
import { tooLarge } from '../http/validation/json-body.js';
import { ReplayMarks } from './replay-marks.js';
import {
  hasSignatureHeaders,
  isTimely,
  readSignatureHeaders,
  sha256Hex,
  verifySignature,
} from './request-signature.js';

/** A request whose signature verifies. */
export interface VerifiedSignature {
  /** What was signed, in 32 bytes. */
  readonly fingerprint: Buffer;
  readonly timestamp: number;
  /** The digest of the secret that signed it. */
  readonly signedWith: string;
}

/** Signed requests: a key may require a signature, and a signature that is present must verify. */
@Injectable()
export class SignatureCheck {
  constructor(
    private readonly secrets: SigningSecrets,
    private readonly marks: ReplayMarks,
  ) {}

  /**
   * The signature of a request, or null where there is none and none is needed.
   * @throws AppError INVALID_SIGNATURE, TIMESTAMP_EXPIRED; VALIDATION_ERROR for a body that was too large to be read.
   */
  verify(request: Request, key: KnownKey): VerifiedSignature | null {
    if (!hasSignatureHeaders(request.headers)) {
      if (!key.requiresSignature) return null;
      throw invalid('The API key requires signed requests: X-Timestamp and X-Signature.');
    }
    const headers = readSignatureHeaders(request.headers);
    if (!headers) {
      throw invalid(
        'X-Timestamp must be unix seconds, X-Signature v1= and 64 hex digits, X-Nonce (optional) ' +
          '16 to 64 letters, digits, _ or -.',
      );
    }
    // Checked before hashing: the window reveals no secret, and this saves work.
    if (!isTimely(headers.timestamp, Date.now())) throw new AppError('TIMESTAMP_EXPIRED');
    const signed = {
      method: request.method,
      target: request.originalUrl,
      bodySha256: bodySha256Of(request),
    };
    const verified = verifySignature(headers, signed, this.secrets.of(key));
    if (!verified) throw invalid('The signature does not verify.');
    const { fingerprint, signedWith } = verified;
    return { fingerprint, timestamp: headers.timestamp, signedWith: signedWith.digest };
  }

  /**
   * Uses a signature up: a recorded request cannot be sent again.
   * @throws AppError INVALID_SIGNATURE; SERVICE_UNAVAILABLE when it is unknown whether it was used.
   */
  async useUp(key: KnownKey, { fingerprint, timestamp }: VerifiedSignature): Promise<void> {
    if (await this.mark(key, fingerprint, timestamp)) return;
    throw invalid(
      'The signature was used before, or is older than the record of used signatures. ' +
        'Sign each request again, with a nonce.',
    );
  }

  private async mark(key: KnownKey, fingerprint: Buffer, timestamp: number): Promise<boolean> {
    try {
      return await this.marks.mark({ apiKeyId: key.principal.apiKeyId, fingerprint, timestamp });
    } catch (error) {
      throw unavailable(
        'replay_store_unavailable',
        'Parley cannot find out whether this signature was used before. Nothing was sent.',
        { cause: error },
      );
    }
  }
}

/** A body that is still to come is signed by what its header says; its route compares the two. */
function bodySha256Of({ body, headers }: Request): string {
  if (body instanceof RawBody) {
    if (!body.isTooLarge) return sha256Hex(body.bytes);
    if (body.sha256 === null) throw tooLarge(body);
    return body.sha256;
  }
  if (!(body instanceof StreamedBody)) return sha256Hex(Buffer.alloc(0));
  const told = headers['x-content-sha256'];
  if (typeof told === 'string' && /^[0-9a-f]{64}$/.test(told)) return told;
  throw invalid(
    'A signed upload needs X-Content-SHA256: the SHA-256 of its body, in lower-case hex.',
  );
}

function invalid(message: string): AppError {
  return new AppError('INVALID_SIGNATURE', { message });
}
