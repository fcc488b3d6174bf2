import { statement } from '../database/statements/statement.js';

export const addUsages = statement({
  name: 'add-usages',
  params: { counted: 'jsonb' },
  text: `
  with input as (
    select "accountId" as account_id, "apiKeyId" as api_key_id, mode, hour, calls, accepted, refused,
      "lastUsedAt" as last_used_at, address
    from jsonb_to_recordset(:counted::jsonb) as t ("accountId" uuid, "apiKeyId" uuid, mode text, hour timestamptz,
      calls bigint, accepted bigint, refused bigint, "lastUsedAt" timestamptz, address text)
  ), last_use as (
    insert into api_key_last_used as l (api_key_id, last_used_at, address)
    select distinct on (api_key_id) api_key_id, last_used_at, address from input
    order by api_key_id, last_used_at desc
    on conflict (api_key_id) do update set last_used_at = excluded.last_used_at,
      address = excluded.address where l.last_used_at < excluded.last_used_at
  )
  insert into usage_hourly as u (account_id, api_key_id, mode, hour, calls, accepted, refused)
  select account_id, api_key_id, mode, hour, calls, accepted, refused from input
  order by api_key_id, hour
  on conflict (account_id, api_key_id, mode, hour) do update set calls = u.calls + excluded.calls,
    accepted = u.accepted + excluded.accepted, refused = u.refused + excluded.refused`,
});

export const addSecretUses = statement({
  name: 'add-secret-uses',
  params: { counted: 'jsonb' },
  text: `
  insert into secret_last_used as l (api_key_id, digest, last_used_at, address)
  select "apiKeyId", digest, to_timestamp("lastUsedMs" / 1000.0), address
  from jsonb_to_recordset(:counted::jsonb) as t ("apiKeyId" uuid, digest text, "lastUsedMs" float8, address text)
  order by "apiKeyId", digest
  on conflict (api_key_id, digest) do update set last_used_at = excluded.last_used_at,
    address = excluded.address where l.last_used_at < excluded.last_used_at`,
});
