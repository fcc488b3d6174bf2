import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isSignedWith, parseSignature } from '#libs/whatsapp';
import type { Mode } from '../../../access/mode.js';
import { Config } from '../../../config/config.js';
import { SecretBox } from '../../../secrets/secret-box.js';

/** The rows that a signature allows a notification to change. */
export interface Signer {
  /** Whose rows; null: live and test ones. */
  readonly mode: Mode | null;
  /** The accounts whose secret it is; null: all, because the simulator speaks for every account. */
  readonly accountIds: readonly string[] | null;
}

interface KnownSecret extends Signer {
  readonly secret: string;
  /** Ids of numbers and business accounts that it signs for; null: any. */
  readonly platformIds: readonly string[] | null;
}

interface AccountRow {
  readonly id: string;
  readonly app_secret: string;
  readonly phone_number_id: string;
  readonly business_account_id: string;
}

/** Shows whether accounts have changed; see `AppSecrets.fresh`. */
export const accountsFingerprintSql = `
  select count(*) || ' ' || coalesce(sum(version), 0) from accounts`;

/** Secrets are read again when they are older than this: a changed one holds within seconds. */
const maxAgeMs = 5_000;

/** A failing signature reads them again, but no more often than this: strangers must not trigger endless reads. */
const minAgeMs = 1_000;

/**
 * Hashing this much takes 10 µs, so that a smaller body may be hashed with every secret. Before each
 * hash of a larger one, other requests get their turn.
 */
const smallBodyBytes = 16 * 1024;

/**
 * The app secrets that may sign notifications, and what each of them allows:
 *
 * - The platform signs with the secret of the account's app: live rows of the accounts with it.
 * - The simulator signs with `SIMULATOR_APP_SECRET`, for whichever account: test rows only, even
 *   if an account was given the same secret.
 * - Where the simulator is the platform (`npm start`), live keys send to it too, so every
 *   signature allows live and test rows alike.
 */
@Injectable()
export class AppSecrets {
  private known: readonly KnownSecret[] = [];
  private accountIds: ReadonlySet<string> = new Set();
  private fingerprint = '';
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Who signed these bytes, or null if no permitted signer did. Each secret hashes them once at most.
   * @param accountId the account whose address was called; null: the address that all accounts share.
   */
  async findSigner(
    body: Buffer,
    signature: string | undefined,
    accountId: string | null,
  ): Promise<Signer | null> {
    const digest = parseSignature(signature);
    if (!digest) return null;
    if (this.age > maxAgeMs) await this.read();
    const tried = new Set<string>();
    const signer = await this.match(body, digest, accountId, tried);
    if (signer || this.age < minAgeMs) return signer;
    await this.read();
    return this.match(body, digest, accountId, tried);
  }

  /** Whether the account exists, as of at most a second ago. */
  async isAccount(id: string): Promise<boolean> {
    if (!this.accountIds.has(id) && this.age > minAgeMs) await this.read();
    return this.accountIds.has(id);
  }

  /**
   * The same signer with the accounts as of now, including one that was made a moment ago.
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

  private async match(
    body: Buffer,
    digest: Buffer,
    accountId: string | null,
    tried: Set<string>,
  ): Promise<Signer | null> {
    for (const known of this.candidates(body, accountId)) {
      if (tried.has(known.secret)) continue;
      tried.add(known.secret);
      if (body.length > smallBodyBytes) await setImmediate();
      if (isSignedWith(known.secret, body, digest)) return known;
    }
    return null;
  }

  /**
   * The secrets that a body is checked with: that of the account whose address was called, or first
   * those of the accounts that the body names. The others follow if that costs nothing,
   * or if the body names no account of ours: Meta's own test button sends such bodies.
   */
  private candidates(body: Buffer, accountId: string | null): readonly KnownSecret[] {
    if (accountId !== null) {
      return this.known.filter(
        ({ accountIds }) => accountIds === null || accountIds.includes(accountId),
      );
    }
    if (this.known.length < 2) return this.known;
    const ids = platformIdsIn(body);
    const isLikely = ({ platformIds }: KnownSecret) =>
      platformIds === null || platformIds.some((id) => ids.has(id));
    const likely = this.known.filter(isLikely);
    const isNamed = likely.some(({ platformIds }) => platformIds !== null);
    if (isNamed && body.length > smallBodyBytes) return likely;
    return [...likely, ...this.known.filter((known) => !isLikely(known))];
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
    const rows: AccountRow[] = await this.dataSource.query(
      'select id, app_secret, phone_number_id, business_account_id from accounts order by id',
    );
    const { simulatorAppSecret, isPlatformSimulated } = this.config;
    const accountsBySecret = new Map<string, AccountRow[]>();
    for (const row of rows) {
      const secret = this.secrets.open(row.app_secret, `accounts.app_secret.${row.id}`);
      const accounts = accountsBySecret.get(secret);
      if (accounts) accounts.push(row);
      else accountsBySecret.set(secret, [row]);
    }
    const known: KnownSecret[] = [];
    if (simulatorAppSecret !== null) {
      accountsBySecret.delete(simulatorAppSecret);
      known.push({
        secret: simulatorAppSecret,
        mode: isPlatformSimulated ? null : 'test',
        accountIds: null,
        platformIds: null,
      });
    }
    for (const [secret, accounts] of accountsBySecret) {
      known.push({
        secret,
        mode: isPlatformSimulated ? null : 'live',
        accountIds: accounts.map(({ id }) => id),
        platformIds: accounts.flatMap((row) => [row.phone_number_id, row.business_account_id]),
      });
    }
    this.accountIds = new Set(rows.map(({ id }) => id));
    this.known = known;
    // Read before the accounts: the next call notices changes in between.
    this.fingerprint = fingerprint;
    this.readAt = performance.now();
  }
}

/**
 * Every number in a body that may be the id of a business account or of a phone number. The body is
 * not parsed: nothing has proved yet where it comes from, and parsing costs up to a hundred times
 * as much as hashing it.
 */
function platformIdsIn(body: Buffer): ReadonlySet<string> {
  const ids = new Set<string>();
  const form = /"(?:phone_number_)?id"\s*:\s*"?(\d{1,32})/g;
  for (const [, id = ''] of body.toString('latin1').matchAll(form)) ids.add(id);
  return ids;
}
