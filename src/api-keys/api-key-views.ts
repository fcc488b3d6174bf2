import type { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKeyDto, ApiKeyState } from './api-key-answers.dto.js';
import { webhookEvents } from './api-keys.dto.js';

/** When and from where a key was last used. */
export interface LastUse {
  readonly at: Date;
  readonly address: string | null;
}

/** The state that a request with the key would meet; the guard refuses in the same order. */
export function stateOf(key: ApiKeyEntity): ApiKeyState {
  if (key.revokedAt) return 'revoked';
  if (key.suspendedAt) return 'suspended';
  if (key.expiresAt && key.expiresAt.getTime() <= Date.now()) return 'expired';
  return key.active ? 'active' : 'inactive';
}

/** A key as the dashboard shows it. */
export function apiKeyView(key: ApiKeyEntity, lastUse: LastUse | undefined): ApiKeyDto {
  const overlapEnd = key.previousExpiresAt?.getTime() ?? 0;
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    description: key.description,
    mode: key.mode,
    display: key.display,
    permissions: key.permissions,
    rate_limit_per_minute: key.rateLimitPerMinute,
    daily_limit: key.dailyLimit,
    expires_at: key.expiresAt,
    allowed_ips: key.allowedIps,
    active: key.active,
    state: stateOf(key),
    revoked_at: key.revokedAt,
    suspended_at: key.suspendedAt,
    suspended_reason: key.suspendedReason,
    require_signature: key.requireSignature,
    webhook: {
      url: key.webhookUrl,
      events: key.webhookEvents ?? [...webhookEvents],
      disabled_at: key.webhookDisabledAt,
      reason: key.webhookDisabledReason,
    },
    previous_key_expires_at: overlapEnd > Date.now() ? key.previousExpiresAt : null,
    last_used_at: lastUse?.at ?? null,
    last_used_address: lastUse?.address ?? null,
    created_at: key.createdAt,
    updated_at: key.updatedAt,
  };
}

/** What people change of a key, for the audit log. */
export function auditedView(key: ApiKeyEntity): object {
  const {
    last_used_at: _,
    last_used_address: __,
    updated_at: ___,
    ...rest
  } = apiKeyView(key, undefined);
  return rest;
}
