/** What decides whether an API key may be used. */
export interface KeyState {
  readonly isActive: boolean;
  readonly isRevoked: boolean;
  readonly isSuspended: boolean;
  readonly expiresAt: Date | null;
}

/** Why a key may not be used. */
export type KeyTrouble = 'revoked' | 'suspended' | 'expired' | 'inactive';

/** For the database, in the order in which they are told; `k` is the row of the key. */
export const keyTroubles: Readonly<Record<KeyTrouble, string>> = {
  revoked: 'k.revoked_at is not null',
  suspended: 'k.suspended_at is not null',
  expired: 'k.expires_at <= now()',
  inactive: 'not k.active',
};

/** Why a key may not be used now, the first reason that holds; null where it may. */
export function keyTroubleOf(key: KeyState): KeyTrouble | null {
  if (key.isRevoked) return 'revoked';
  if (key.isSuspended) return 'suspended';
  if (key.expiresAt !== null && key.expiresAt.getTime() <= Date.now()) return 'expired';
  return key.isActive ? null : 'inactive';
}

/** For the database: whether the key `k` may be used now. */
export const inUseSql = `(${Object.values(keyTroubles).join(' or ')}) is not true`;

/** For the database: whether the key `k` may send templates now. Its account is not looked at. */
export const maySendTemplatesSql = `${inUseSql} and 'send_template' = any (k.permissions)`;

/**
 * For the database: whether the key `k` still hears of its own messages and campaigns. A suspended or inactive key, or
 * one that has expired, does: what it sent before goes on.
 */
export const hearsOwnSql = 'k.revoked_at is null';
