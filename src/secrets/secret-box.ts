import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const version = 'v1';
const initializationVectorBytes = 12;

/** A stored secret that cannot be read: altered, moved to another row, or its key is not configured. */
export class SecretUnreadableError extends Error {}

/** Names a key without telling anything about it. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('parley key id').update(key).digest('hex').slice(0, 8);
}

/**
 * Encrypts what must be readable again (platform tokens, signing secrets) with AES-256-GCM.
 * Form: `v1.<key id>.<iv>.<ciphertext>.<tag>`, parts in base64url.
 *
 * The place of a secret (`table.column.row id`) is authenticated with it, so that a value copied
 * to another row does not decrypt there.
 */
export class SecretBox {
  private readonly keys: Map<string, Buffer>;
  private readonly current: { id: string; key: Buffer };

  /** @param keys 32 bytes each; the first encrypts, all decrypt. */
  constructor(keys: readonly Buffer[]) {
    const [first] = keys;
    if (!first) throw new Error('a secret box needs a key');
    this.keys = new Map(keys.map((key) => [keyId(key), key]));
    this.current = { id: keyId(first), key: first };
  }

  seal(plain: string, place: string): string {
    const iv = randomBytes(initializationVectorBytes);
    const cipher = createCipheriv('aes-256-gcm', this.current.key, iv).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    const parts = [iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'));
    return [version, this.current.id, ...parts].join('.');
  }

  /** @throws SecretUnreadableError */
  open(sealed: string, place: string): string {
    const [form, id = '', iv = '', text = '', tag = ''] = sealed.split('.');
    const key = this.keys.get(id);
    if (form !== version || !key) {
      throw new SecretUnreadableError(`no configured key can read the secret at ${place}`);
    }
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
        .setAAD(Buffer.from(place))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([
        decipher.update(Buffer.from(text, 'base64url')),
        decipher.final(),
      ]).toString('utf8');
    } catch (error) {
      throw new SecretUnreadableError(`the secret at ${place} was altered`, { cause: error });
    }
  }

  /** Whether a key is among those that decrypt; a sealed text names its key in its second part. */
  hasKey(id: string): boolean {
    return this.keys.has(id);
  }

  /** The beginning of every text that is sealed under the present encryption key. */
  get currentPrefix(): string {
    return `${version}.${this.current.id}.`;
  }
}
