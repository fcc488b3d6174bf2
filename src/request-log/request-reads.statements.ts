import type { Mode } from '../access/mode.js';
import { as, type ValuesOf } from '../database/statements/sql-types.js';
import { family, statement, whereGiven } from '../database/statements/statement.js';

/** What restricts a list of requests. */
const conditionParams = {
  accountId: 'uuid?',
  accountIds: 'uuid[]?',
  id: 'uuid?',
  apiKeyId: 'uuid?',
  mode: 'text?',
  statusFrom: 'int4?',
  statusTo: 'int4?',
  code: 'text?',
  route: 'text?',
  addresses: 'text[]?',
  firstId: 'uuid?',
  endId: 'uuid?',
  beforeId: 'uuid?',
  limit: 'int8',
} as const;

/** The values of a list of requests. What it leaves out does not restrict. */
type Conditions = ValuesOf<typeof conditionParams> & { readonly isRefused?: boolean | undefined };

const whereOf = (given: Conditions) =>
  whereGiven(given, {
    accountId: 'account_id = :accountId',
    accountIds: 'account_id = any (:accountIds)',
    id: 'id = :id and api_key_id is not null',
    apiKeyId: 'api_key_id = :apiKeyId',
    mode: 'mode = :mode',
    statusFrom: 'status >= :statusFrom',
    statusTo: 'status <= :statusTo',
    code: 'code = :code',
    route: 'route = :route',
    addresses: 'address = any (:addresses)',
    isRefused: given.isRefused ? 'code is not null' : 'code is null',
    firstId: 'id >= :firstId',
    endId: 'id < :endId',
    beforeId: 'id < :beforeId',
  });

const examples: Conditions[] = [
  { limit: 1 },
  {
    accountId: '',
    accountIds: [],
    id: '',
    apiKeyId: '',
    mode: '',
    statusFrom: 0,
    statusTo: 0,
    code: '',
    route: '',
    addresses: [],
    isRefused: true,
    firstId: '',
    endId: '',
    beforeId: '',
    limit: 1,
  },
];

/** Newest first. */
export const listRequests = family({
  name: 'list-requests',
  params: conditionParams,
  columns: {
    id: 'uuid',
    accountId: 'uuid?',
    apiKeyId: 'uuid?',
    apiKeyName: 'text?',
    mode: as<Mode | null>('text'),
    method: 'text?',
    route: 'text?',
    status: 'int4',
    code: 'text?',
    fields: 'text[]?',
    address: 'text?',
    latencyMs: 'int4?',
    messageId: 'uuid?',
    calls: 'int4',
    /** Null: its body is not kept. */
    bodyKeptUntil: 'timestamptz?',
  },
  text: (given: Conditions) => `
  select r.id, r.account_id as "accountId", r.api_key_id as "apiKeyId", k.name as "apiKeyName", r.mode, r.method,
    r.route, r.status, r.code, r.fields, r.address, r.latency_ms as "latencyMs", r.message_id as "messageId", r.calls,
    b.expires_at as "bodyKeptUntil"
  from (select * from request_log where ${whereOf(given)} order by id desc limit :limit) r
  left join api_keys k on k.id = r.api_key_id
  left join request_bodies b on b.request_id = r.id and b.expires_at > now()
  order by r.id desc`,
  examples,
});

/** How many there are, up to the limit. */
export const countRequests = family({
  name: 'count-requests',
  params: conditionParams,
  columns: { count: 'int4' },
  text: (given: Conditions) => `
  select count(*)::int as count from (
    select from request_log where ${whereOf(given)} order by id desc limit :limit) r`,
  examples,
});

/** The first request that made a message. A repeated send has the same message. */
export const findRequestOfMessage = statement({
  name: 'find-request-of-message',
  params: { apiKeyId: 'uuid', firstId: 'uuid', endId: 'uuid', messageId: 'uuid' },
  columns: { id: 'uuid' },
  text: `
  select id from request_log
  where api_key_id = :apiKeyId and id >= :firstId and id < :endId and message_id = :messageId
  order by id limit 1`,
});
