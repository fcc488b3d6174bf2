import type { Mode } from '../../access/mode.js';
import { reportedProbeBit } from '../../accounts/number-hold.js';
import { InputRows } from '../../database/statements/input-rows.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';
import { fallenColumns, fallenReturning, fallSql, insertFallbacksSql } from './fallback-rows.js';
import { concludedColumns } from './message-conclusions.statements.js';
import { statusBits as bits, logWith, statusEntries } from './message-history.js';
import {
  endpointsToWake,
  insertStatusEventsSql,
  toldColumns,
  toldColumnsWith,
} from './status-events.js';

/**
 * Which statuses of the set `i.reported` the row enters: those that it has not entered yet, in whatever order they come;
 * `failed` only without a proof of delivery, and once.
 */
const entered = (row: string) => `
  i.reported & ~${row}.entered::int & case
    when ${row}.status = 'cancelled' then 0
    when ${row}.status = 'failed' or ${row}.receipt is not null then ${bits.sent | bits.delivered | bits.read}
    else ${bits.sent | bits.delivered | bits.read | bits.failed} end`;

/** Whether the report says that the platform sent the probe of a number on hold, and is the first that does. */
const isProbeSent = (row: string) =>
  `(i.is_probe and i.reported < ${bits.failed} and ${row}.entered & ${reportedProbeBit} = 0)`;

const isEntered = (bit: number) => `(${entered('m')}) & ${bit} <> 0`;

/** A time of the platform, which has whole seconds and a clock of its own. */
const clipped = (at: string, ...notBefore: string[]) => `
  least(greatest(coalesce(${at}, clock_timestamp()), ${notBefore.join(', ')}), clock_timestamp())`;

/** No reported event happened before this. */
const began = ['m.sending_at', 'm.created_at'];

/** The platform's own time for a message that it reports as sent, delivered or read. */
const reportedAt = 'coalesce(i.sent_at, i.delivered_at, i.read_at)';
const sentAt = clipped(reportedAt, ...began);
const fallen = fallenColumns(isEntered(bits.failed));
const failedAt = clipped('i.failed_at', 'm.sent_at', ...began);

/*
 * The account is compared in a way that no index serves: a plan made while the table was empty would
 * read all messages of the account instead of one by its id.
 */
const isHere = `m.id = i.id and m.id = any (:ids::uuid[]) and m.id between :firstId::uuid and :lastId::uuid
      and m.account_id is not distinct from i.account_id and (i.mode is null or m.mode = i.mode)`;

const { failure: _, ...withoutFailure } = concludedColumns;

export const reportInput = new InputRows({
  id: 'uuid',
  accountId: 'uuid',
  version: 'int8',
  mode: 'text',
  platformMessageId: 'text',
  reported: 'int4',
  sentMs: 'float8',
  deliveredMs: 'float8',
  readMs: 'float8',
  failedMs: 'float8',
  failure: 'line',
  pricing: 'line',
  priced: 'int4',
});

/*
 * One row for each message, sorted, so that two groups lock in the same order: unsorted, they
 * deadlock. The lowest and the highest id leave out partitions when the plan is executed; an array
 * cannot. A report that enters no status may still bring a price or our message's platform id; one
 * that brings nothing writes nothing.
 */
export const reportStatuses = statement({
  name: 'report-statuses',
  params: { ...reportInput.params, firstId: 'uuid?', lastId: 'uuid?' },
  columns: {
    ...withoutFailure,
    fallbackId: 'uuid?',
    isFound: 'bool',
    /** The number that we wrote to, and its mode; null where nothing has changed. */
    recipient: 'text?',
    mode: as<Mode | null>('text'),
  },
  text: `
  with input as materialized (
    select t.id, t.account_id, t.mode, t.platform_message_id, t.reported,
      to_timestamp(t.sent_ms / 1000) as sent_at, to_timestamp(t.delivered_ms / 1000) as delivered_at,
      to_timestamp(t.read_ms / 1000) as read_at, to_timestamp(t.failed_ms / 1000) as failed_at,
      t.failure::jsonb as failure, t.pricing::jsonb as pricing, t.priced, a.id is not null as is_routed,
      a.hold_probe_id is not distinct from t.id as is_probe
    from (select set_config('lock_timeout', '1s', true)) as patience cross join ${reportInput.sql}
    left join accounts a
      on a.id = t.account_id and (t.version is null or a.version = t.version)
  ), ${fallSql}, changed as (
    update messages m set
      status = case when ${isEntered(bits.failed)} then 'failed'
        when m.status = 'failed' and not ${isEntered(bits.delivered | bits.read)} then m.status
        when (${entered('m')}) <> 0 then 'sent' else m.status end,
      receipt = case when ${isEntered(bits.read)} then 'read'
        when ${isEntered(bits.delivered)} then coalesce(m.receipt, 'delivered') else m.receipt end,
      entered = m.entered | (${entered('m')} & ${bits.sent | bits.delivered | bits.read})
        | case when ${isProbeSent('m')} then ${reportedProbeBit} else 0 end,
      log = case when ${isEntered(bits.sent | bits.failed)} then ${logWith(
        statusEntries({
          status: `case when i.reported = ${bits.failed} then 'failed' else 'sent' end`,
          at: `case when i.reported = ${bits.failed} then ${failedAt} else ${sentAt} end`,
          source: 'webhook',
        }),
      )} else m.log end,
      platform_message_id = coalesce(m.platform_message_id, i.platform_message_id),
      error = case when ${isEntered(bits.failed)} then ${fallen.failure} else m.error end,
      fallback_message_id = ${fallen.fallbackMessageId},
      pricing = case when m.pricing is null or i.priced >= m.entered::int & ${bits.delivered | bits.read}
        then coalesce(i.pricing, m.pricing) else m.pricing end,
      sent_at = case when ${isEntered(bits.sent)} then least(m.sent_at, ${sentAt})
        when i.reported < ${bits.failed} then coalesce(m.sent_at, ${sentAt}) else m.sent_at end,
      delivered_at = case when i.reported & ${bits.delivered} <> 0
        then coalesce(m.delivered_at, ${clipped('i.delivered_at', 'm.sent_at', reportedAt, ...began)})
        else m.delivered_at end,
      read_at = case when i.reported & ${bits.read} <> 0
        then coalesce(m.read_at, ${clipped('i.read_at', 'm.delivered_at', 'i.delivered_at', 'm.sent_at', reportedAt, ...began)})
        else m.read_at end,
      failed_at = case when ${isEntered(bits.failed)}
        then ${failedAt} else m.failed_at end
    from input i left join fall f on f.id = i.id
    where ${isHere} and i.is_routed
      and ((${entered('m')}) <> 0 or m.platform_message_id is null or ${isProbeSent('m')}
        or (m.pricing is null and i.pricing is not null)
        or (m.sent_at is null and i.reported < ${bits.failed}))
    returning ${toldColumns}, ${fallenReturning}, old.status as before, ${entered('old')} as steps,
      i.sent_at as reported_sent, i.delivered_at as reported_delivered, i.read_at as reported_read,
      i.failed_at as reported_failed
  ), ${insertFallbacksSql('changed')}, steps as (
    select ${toldColumnsWith('s.status')},
      case s.bit when ${bits.sent} then m.reported_sent when ${bits.delivered} then m.reported_delivered
        when ${bits.read} then m.reported_read else m.reported_failed end as occurred_at
    from changed m join (values ${Object.entries(bits)
      .map(([status, bit]) => `(${bit}, '${status}')`)
      .join(', ')}) as s (bit, status)
      on m.steps & s.bit <> 0
  ), ${insertStatusEventsSql('steps', 'c.occurred_at')}
  select i.id, c.status, c.recipient, c.mode, ${endpointsToWake} as "endpointsToWake",
    case when c.before in ('queued', 'sending', 'unconfirmed') and c.steps <> 0 then c.origin end
      as origin,
    c.fallback_for as "fallbackFor", case when c.is_replaced then c.fallback_message_id end as "fallbackId",
    c.id is not null or (i.is_routed and exists (select from messages m where ${isHere})) as "isFound"
  from input i left join changed c on c.id = i.id`,
});

/* As above; and the offset keeps the plan from walking all ids in their order. */
const isOfAccount = `m.account_id is not distinct from t.account_id
       and (t.mode is null or m.mode = t.mode)`;

export const namedInput = new InputRows({
  accountId: 'uuid',
  mode: 'text',
  messageId: 'uuid',
  platformMessageId: 'text',
});

/* A message is known for certain by our own id, and by the platform's where the send carried none. */
export const nameReports = statement({
  name: 'name-reports',
  params: namedInput.params,
  columns: { id: 'uuid?', mode: as<Mode | null>('text'), callback_data: 'text?' },
  text: `
  select coalesce(own.id, other.id) as id, coalesce(own.mode, other.mode) as mode,
    coalesce(own.callback_data, other.callback_data) as callback_data
  from unnest(${namedInput.arrays}) with ordinality as t (${namedInput.columns}, position)
  left join lateral (
    select m.id, m.mode, m.callback_data from messages m where m.id = t.message_id and ${isOfAccount}
  ) own on true
  left join lateral (
    select m.id, m.mode, m.callback_data
    from (select * from messages p where p.platform_message_id = t.platform_message_id offset 0) m
    where own.id is null and ${isOfAccount} order by m.id limit 1
  ) other on true
  order by t.position`,
});

export const findRecipientsOfReports = statement({
  name: 'recipients-of-reports',
  params: { ids: 'uuid[]' },
  columns: { id: 'uuid', recipient: 'text', mode: as<Mode>('text') },
  text: `
  select m.id, m.recipient, m.mode from unnest(:ids::uuid[]) as t (id)
  join messages m on m.id = t.id where m.id = any (:ids::uuid[]) and m.recipient is not null`,
});
