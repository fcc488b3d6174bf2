import { Injectable } from '@nestjs/common';
import { digestOfSecret } from '../secrets/rotated-secrets.js';
import { SecretBox } from '../secrets/secret-box.js';
import type { KnownKey } from './api-key-directory.js';
import { signingSecretPlace } from './api-key-records.js';

interface OpenedSecret {
  readonly secret: string;
  readonly digest: string;
  readonly untilMs: number;
}

/** Opened signing secrets, for as long as their key stays in memory. */
@Injectable()
export class SigningSecrets {
  private readonly opened = new WeakMap<KnownKey, readonly OpenedSecret[]>();

  constructor(private readonly secrets: SecretBox) {}

  /** The secrets that may sign for a key now: its own and, during an overlap, former ones. */
  of(key: KnownKey): readonly OpenedSecret[] {
    let opened = this.opened.get(key);
    if (!opened) {
      const place = signingSecretPlace(key.principal.apiKeyId);
      opened = key.sealedSigningSecrets.map(({ sealed, until }) => {
        const secret = this.secrets.open(sealed, place);
        const untilMs = until?.getTime() ?? Number.POSITIVE_INFINITY;
        return { secret, digest: digestOfSecret(secret), untilMs };
      });
      this.opened.set(key, opened);
    }
    const nowMs = Date.now();
    return opened.filter(({ untilMs }) => untilMs > nowMs);
  }
}
