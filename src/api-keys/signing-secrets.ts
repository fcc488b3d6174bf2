import { Injectable } from '@nestjs/common';
import { SecretBox } from '../secrets/secret-box.js';
import type { KnownKey } from './api-key-directory.js';

/** Opened signing secrets, for as long as their key stays in memory. */
@Injectable()
export class SigningSecrets {
  private readonly opened = new WeakMap<KnownKey, readonly string[]>();

  constructor(private readonly secrets: SecretBox) {}

  /** The secrets that may sign for a key now: its own and, during a rotation, the one before. */
  of(key: KnownKey): readonly string[] {
    let opened = this.opened.get(key);
    if (!opened) {
      const place = `api_keys.signing_secret.${key.principal.apiKeyId}`;
      opened = key.sealedSigningSecrets.map((sealed) => this.secrets.open(sealed, place));
      this.opened.set(key, opened);
    }
    const isPreviousOver =
      key.previousSigningExpiresAt !== null && key.previousSigningExpiresAt.getTime() <= Date.now();
    return isPreviousOver ? opened.slice(0, 1) : opened;
  }
}
