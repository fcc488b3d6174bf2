import { statement } from '../database/statements/statement.js';

/** Requests without a known key that other statements or processes have counted already are added to theirs. */
export const logRequests = statement({
  name: 'log-requests',
  params: {
    ids: 'uuid[]',
    accountIds: 'uuid[]',
    apiKeyIds: 'uuid[]',
    modes: 'text[]',
    methods: 'text[]',
    routes: 'text[]',
    statuses: 'int4[]',
    codes: 'text[]',
    fields: 'text[]',
    addresses: 'text[]',
    latenciesMs: 'int4[]',
    messageIds: 'uuid[]',
    calls: 'int4[]',
  },
  text: `
  insert into request_log as l (id, account_id, api_key_id, mode, method, route, status, code, fields,
                                address, latency_ms, message_id, calls)
  select id, account_id, api_key_id, mode, method, route, status, code, fields::text[], address,
         latency_ms, message_id, calls
  from unnest(:ids::uuid[], :accountIds::uuid[], :apiKeyIds::uuid[], :modes::text[], :methods::text[],
              :routes::text[], :statuses::int[], :codes::text[], :fields::text[], :addresses::text[],
              :latenciesMs::int[], :messageIds::uuid[], :calls::int[])
    as t (id, account_id, api_key_id, mode, method, route, status, code, fields, address, latency_ms,
          message_id, calls)
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
