import { statement } from '../database/statements/statement.js';

export const takeMinute = statement({
  name: 'take-minute',
  params: {
    apiKeyIds: 'uuid[]',
    accountIds: 'uuid[]',
    minuteLimits: 'int4[]',
    dayLimits: 'int4[]',
    counts: 'int4[]',
  },
  columns: {
    apiKeyId: 'uuid',
    granted: 'int4',
    minuteUsed: 'int4',
    dayUsed: 'int4',
    accountVersion: 'float8',
    nowMs: 'float8',
  },
  text: `
  select api_key_id as "apiKeyId", granted, minute_used as "minuteUsed", day_used as "dayUsed",
    coalesce(account_version, 0)::float8 as "accountVersion", now_ms::float8 as "nowMs"
  from take_minute_units(:apiKeyIds, :accountIds, :minuteLimits, :dayLimits, :counts)`,
});

export const giveBackMinute = statement({
  name: 'give-back-minute',
  params: { apiKeyIds: 'uuid[]', minutes: 'int8[]', counts: 'int4[]' },
  text: `
  update quota_counters q set minute_used = greatest(0, q.minute_used - g.count)
  from unnest(:apiKeyIds::uuid[], :minutes::bigint[], :counts::int[]) as g (api_key_id, minute, count)
  where q.api_key_id = g.api_key_id and q.minute = g.minute`,
});

/**
 * In the order of the keys, so that two processes lock the counters in the same one. Reads wait for no disk: a
 * crash of PostgreSQL may lose the units of its last second's reads.
 */
export const takeDay = statement({
  name: 'take-day',
  params: { apiKeyIds: 'uuid[]', dayLimits: 'int4[]', counts: 'int4[]' },
  columns: { apiKeyId: 'uuid', day: 'int4', used: 'int4', granted: 'int4' },
  text: `
  with settings as materialized (select set_config('synchronous_commit', 'off', true))
  select asked.api_key_id as "apiKeyId", taken.day, taken.used, taken.granted
  from settings, unnest(:apiKeyIds::uuid[], :dayLimits::int[], :counts::int[])
      as asked (api_key_id, day_limit, units),
    take_day_units(asked.api_key_id, asked.day_limit, asked.units) as taken`,
});
