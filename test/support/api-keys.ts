import { randomUUID } from 'node:crypto';
import type { Mode } from '../../src/access/mode.js';
import { type Permission, permissions } from '../../src/access/permissions.js';
import { createApiKey, displayOfApiKey } from '../../src/api-keys/api-key-token.js';
import { newId } from '../../src/database/ids.js';
import { digestIn, installation, type Sql, secretBox } from './installation.js';

/** What a key differs in from one that may do everything. */
export interface ApiKeyChange {
  accountId?: string;
  mode?: Mode;
  permissions?: Permission[];
  rateLimit?: number;
  dailyLimit?: number;
  expiresAt?: Date;
  active?: boolean;
  revokedAt?: Date;
  suspendedAt?: Date;
}

/** Inserts the default endpoint of the row `key`. */
export const addDefaultEndpoint = (secret: string) => `
  insert into webhook_endpoints (id, api_key_id, account_id, mode, name, secret)
  select id, id, account_id, mode, 'default', ${secret} from key`;

/** Adds an API key as the dashboard does. */
export async function addApiKey(
  database: Sql,
  change: ApiKeyChange = {},
): Promise<{ id: string; key: string }> {
  const mode = change.mode ?? 'live';
  const key = createApiKey(mode);
  const id = newId();
  await database.sql(
    `with key as (
       insert into api_keys (id, account_id, name, mode, digest, display, permissions,
         rate_limit_per_minute, daily_limit, expires_at, active, revoked_at, suspended_at, signing_secret)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, '') returning *
     ) ${addDefaultEndpoint("''")}`,
    [
      id,
      change.accountId ?? installation.accountId,
      `key ${id}`,
      mode,
      await digestIn(database, key),
      displayOfApiKey(key),
      change.permissions ?? permissions,
      change.rateLimit ?? 1_000_000,
      change.dailyLimit ?? 1_000_000,
      change.expiresAt ?? null,
      change.active ?? true,
      change.revokedAt ?? null,
      change.suspendedAt ?? null,
    ],
  );
  return { id, key };
}

/** Adds an account with a number of its own. */
export async function addAccount(
  database: Sql,
  change: { active?: boolean; token?: string } = {},
): Promise<string> {
  const id = newId();
  await database.sql(
    `insert into accounts (id, name, phone_number_id, business_account_id, display_phone_number,
       access_token, app_secret, active)
     values ($1, $2, $3, '200000000000002', '+15550783999', $4, $5, $6)`,
    [
      id,
      `account ${randomUUID()}`,
      `1${String(Date.now()).slice(-13)}`,
      secretBox().seal(change.token ?? 'token', `accounts.access_token.${id}`),
      secretBox().seal('secret', `accounts.app_secret.${id}`),
      change.active ?? true,
    ],
  );
  return id;
}
