import type { Mode } from '../access/mode.js';
import { formsOf } from '../contacts/forms/number-forms.js';
import { rowsOfAccount } from '../database/statements/order-of-account.js';
import { as, type ValuesOf } from '../database/statements/sql-types.js';
import { family, type Row, statement } from '../database/statements/statement.js';
import type { WebhookEvent } from '../events/event-types.js';
import type { DeliveryAttemptDto, DeliveryDto } from './deliveries.dto.js';
import { wholeLog } from './redelivery.statements.js';

/** An attempt as the log of a row keeps it. */
type LoggedAttempt = Omit<DeliveryAttemptDto, 'at'> & { readonly at: string };

const sharedColumns = `d.id, d.event_id, d.endpoint_id, d.account_id, d.mode, d.type, d.message_id,
  d.body, d.error, d.created_at`;

const tables = { open: 'open_events', done: 'done_events' };

const placeParams = {
  accountId: 'uuid?',
  endpointIds: 'uuid[]?',
  messageId: 'uuid?',
  /** The id of a delivery, of its event, or of its message. */
  id: 'uuid?',
  /** Deliveries of the event with this id are between these. */
  eventFirstId: 'uuid?',
  eventEndId: 'uuid?',
  messageIds: 'uuid[]?',
  endpointId: 'uuid?',
  from: 'timestamptz?',
  firstId: 'uuid?',
  to: 'timestamptz?',
  endId: 'uuid?',
  beforeId: 'uuid?',
} as const;

/** Which deliveries a list is about, and from where on. */
export type DeliveriesPlace = ValuesOf<typeof placeParams>;

/** Which deliveries an account has. */
const ofAccount = '(:accountId::uuid is null or d.account_id = :accountId)';

/** Indexes answer this, of deliveries of one account or of all. */
const placeSql = `(:endpointIds::uuid[] is null or d.endpoint_id = any (:endpointIds))
  and (:messageId::uuid is null or d.message_id = :messageId)
  and (:id::uuid is null or d.id = :id or d.message_id = :id
    or (d.event_id = :id and d.id >= :eventFirstId and d.id < :eventEndId))
  and (:messageIds::uuid[] is null or d.message_id = any (:messageIds))
  and (:endpointId::uuid is null or d.endpoint_id = :endpointId)
  and (:from::timestamptz is null or (d.created_at >= :from and d.id >= :firstId))
  and (:to::timestamptz is null or (d.created_at < :to and d.id < :endId))
  and (:beforeId::uuid is null or d.id < :beforeId)`;

/** Which members of a body name a user by number: in Parley's form, and in WhatsApp's. */
const userMembers = 'from|to|phone|recipient_id';

/** Where deliveries are: on their way, or finished. */
const parts = {
  open: `select ${sharedColumns}, d.due_at as next_attempt_at, null::timestamptz as finished_at, d.log,
    case when d.attempts > d.attempts_before then 'retrying' else 'pending' end as status
    from open_events d`,
  done: `select ${sharedColumns}, null::timestamptz as next_attempt_at, d.finished_at,
    ${wholeLog} as log, d.status
    from done_events d`,
};

/** How many deliveries one page looks through for what has no index; the next page goes on from there. */
const searchedMax = 10_000;

/** `waiting`: whatever is on its way. */
type Status = DeliveryDto['status'] | 'waiting' | undefined;

/** What the text of a list depends on. */
export interface DeliveriesKind {
  readonly status?: Status;
  readonly accountId?: string | null | undefined;
}

/** Whose deliveries are looked for, and their order. */
const ownersOf = ({ status, accountId }: DeliveriesKind) =>
  accountId != null && status === 'failed'
    ? rowsOfAccount
    : { where: ofAccount, newest: 'id desc' };

/** Which parts can hold a status. */
const partsOf = (status: Status): (keyof typeof parts)[] => {
  if (status === undefined) return ['open', 'done'];
  return status === 'succeeded' || status === 'failed' ? ['done'] : ['open'];
};

const kindExamples: DeliveriesKind[] = [
  {},
  { status: 'succeeded' },
  { status: 'pending' },
  { status: 'waiting' },
  { status: 'failed', accountId: '' },
];

const columns = {
  id: 'uuid',
  event_id: 'uuid',
  account_id: 'uuid',
  endpoint_id: 'uuid',
  endpoint_name: 'text?',
  api_key_id: 'uuid',
  api_key_name: 'text?',
  url: 'text?',
  mode: as<Mode>('text'),
  type: as<WebhookEvent>('text'),
  message_id: 'uuid?',
  status: as<DeliveryDto['status']>('text'),
  next_attempt_at: 'timestamptz?',
  error: 'text?',
  created_at: 'timestamptz',
  finished_at: 'timestamptz?',
  body: 'text',
  log: as<readonly LoggedAttempt[] | null>('jsonb'),
} as const;

/**
 * The newest deliveries that meet a condition on `d`, of both parts in one statement.
 * @param limit the parameter that bounds them.
 */
const newestSql = (condition: string, limit: string, kind?: DeliveriesKind) => `
  select f.id, f.event_id, f.account_id, f.endpoint_id, e.name as endpoint_name,
    coalesce(e.api_key_id, f.endpoint_id) as api_key_id, k.name as api_key_name, e.url, f.mode, f.type,
    f.message_id, f.status, f.next_attempt_at, f.error, f.created_at, f.finished_at, f.body, f.log
  from (${partsOf(kind?.status)
    .map(
      (part) => `(select * from (${parts[part]}) d where ${condition}
       order by ${ownersOf(kind ?? {}).newest} limit ${limit})`,
    )
    .join(' union all ')}) f
  left join webhook_endpoints e on e.id = f.endpoint_id left join api_keys k on k.id = e.api_key_id
  order by f.id desc limit ${limit}`;

/** Every form of the number that is sought. */
const numberForms = formsOf(
  { where: '(:accountId::uuid is null or known.account_id = :accountId) and' },
  ':phone::text',
);

/** Whether a body is about one of the numbers. Plain text is compared first: a regular expression costs ten times as much. */
const isAbout = (numbers: string) => `d.body like any (array(
        select '%' || substr(number, 2) || '"%' from unnest(${numbers}) number))
      and d.body ~ (
        select '"(${userMembers})" ?: ?"[+]?(' || string_agg(substr(number, 2), '|') || ')"'
        from unnest(${numbers}) number)`;

/** Whether a body is about one of the user ids, whose dots are escaped: `[.]`. */
const isAboutIds = `body ~ ('"(from_|to_|recipient_)?user_id" ?: ?"(' || array_to_string(:userIds::text[], '|') || ')"')`;

const wantedParams = {
  ...placeParams,
  horizon: 'uuid?',
  status: 'text?',
  type: 'text?',
  phone: 'text?',
  users: 'text[]?',
  userIds: 'text[]?',
  messagesOfText: 'uuid[]?',
  limit: 'int8',
  mode: 'text?',
} as const;

const statusSql = ({ status }: DeliveriesKind) =>
  status === 'waiting'
    ? ":status::text = 'waiting'"
    : '(:status::text is null or d.status = :status)';

const wantedSql = (kind: DeliveriesKind) => `${ownersOf(kind).where} and ${placeSql}
      and (:horizon::uuid is null or d.id >= :horizon)
      and ${statusSql(kind)}
      and (:type::text is null or d.type = :type) and (:mode::text is null or d.mode = :mode)
      and (:phone::text is null or (${isAbout(numberForms)}))
      and (:users::text[] is null or d.message_id = any (:messagesOfText::uuid[])
        or ${isAbout(':users::text[]')} or ${isAboutIds})`;

export const listDeliveries = family({
  name: 'list-deliveries',
  params: wantedParams,
  columns,
  text: (kind: DeliveriesKind) => newestSql(wantedSql(kind), ':limit', kind),
  examples: kindExamples,
});

export const countDeliveries = family({
  name: 'count-deliveries',
  params: wantedParams,
  columns: { count: 'int4' },
  text: (kind: DeliveriesKind) => `
  select count(*)::int as count from (${partsOf(kind.status)
    .map((part) => {
      const owners = ownersOf(kind);
      // No order is needed to count, but `rowsOfAccount` finds its index by it.
      const order = owners === rowsOfAccount ? `order by ${owners.newest}` : '';
      return `(select d.id from (${parts[part]}) d where ${wantedSql(kind)} ${order} limit :limit)`;
    })
    .join(' union all ')}) found`,
  examples: kindExamples,
});

/** The oldest of the deliveries that one page of a search looks through. */
export const findHorizon = family({
  name: 'find-horizon-of-deliveries',
  params: placeParams,
  columns: { id: 'uuid' },
  text: ({ status }: DeliveriesKind) => {
    const ends = partsOf(status).map(
      (part) => `(select d.id from ${tables[part]} d where ${ofAccount} and ${placeSql}
       order by d.id desc offset ${searchedMax - 1} limit 1)`,
    );
    return `select id from (${ends.join(' union all ')}) ends order by id desc limit 1`;
  },
  examples: kindExamples,
});

/* Compared as text: a user may write what PostgreSQL does not take for JSON, such as NUL. */
export const listDeliveriesOfUser = statement({
  name: 'list-deliveries-of-user',
  params: {
    accountId: 'uuid?',
    phone: 'text',
    searched: 'int8',
    limit: 'int8',
    userIds: 'text[]',
  },
  columns,
  text: `
  select * from (${newestSql(ofAccount, ':searched')}) newest
  where body ~ ('"(${userMembers})" ?: ?"[+]?' || substr(:phone, 2) || '"')
    or ${isAboutIds}
  order by id desc limit :limit`,
});

export const findDelivery = statement({
  name: 'find-delivery',
  params: { id: 'uuid', accountId: 'uuid?' },
  columns,
  text: newestSql(`d.id = :id and ${ofAccount}`, '1'),
});

export type DeliveryRow = Row<typeof findDelivery>;

export const listOtherEndpointsOfKey = statement({
  name: 'list-other-endpoints-of-key',
  params: { apiKeyId: 'uuid' },
  columns: { id: 'uuid' },
  text: 'select id from webhook_endpoints where api_key_id = :apiKeyId and id <> :apiKeyId',
});
