import { InputRows } from '../database/statements/input-rows.js';
import { statement } from '../database/statements/statement.js';

export const requestInput = new InputRows({
  id: 'uuid',
  accountId: 'uuid',
  apiKeyId: 'uuid',
  mode: 'text',
  method: 'text',
  route: 'text',
  status: 'int4',
  code: 'text',
  fields: 'text',
  address: 'text',
  latencyMs: 'int4',
  messageId: 'uuid',
  calls: 'int4',
});

/** Requests without a known key that other statements or processes have counted already are added to theirs. */
export const logRequests = statement({
  name: 'log-requests',
  params: requestInput.params,
  text: `
  insert into request_log as l (${requestInput.columns})
  select id, account_id, api_key_id, mode, method, route, status, code, fields::text[], address,
         latency_ms, message_id, calls
  from ${requestInput.sql}
  on conflict (id) do update set calls = l.calls + excluded.calls where l.api_key_id is null`,
});

export const ensureRequestDays = statement({
  name: 'ensure-request-days',
  params: { daysAhead: 'int4' },
  columns: { ensure_request_days: 'void' },
  text: 'select ensure_request_days(:daysAhead)',
});

/** The partitions whose last row is older than these days; all for 0. */
export const listOldRequestDays = statement({
  name: 'list-old-request-days',
  params: { days: 'int4' },
  columns: { name: 'name' },
  text: `
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'request_log'::regclass and (:days::int = 0 or
    (to_date(right(c.relname, 10), 'YYYY_MM_DD') + 1 + :days)::timestamp at time zone 'UTC' <= now())
  order by 1`,
});
