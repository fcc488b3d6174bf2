import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { verifySignature } from '#libs/whatsapp';
import type { Mode } from '../../api-keys/api-key.entity.js';
import { Config } from '../../config/config.js';
import { SecretBox } from '../../secrets/secret-box.js';

/** What a signature allows a notification to touch. */
export interface Signer {
  /** Whose rows; null: live and test ones. */
  readonly mode: Mode | null;
  /** The accounts whose secret it is; null: all, because the simulator speaks for every account. */
  readonly accountIds: readonly string[] | null;
}

interface KnownSecret extends Signer {
  readonly secret: string;
}

/** Tells whether accounts have changed; see `AppSecrets.fresh`. */
export const accountsFingerprintSql = `
  select count(*) || ' ' || coalesce(sum(version), 0) from accounts`;

/** Secrets are read again when they are older than this: a changed one holds within seconds. */
const maxAgeMs = 5_000;

/** A signature that fails reads them again at once, but strangers cannot make us read all the time. */
const minAgeMs = 1_000;

/**
 * The app secrets that may sign notifications, and what each of them allows:
 *
 * - The platform signs with the secret of the account's app: live rows of the accounts with it.
 * - The simulator signs with `SIMULATOR_APP_SECRET`, for whichever account: test rows only, even
 *   if an account was given the same secret.
 * - Where the simulator is the platform (`npm start`), live keys send to it too, so whatever signs
 *   speaks for live and test rows alike.
 */
@Injectable()
export class AppSecrets {
  private known: readonly KnownSecret[] = [];
  private fingerprint = '';
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly secrets: SecretBox,
  ) {}

  /** Who signed these bytes, or null when nobody did who may. */
  async findSigner(body: Buffer, signature: string | undefined): Promise<Signer | null> {
    if (this.age > maxAgeMs) await this.read();
    const signer = this.match(body, signature);
    if (signer || this.age < minAgeMs) return signer;
    await this.read();
    return this.match(body, signature);
  }

  /**
   * The same signer by the accounts of now: one that was made a moment ago counts.
   * @param fingerprint of the accounts, from the statement that stored the notification.
   */
  async fresh(signer: Signer, fingerprint: string): Promise<Signer> {
    if (fingerprint === this.fingerprint) return signer;
    const { secret } = signer as KnownSecret;
    await this.read();
    return this.known.find((known) => known.secret === secret) ?? signer;
  }

  private get age(): number {
    return performance.now() - this.readAt;
  }

  private match(body: Buffer, signature: string | undefined): Signer | null {
    const secrets = this.known.map(({ secret }) => secret);
    return this.known[verifySignature(body, signature, secrets)] ?? null;
  }

  /** Requests that come while the secrets are read wait for the same reading. */
  private read(): Promise<void> {
    this.reading ??= this.readNow().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async readNow(): Promise<void> {
    const [{ fingerprint } = { fingerprint: '' }]: { fingerprint: string }[] =
      await this.dataSource.query(`select (${accountsFingerprintSql}) as fingerprint`);
    const rows: { id: string; app_secret: string }[] = await this.dataSource.query(
      'select id, app_secret from accounts order by id',
    );
    const { simulatorAppSecret, isPlatformSimulated } = this.config;
    const accountsBySecret = new Map<string, string[]>();
    for (const row of rows) {
      const secret = this.secrets.open(row.app_secret, `accounts.app_secret.${row.id}`);
      const accounts = accountsBySecret.get(secret);
      if (accounts) accounts.push(row.id);
      else accountsBySecret.set(secret, [row.id]);
    }
    const known: KnownSecret[] = [];
    if (simulatorAppSecret !== null) {
      accountsBySecret.delete(simulatorAppSecret);
      known.push({
        secret: simulatorAppSecret,
        mode: isPlatformSimulated ? null : 'test',
        accountIds: null,
      });
    }
    for (const [secret, accountIds] of accountsBySecret) {
      known.push({ secret, mode: isPlatformSimulated ? null : 'live', accountIds });
    }
    this.known = known;
    // Read before the accounts: what changes in between is noticed the next time.
    this.fingerprint = fingerprint;
    this.readAt = performance.now();
  }
}
