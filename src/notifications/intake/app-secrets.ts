import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../../access/mode.js';
import { Config } from '../../config/config.js';
import type { Row } from '../../database/statements/statement.js';
import { SecretBox } from '../../secrets/secret-box.js';
import * as sql from './app-secrets.statements.js';

/** The rows that a signature allows a notification to change. */
export interface Signer {
  /** Whose rows; null: live and test ones. */
  readonly mode: Mode | null;
  /** The accounts whose secret it is; null: all, because the simulator speaks for every account. */
  readonly accountIds: readonly string[] | null;
}

/** A secret that may sign; accounts with the same one share it. */
export interface KnownSecret extends Signer {
  readonly secret: string;
}

type AccountRow = Row<typeof sql.listAppSecrets>;

/** Secrets are read again when they are older than this: a changed one holds within seconds. */
const maxAgeMs = 5_000;

/** A failing signature reads them again, but no more often than this: strangers must not trigger endless reads. */
const minAgeMs = 1_000;

/** Secrets that are decrypted before other requests get their turn: some 200 µs. */
const openedAtOnce = 50;

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
  private byAccountId: ReadonlyMap<string, KnownSecret> = new Map();
  private byPlatformId: ReadonlyMap<string, readonly KnownSecret[]> = new Map();
  private ids: ReadonlySet<string> = new Set();
  /** Decrypted secrets by their place and sealed text. */
  private opened: ReadonlyMap<string, string> = new Map();
  private readFingerprint = '';
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly secrets: SecretBox,
  ) {}

  /** Every secret once, that of the simulator first. They are at most five seconds old. */
  async all(): Promise<readonly KnownSecret[]> {
    if (this.age > maxAgeMs) await this.read();
    return this.known;
  }

  /** The secrets that sign for every account: that of the simulator. */
  get ofAnyAccount(): readonly KnownSecret[] {
    return this.known.filter(({ accountIds }) => accountIds === null);
  }

  /** The secret of an account other than the simulator's. */
  ofAccount(id: string): KnownSecret | undefined {
    return this.byAccountId.get(id);
  }

  /** The same by WhatsApp's id of a number or a business account, which several accounts may have. */
  ofPlatformId(id: string): readonly KnownSecret[] {
    return this.byPlatformId.get(id) ?? [];
  }

  /** Reads the secrets again unless that was done in the last second. @returns whether it read them. */
  async readAgain(): Promise<boolean> {
    if (this.age < minAgeMs) return false;
    await this.read();
    return true;
  }

  /** Whether the account exists, as of at most a second ago. */
  async isAccount(id: string): Promise<boolean> {
    if (!this.ids.has(id)) await this.readAgain();
    return this.ids.has(id);
  }

  /** Of the accounts as they were read. */
  get fingerprint(): string {
    return this.readFingerprint;
  }

  /** The same signer with the accounts as they were read: it may be of an earlier reading. */
  asRead(signer: Signer): Signer {
    const { secret } = signer as KnownSecret;
    return this.known.find((known) => known.secret === secret) ?? signer;
  }

  /** Reads the secrets; a reading that is under way may have begun too early. */
  async readAnew(): Promise<void> {
    await this.reading;
    await this.read();
  }

  private get age(): number {
    return performance.now() - this.readAt;
  }

  /** Requests that come while the secrets are read wait for the same reading. */
  private read(): Promise<void> {
    this.reading ??= this.readNow().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async readNow(): Promise<void> {
    const first = await sql.readAccountsFingerprint.row(this.dataSource);
    const rows = await sql.listAppSecrets.rows(this.dataSource);
    const { simulatorAppSecret, isPlatformSimulated } = this.config;
    const secretOf = await this.opener(rows);
    const accountsBySecret = new Map<string, AccountRow[]>();
    for (const row of rows) {
      const accounts = accountsBySecret.get(secretOf(row));
      if (accounts) accounts.push(row);
      else accountsBySecret.set(secretOf(row), [row]);
    }
    const known: KnownSecret[] = [];
    const byAccountId = new Map<string, KnownSecret>();
    const byPlatformId = new Map<string, KnownSecret[]>();
    const live = isPlatformSimulated ? null : 'live';
    if (simulatorAppSecret !== null) {
      accountsBySecret.delete(simulatorAppSecret);
      const mode = isPlatformSimulated ? null : 'test';
      known.push({ secret: simulatorAppSecret, mode, accountIds: null });
    }
    for (const [secret, accounts] of accountsBySecret) {
      const one = { secret, mode: live, accountIds: accounts.map(({ id }) => id) } as const;
      known.push(one);
      for (const { id, phone_number_id, business_account_id } of accounts) {
        byAccountId.set(id, one);
        for (const platformId of [phone_number_id, business_account_id]) {
          const others = byPlatformId.get(platformId);
          if (!others) byPlatformId.set(platformId, [one]);
          else if (!others.includes(one)) others.push(one);
        }
      }
    }
    this.ids = new Set(rows.map(({ id }) => id));
    this.known = known;
    this.byAccountId = byAccountId;
    this.byPlatformId = byPlatformId;
    // Read before the accounts: the next call notices changes in between.
    this.readFingerprint = first?.fingerprint ?? '';
    this.readAt = performance.now();
  }

  /** Decrypts what has changed since the last reading. @returns the secret of a row. */
  private async opener(rows: readonly AccountRow[]): Promise<(row: AccountRow) => string> {
    const opened = new Map<string, string>();
    const keyOf = ({ id, app_secret }: AccountRow) => `${id} ${app_secret}`;
    let count = 0;
    for (const row of rows) {
      const key = keyOf(row);
      let secret = this.opened.get(key);
      if (secret === undefined) {
        secret = this.secrets.open(row.app_secret, `accounts.app_secret.${row.id}`);
        count += 1;
        if (count % openedAtOnce === 0) await setImmediate();
      }
      opened.set(key, secret);
    }
    this.opened = opened;
    return (row) => opened.get(keyOf(row)) ?? '';
  }
}
