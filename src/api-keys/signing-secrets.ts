import { Injectable } from '@nestjs/common';
import { SecretBox } from '../secrets/secret-box.js';
import type { KnownKey } from './api-key-directory.js';

interface OpenedSecret {
  readonly secret: string;
  readonly untilMs: number;
}

/** Opened signing secrets, for as long as their key stays in memory. */
@Injectable()
export class SigningSecrets {
  private readonly opened = new WeakMap<KnownKey, readonly OpenedSecret[]>();

  constructor(private readonly secrets: SecretBox) {}

  /** The secrets that may sign for a key now: its own and, during an overlap, former ones. */
  of(key: KnownKey): readonly string[] {
    let opened = this.opened.get(key);
    if (!opened) {
      const place = `api_keys.signing_secret.${key.principal.apiKeyId}`;
      opened = key.sealedSigningSecrets.map(({ sealed, until }) => ({
        secret: this.secrets.open(sealed, place),
        untilMs: until?.getTime() ?? Number.POSITIVE_INFINITY,
      }));
      this.opened.set(key, opened);
    }
    const nowMs = Date.now();
    return opened.filter(({ untilMs }) => untilMs > nowMs).map(({ secret }) => secret);
  }
}
