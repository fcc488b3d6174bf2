import type { Mode } from '../access/mode.js';
import type { Permission } from '../access/permissions.js';
import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';

const selected = (expiresAt: string) => `
  k.id, k.account_id, k.mode, k.permissions, k.rate_limit_per_minute, k.daily_limit,
    ${expiresAt} as expires_at, k.active, k.revoked_at is not null as revoked,
    k.suspended_at is not null as suspended, a.active as account_active,
    a.hold_kind is not distinct from 'paused' as paused, a.version, k.allowed_ips,
    k.require_signature, k.graph_access, k.event_feed, a.phone_number_id, a.business_account_id, k.signing_secret, k.previous_signing_secret,
    k.previous_signing_expires_at, k.older_signing_secret, k.older_signing_expires_at,
    k.bodies_kept_until`;

const columns = {
  id: 'uuid',
  account_id: 'uuid',
  mode: as<Mode>('text'),
  permissions: as<Permission[]>('text[]'),
  rate_limit_per_minute: 'int4',
  daily_limit: 'int4',
  expires_at: 'timestamptz?',
  active: 'bool',
  revoked: 'bool',
  suspended: 'bool',
  account_active: 'bool',
  paused: 'bool',
  version: 'int8',
  allowed_ips: 'text[]',
  require_signature: 'bool',
  graph_access: 'bool',
  event_feed: 'bool',
  phone_number_id: 'text',
  business_account_id: 'text',
  signing_secret: 'text',
  previous_signing_secret: 'text?',
  previous_signing_expires_at: 'timestamptz?',
  older_signing_secret: 'text?',
  older_signing_expires_at: 'timestamptz?',
  bodies_kept_until: 'timestamptz?',
} as const;

/** A former key expires with its overlap, even if it is cached. */
export const loadKey = statement({
  name: 'load-key',
  params: { digest: 'bytea' },
  columns,
  text: `
  select ${selected(`case :digest::bytea when k.digest then k.expires_at
    when k.previous_digest then least(k.expires_at, k.previous_expires_at)
    else least(k.expires_at, k.older_expires_at) end`)}
  from api_keys k join accounts a on a.id = k.account_id
  where k.digest = :digest or (k.previous_digest = :digest and k.previous_expires_at > now())
    or (k.older_digest = :digest and k.older_expires_at > now())`,
});

export const loadKeyById = statement({
  name: 'load-key-by-id',
  params: { id: 'uuid', accountId: 'uuid?' },
  columns,
  text: `
  select ${selected('k.expires_at')} from api_keys k join accounts a on a.id = k.account_id
  where k.id = :id and (:accountId::uuid is null or k.account_id = :accountId)`,
});
