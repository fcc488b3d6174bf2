import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import { offAtSql } from '../endpoints/endpoint-health.js';

export const listKeyStandings = statement({
  name: 'list-key-standings',
  params: { ids: 'uuid[]' },
  columns: {
    id: 'uuid',
    lastUsedAt: 'timestamptz?',
    lastUsedAddress: 'text?',
    /** Attempts at its webhook that failed since the last success, and the first of them. */
    failures: 'int4?',
    failingSince: 'timestamptz?',
    /** When its webhook will be switched off. */
    offAt: 'timestamptz?',
    uses: as<{ digest: string; at: string; from: string | null }[]>('jsonb[]'),
  },
  text: `
  select k.id, u.last_used_at as "lastUsedAt", u.address as "lastUsedAddress", f.failures,
    f.since as "failingSince", ${offAtSql} as "offAt", array(
      select jsonb_build_object('digest', s.digest, 'at', s.last_used_at, 'from', s.address)
      from secret_last_used s where s.api_key_id = k.id) as uses
  from unnest(:ids::uuid[]) as k (id)
  left join api_key_last_used u on u.api_key_id = k.id
  left join webhook_failures f on f.endpoint_id = k.id`,
});

/** Null is any account, key or mode. */
export const countCallsByHour = statement({
  name: 'count-calls-by-hour',
  params: { accountId: 'uuid?', apiKeyId: 'uuid?', mode: 'text?' },
  columns: { hour: 'timestamptz', calls: 'float8', refused: 'float8' },
  text: `
  select h.hour, coalesce(sum(u.calls), 0)::float8 as calls,
    coalesce(sum(u.refused), 0)::float8 as refused
  from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours',
                       date_trunc('hour', now(), 'UTC'), interval '1 hour') as h (hour)
  left join usage_hourly u on u.hour = h.hour
    and (:accountId::uuid is null or u.account_id = :accountId) and (:apiKeyId::uuid is null or u.api_key_id = :apiKeyId)
    and (:mode::text is null or u.mode = :mode)
  group by h.hour order by h.hour`,
});
