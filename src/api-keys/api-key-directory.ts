import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { KeyState } from '../access/key-state.js';
import type { Mode } from '../access/mode.js';
import type { Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { AddressList } from '../http/address-list.js';
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

interface KnownKeyRow {
  id: string;
  account_id: string;
  mode: Mode;
  permissions: Permission[];
  rate_limit_per_minute: number;
  daily_limit: number;
  expires_at: Date | null;
  active: boolean;
  revoked: boolean;
  suspended: boolean;
  account_active: boolean;
  paused: boolean;
  version: string;
  allowed_ips: string[];
  require_signature: boolean;
  graph_access: boolean;
  phone_number_id: string;
  business_account_id: string;
  signing_secret: string;
  previous_signing_secret: string | null;
  previous_signing_expires_at: Date | null;
  older_signing_secret: string | null;
  older_signing_expires_at: Date | null;
  bodies_kept_until: Date | null;
}

const columns = (expiresAt: string) => `
  k.id, k.account_id, k.mode, k.permissions, k.rate_limit_per_minute, k.daily_limit,
    ${expiresAt} as expires_at, k.active, k.revoked_at is not null as revoked,
    k.suspended_at is not null as suspended, a.active as account_active,
    a.hold_kind is not distinct from 'paused' as paused, a.version, k.allowed_ips,
    k.require_signature, k.graph_access, a.phone_number_id, a.business_account_id, k.signing_secret, k.previous_signing_secret,
    k.previous_signing_expires_at, k.older_signing_secret, k.older_signing_expires_at,
    k.bodies_kept_until`;

// A former key expires with its overlap, even if it is cached.
const loadSql = `
  select ${columns(`case $1::bytea when k.digest then k.expires_at
    when k.previous_digest then least(k.expires_at, k.previous_expires_at)
    else least(k.expires_at, k.older_expires_at) end`)}
  from api_keys k join accounts a on a.id = k.account_id
  where k.digest = $1 or (k.previous_digest = $1 and k.previous_expires_at > now())
    or (k.older_digest = $1 and k.older_expires_at > now())`;

const loadByIdSql = `
  select ${columns('k.expires_at')} from api_keys k join accounts a on a.id = k.account_id
  where k.id = $1 and ($2::uuid is null or k.account_id = $2)`;

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
    const [row]: KnownKeyRow[] = await this.dataSource.query(loadSql, [digest]);
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
    const [row]: KnownKeyRow[] = await this.dataSource.query(loadByIdSql, [id, accountId]);
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
