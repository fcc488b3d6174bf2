import { InputRows } from '../database/statements/input-rows.js';
import { statement } from '../database/statements/statement.js';

export const minuteInput = new InputRows({
  apiKeyId: 'uuid',
  accountId: 'uuid',
  minuteLimit: 'int4',
  dayLimit: 'int4',
  count: 'int4',
});

export const takeMinute = statement({
  name: 'take-minute',
  params: minuteInput.params,
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
  from take_minute_units(${minuteInput.arrays})`,
});

export const unitInput = new InputRows({ apiKeyId: 'uuid', minute: 'int8', count: 'int4' });

export const giveBackMinute = statement({
  name: 'give-back-minute',
  params: unitInput.params,
  text: `
  update quota_counters q set minute_used = greatest(0, q.minute_used - t.count)
  from ${unitInput.sql}
  where q.api_key_id = t.api_key_id and q.minute = t.minute`,
});

export const dayInput = new InputRows({ apiKeyId: 'uuid', dayLimit: 'int4', count: 'int4' });

/**
 * In the order of the keys, so that two processes lock the counters in the same one. Reads wait for no disk: a
 * crash of PostgreSQL may lose the units of its last second's reads.
 */
export const takeDay = statement({
  name: 'take-day',
  params: dayInput.params,
  columns: { apiKeyId: 'uuid', day: 'int4', used: 'int4', granted: 'int4' },
  text: `
  with settings as materialized (select set_config('synchronous_commit', 'off', true))
  select t.api_key_id as "apiKeyId", taken.day, taken.used, taken.granted
  from settings, ${dayInput.sql},
    take_day_units(t.api_key_id, t.day_limit, t.count) as taken`,
});
