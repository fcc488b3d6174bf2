import type { Mode } from '../../access/mode.js';
import { contactOf } from '../../contacts/contact-of-message.js';
import { formsOf } from '../../contacts/forms/number-forms.js';
import { isInPresentHistorySql } from '../../database/history/database-history.js';
import { rowsOfAccount } from '../../database/statements/order-of-account.js';
import { as, type ValuesOf } from '../../database/statements/sql-types.js';
import { family, type Row, statement, whereGiven } from '../../database/statements/statement.js';
import {
  isResent,
  isWithdrawn,
  type MessageFailure,
  type MessageType,
  type SentAs,
} from '../message.js';
import { historyColumns, historyTypes } from '../rows/message-history.js';
import type { MessageStatus } from '../rows/message-status.js';
import { allMessages, messagesIn } from './message-tables.statements.js';

/** Receipts are apart from the status, so that they touch no index. */
const shownStatus = 'coalesce(receipt, status)';

const failure = `case when status = 'failed' then error end`;

const recordColumns = {
  id: 'uuid',
  accountId: 'uuid',
  apiKeyId: 'uuid',
  mode: as<Mode>('text'),
  type: as<MessageType>('text'),
  status: as<MessageStatus>('text'),
  recipient: 'text?',
  toUserId: 'text?',
  /** Null where no contact is known. */
  contactId: 'uuid?',
  reference: 'text?',
  /** The message that this one was sent again for. */
  resentFrom: 'uuid?',
  /** Null where the request had no fallback. */
  sentAs: as<SentAs | null>('text'),
  /** The message that it took the place of. */
  fallbackFor: 'uuid?',
  /** The campaign that it was released by. */
  campaignId: 'uuid?',
  platformMessageId: 'text?',
  /** Whether the platform held it to assess its quality when it accepted it. */
  held: 'bool',
  /** As the platform sends it. */
  pricing: as<Readonly<Record<string, unknown>> | null>('jsonb'),
  failure: as<MessageFailure | null>('jsonb'),
  createdAt: 'timestamptz',
  /** When it was or is to be sent; null: at once. */
  sendAt: 'timestamptz?',
  /** When it was released; null while it is scheduled, and for what was sent at once. */
  queuedAt: 'timestamptz?',
  expiresAt: 'timestamptz?',
  sentAt: 'timestamptz?',
  deliveredAt: 'timestamptz?',
  readAt: 'timestamptz?',
  failedAt: 'timestamptz?',
} as const;

/** The columns of a record, of the rows `m`. */
const recordSql = `id, account_id as "accountId", api_key_id as "apiKeyId", mode, type, ${shownStatus} as status, recipient,
  to_user_id as "toUserId", ${contactOf('m')} as "contactId", reference, resent_from as "resentFrom", sent_as as "sentAs",
  fallback_for as "fallbackFor", campaign_id as "campaignId", platform_message_id as "platformMessageId",
  held, pricing, ${failure} as failure, created_at as "createdAt", send_at as "sendAt", queued_at as "queuedAt",
  expires_at as "expiresAt", sent_at as "sentAt", delivered_at as "deliveredAt", read_at as "readAt",
  failed_at as "failedAt"`;

/** A scheduled message is none of these yet. */
export const findOutcomes = statement({
  name: 'find-outcomes',
  params: { ids: 'uuid[]' },
  columns: {
    askedId: 'uuid',
    id: 'uuid',
    status: as<MessageStatus>('text'),
    failure: as<MessageFailure | null>('jsonb'),
    sentAs: as<SentAs | null>('text'),
    replaced: 'uuid?',
    platformMessageId: 'text?',
    isHeld: 'bool',
  },
  text: `
  select m.id as "askedId", s.id, coalesce(s.receipt, s.status) as status,
    case when s.status = 'failed' then s.error end as failure, s.sent_as as "sentAs",
    s.fallback_for as replaced, s.platform_message_id as "platformMessageId", s.held as "isHeld"
  from messages m join messages s on s.id = coalesce(m.fallback_message_id, m.id)
  where m.id = any (:ids::uuid[])
  union all
  select id, id, 'scheduled', null, sent_as, null, null, false from scheduled_messages
  where id = any (:ids::uuid[]) and not withdrawn`,
});

export const findProgress = statement({
  name: 'find-progress',
  params: { id: 'uuid' },
  columns: {
    status: as<MessageStatus>('text'),
    /** Since a worker has it; null where none has. */
    sendingForMs: 'float8?',
    /** Negative: no try may begin any more. Null: it has no end of its own. */
    expiresInMs: 'float8?',
  },
  text: `
  select ${shownStatus} as status,
    (extract(epoch from clock_timestamp() - sending_at) * 1000)::float8 as "sendingForMs",
    (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as "expiresInMs"
  from messages where id = :id`,
});

export const findMessage = statement({
  name: 'find-message',
  params: { id: 'uuid', accountId: 'uuid?', mode: 'text?' },
  columns: recordColumns,
  text: `
  select ${recordSql} from ${allMessages} m
  where id = :id and (:accountId::uuid is null or account_id = :accountId) and (:mode::text is null or mode = :mode)`,
});

/** A message as it is read. */
export type MessageRecord = Row<typeof findMessage>;

export const findHistory = statement({
  name: 'find-history-of-message',
  params: { id: 'uuid' },
  columns: { ...historyTypes, next_attempt_at: 'timestamptz?' },
  text: `
  select ${historyColumns}, case when status = 'queued' and error is not null then next_attempt_at end as next_attempt_at
  from messages where id = :id`,
});

export const findResent = statement({
  name: 'find-resent',
  params: { id: 'uuid' },
  columns: { id: 'uuid', status: as<MessageStatus>('text'), created_at: 'timestamptz' },
  text: `
  select m.id, ${shownStatus} as status, m.created_at from messages m where m.resent_from = :id and not ${isWithdrawn('m')}
  order by m.id desc limit 1`,
});

export const isOfPresentHistory = statement({
  name: 'is-message-of-present-history',
  params: { id: 'uuid' },
  columns: { isPresent: 'bool' },
  text: `select ${isInPresentHistorySql('created_at')} as "isPresent" from messages where id = :id`,
});

export const countWaiting = statement({
  name: 'count-waiting-messages',
  params: { accountId: 'uuid', mode: 'text', max: 'int8' },
  columns: { count: 'int4' },
  text: `
  select count(*)::int as count from (
    select from messages where status = 'queued' and account_id = :accountId and mode = :mode limit :max) m`,
});

export const findContents = statement({
  name: 'find-contents-of-messages',
  params: { ids: 'uuid[]' },
  columns: {
    id: 'uuid',
    /** The request body for the platform. */
    payload: as<Record<string, unknown>>('json'),
    /** The beginning of its text. */
    text: 'text',
  },
  text: `
  select id, case when address is null then payload
    else (payload::jsonb || jsonb_build_object('recipient', address))::json end as payload,
    left(coalesce(payload->'interactive'->'body'->>'text', payload->'text'->>'body',
      payload->(payload->>'type')->>'caption', payload->'template'->>'name', payload->'location'->>'name',
      payload->'reaction'->>'emoji', payload->'contacts'->0->'name'->>'formatted_name', ''), 160) as text
  from ${allMessages} m where id = any (:ids::uuid[])`,
});

export const findCampaignNames = statement({
  name: 'find-names-of-campaigns',
  params: { ids: 'uuid[]' },
  columns: { id: 'uuid', name: 'text' },
  text: 'select id, name from campaigns where id = any (:ids::uuid[])',
});

/** What contacts are called: by their name, or by the username that WhatsApp tells. */
export const findContactNames = statement({
  name: 'find-names-of-contacts',
  params: { ids: 'uuid[]' },
  columns: { id: 'uuid', name: 'text' },
  text: `
  select g.id, coalesce(k.name, '@' || ltrim(k.username, '@')) as name
  from contacts g join contacts k on k.id = coalesce(g.merged_into, g.id)
  where g.id = any (:ids::uuid[]) and coalesce(k.name, k.username) is not null`,
});

/** What a message says. */
export type MessageContent = Row<typeof findContents>;

const listParams = {
  accountId: 'uuid?',
  mode: 'text?',
  statuses: 'text[]?',
  /** WhatsApp's code, of failed messages. */
  errorCode: 'int4?',
  reference: 'text?',
  recipient: 'text?',
  toUserId: 'text?',
  apiKeyId: 'uuid?',
  type: 'text?',
  /** Whether it was sent again as another one. */
  isResent: 'bool?',
  createdAfter: 'timestamptz?',
  createdBefore: 'timestamptz?',
  firstId: 'uuid?',
  endId: 'uuid?',
  /** Messages older than this id, exclusive. */
  beforeId: 'uuid?',
  matchIds: 'uuid[]?',
  matchRecipients: 'text[]?',
  matchUserId: 'text?',
  matchStart: 'text?',
  limit: 'int8?',
} as const;

/** What a list is restricted by; what is absent does not restrict. */
export interface MessagePlace extends ValuesOf<typeof listParams> {
  readonly statuses?: readonly MessageStatus[] | undefined;
}

/** Statuses that receipts do not hide, and that have indexes. */
const indexedStatuses: readonly MessageStatus[] = [
  'scheduled',
  'queued',
  'sending',
  'unconfirmed',
  'failed',
];

/** How many messages one page looks through for what has no index; the next page goes on from there. */
const searchedMax = 10_000;

/** Where a list looks, which indexes answer, in which order, and for what there, which needs a look at each message. */
function whereOf(place: MessagePlace): { table: string; newest: string; search: string | null } {
  const { statuses } = place;
  const isIndexed = statuses?.every((status) => indexedStatuses.includes(status)) ?? false;
  const mode = 'mode = :mode';
  const isByMode = place.recipient != null;
  const isFound = [place.recipient, place.toUserId, place.reference, place.matchIds].some(
    (value) => value != null,
  );
  const isOfFailed = place.accountId != null && statuses?.join() === 'failed' && !isFound;
  const ofAccount = isOfFailed
    ? rowsOfAccount
    : { where: 'account_id = :accountId', newest: 'id desc' };
  const owner = { accountId: ofAccount.where, ...(isByMode && { mode }) };
  const known = { where: `${whereGiven(place, owner)} and` };
  const placed = whereGiven(place, {
    ...owner,
    ...(isIndexed && { statuses: 'status = any (:statuses::text[])' }),
    errorCode: `status = 'failed'`,
    matchIds: 'id = any (:matchIds::uuid[])',
    reference: 'reference = :reference',
    recipient: `recipient = any (${formsOf(known, ':recipient::text')})`,
    toUserId: 'to_user_id = :toUserId',
    createdAfter: 'created_at >= :createdAfter',
    createdBefore: 'created_at < :createdBefore',
    firstId: 'id >= :firstId',
    endId: 'id < :endId',
    beforeId: 'id < :beforeId',
  });
  const search = whereGiven(place, {
    ...(!isByMode && { mode }),
    apiKeyId: 'api_key_id = :apiKeyId',
    type: 'type = :type',
    isResent: `${isResent('m')} = :isResent`,
    ...(!isIndexed && { statuses: `${shownStatus} = any (:statuses::text[])` }),
    errorCode: `error->'platformCode' = to_jsonb(:errorCode::int)`,
    matchStart: `recipient = any (:matchRecipients::text[]) or to_user_id = :matchUserId
      or starts_with(reference, :matchStart)`,
  });
  const table = `${messagesIn(statuses)} m where ${placed}`;
  return { table, newest: ofAccount.newest, search: search === 'true' ? null : search };
}

const examples: MessagePlace[] = [
  {},
  {
    accountId: '',
    mode: 'live',
    statuses: ['failed'],
    errorCode: 1,
    reference: '',
    recipient: '',
    toUserId: '',
    apiKeyId: '',
    type: '',
    isResent: true,
    createdAfter: '',
    createdBefore: '',
    firstId: '',
    endId: '',
    beforeId: '',
    matchIds: [],
    matchStart: '',
  },
  { accountId: '', statuses: ['failed'] },
  { mode: 'live', statuses: ['sent', 'scheduled'] },
  { statuses: ['scheduled'] },
];

/** Newest first. */
export const listMessages = family({
  name: 'list-messages',
  params: listParams,
  columns: recordColumns,
  text: (place: MessagePlace) => {
    const { table, newest, search } = whereOf(place);
    return search === null
      ? `select ${recordSql} from (select * from ${table}) m order by ${newest} limit :limit`
      : `select ${recordSql} from (select * from ${table} order by ${newest} limit ${searchedMax}) m
         where ${search} order by id desc limit :limit`;
  },
  examples,
});

/** The oldest of the messages that one page of a search looks through. */
export const findHorizonOfMessages = family({
  name: 'find-horizon-of-messages',
  params: listParams,
  columns: { id: 'uuid' },
  text: (place: MessagePlace) => {
    const { table, newest } = whereOf(place);
    return `select id from ${table} order by ${newest} offset ${searchedMax - 1} limit 1`;
  },
  examples,
});

export const countMessages = family({
  name: 'count-messages',
  params: listParams,
  columns: { count: 'int4', isCut: 'bool' },
  text: (place: MessagePlace) => {
    const { table, newest, search } = whereOf(place);
    return search === null
      ? `select count(*)::int as count, false as "isCut"
         from (select from ${table} order by ${newest} limit :limit) m`
      : `select count(*) filter (where ${search})::int as count, count(*) = ${searchedMax} as "isCut"
         from (select * from ${table} order by ${newest} limit ${searchedMax}) m`;
  },
  examples,
});

/** Whether a list with this place is a search. */
export const isSearch = (place: MessagePlace): boolean => whereOf(place).search !== null;
