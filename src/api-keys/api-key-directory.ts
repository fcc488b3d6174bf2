import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { KeyState } from '../access/key-state.js';
import type { Principal } from '../access/principal.js';
import type { Row } from '../database/statements/statement.js';
import { AddressList } from '../http/address-list.js';
import * as sql from './api-key-directory.statements.js';
import { digestOfApiKey } from './api-key-token.js';
import { KeyPepper } from './key-pepper.js';

/** A key with its account, as of one version of the account. */
export interface KnownKey extends KeyState {
  readonly principal: Principal;
  readonly accountVersion: number;
  readonly rateLimitPerMinute: number;
  /** Null: from anywhere. */
  readonly allowedAddresses: AddressList | null;
  readonly requiresSignature: boolean;
  /** Whether it may use the routes in the form of WhatsApp's own API. */
  readonly hasGraphAccess: boolean;
  /** The current secret, and former ones until their overlap ends. */
  readonly sealedSigningSecrets: readonly { sealed: string; until: Date | null }[];
}

type KnownKeyRow = Row<typeof sql.loadKey>;

/** The most keys that a process keeps in memory. */
const cachedMax = 10_000;

/**
 * Known API keys, cached under their account's version. The cache may admit a request but never
 * refuse one: see the guard. Unknown keys are never cached.
 */
@Injectable()
export class ApiKeyDirectory {
  /** By the key itself: hashing it would cost more than all the other checks of a request's key. */
  private readonly cache = new Map<string, KnownKey>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly pepper: KeyPepper,
  ) {}

  /** From memory: a key as it was when it was last read, or null when it is not there. */
  findCached(token: string): KnownKey | null {
    return this.cache.get(token) ?? null;
  }

  /** From PostgreSQL; null when there is no such key. */
  async load(token: string): Promise<KnownKey | null> {
    const digest = digestOfApiKey(token, await this.pepper.get());
    const row = await sql.loadKey.row(this.dataSource, { digest });
    // Deleted first, so that the newest entry is always the last one: the first is the oldest.
    this.cache.delete(token);
    if (!row) return null;
    const key = toKnownKey(row, digest.toString('base64'));
    this.cache.set(token, key);
    if (this.cache.size > cachedMax) {
      const [oldest] = this.cache.keys();
      if (oldest !== undefined) this.cache.delete(oldest);
    }
    return key;
  }

  /**
   * The key itself is not known here, so this one is not cached.
   * @param accountId null for a key of any account.
   */
  async loadById(id: string, accountId: string | null): Promise<KnownKey | null> {
    const row = await sql.loadKeyById.row(this.dataSource, { id, accountId });
    return row ? toKnownKey(row, null) : null;
  }
}

function toKnownKey(row: KnownKeyRow, keyDigest: string | null): KnownKey {
  return {
    principal: {
      apiKeyId: row.id,
      accountId: row.account_id,
      accountVersion: Number(row.version),
      mode: row.mode,
      permissions: new Set(row.permissions),
      hasFeed: row.event_feed,
      dailyLimit: row.daily_limit,
      bodiesKeptUntilMs: row.bodies_kept_until?.getTime() ?? 0,
      keyDigest,
      account: {
        isActive: row.account_active,
        isPaused: row.paused,
        phoneNumberId: row.phone_number_id,
        businessAccountId: row.business_account_id,
      },
    },
    accountVersion: Number(row.version),
    isActive: row.active,
    isRevoked: row.revoked,
    isSuspended: row.suspended,
    expiresAt: row.expires_at,
    rateLimitPerMinute: row.rate_limit_per_minute,
    allowedAddresses: row.allowed_ips.length > 0 ? new AddressList(row.allowed_ips) : null,
    requiresSignature: row.require_signature,
    hasGraphAccess: row.graph_access,
    sealedSigningSecrets: [
      { sealed: row.signing_secret, until: null },
      { sealed: row.previous_signing_secret, until: row.previous_signing_expires_at },
      { sealed: row.older_signing_secret, until: row.older_signing_expires_at },
    ].flatMap(({ sealed, until }) => (sealed === null ? [] : [{ sealed, until }])),
  };
}
