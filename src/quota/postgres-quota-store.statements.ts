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
    api_key_id: 'uuid',
    granted: 'int4',
    minute_used: 'int4',
    day_used: 'int4',
    account_version: 'int8?',
    now_ms: 'int8',
  },
  text: `
  select * from take_minute_units(:apiKeyIds, :accountIds, :minuteLimits, :dayLimits, :counts)`,
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
  columns: { api_key_id: 'uuid', day: 'int4', used: 'int4', granted: 'int4' },
  text: `
  with settings as materialized (select set_config('synchronous_commit', 'off', true))
  select asked.api_key_id, taken.day, taken.used, taken.granted
  from settings, unnest(:apiKeyIds::uuid[], :dayLimits::int[], :counts::int[])
      as asked (api_key_id, day_limit, units),
    take_day_units(asked.api_key_id, asked.day_limit, asked.units) as taken`,
});
