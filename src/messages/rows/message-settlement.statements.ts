import { logEndSql } from '../../database/history/database-timeline.js';
import { InputRows } from '../../database/statements/input-rows.js';
import { as } from '../../database/statements/sql-types.js';
import { statement, unindexed } from '../../database/statements/statement.js';
import { fallenColumns, fallenReturning, fallSql, insertFallbacksSql } from './fallback-rows.js';
import { concludedColumns } from './message-conclusions.statements.js';
import { logWith, statusBits, statusEntries } from './message-history.js';
import { endpointsToWake, insertStatusEventsSql, toldColumns } from './status-events.js';

const isHere = `
    m.id = i.id and m.id = any (:ids::uuid[]) and m.id between :firstId::uuid and :lastId::uuid
      and m.attempt = i.attempt`;

/*
 * One look at each row: the ids come sorted, and so does the index, so two groups lock in the same
 * order; unsorted, they deadlock. The lowest and the highest id leave out partitions when the plan is
 * executed; an array cannot.
 */

const sentTypes = {
  id: 'uuid',
  attempt: 'int4',
  platformMessageId: 'text',
  startedAt: 'timestamptz',
  durationMs: 'int4',
  httpStatus: 'int4',
} as const;

export const sentInput = new InputRows(sentTypes);

/** The usual outcome: the platform accepts the message while its row is `sending`. */
export const settleSentMessages = statement({
  name: 'settle-sent-messages',
  params: { ...sentInput.params, firstId: 'uuid?', lastId: 'uuid?' },
  columns: { ...concludedColumns, failure: as<null>('text'), logEnd: 'text' },
  text: `
  with input as (
    select * from ${sentInput.sql}
  ), changed as (
    update messages m set status = 'sent', entered = m.entered | ${statusBits.sent},
      platform_message_id = i.platform_message_id, error = null,
      sent_at = coalesce(m.sent_at, clock_timestamp()),
      attempt_started_at = i.started_at, attempt_ms = i.duration_ms,
      attempt_outcome = 'accepted', attempt_http_status = i.http_status
    from input i
    where ${isHere} and ${unindexed('m.status')} = 'sending'
    returning ${toldColumns}
  ), ${insertStatusEventsSql('changed')}
  select c.id, c.origin, c.status, null as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor", ${logEndSql} as "logEnd"
  from changed c`,
});

const fallen = fallenColumns(`i.is_step and i.becomes = 'failed'`);

const ownTry = `jsonb_build_array(jsonb_build_object('number', i.attempt, 'started_at', i.started_at,
  'duration_ms', i.duration_ms, 'outcome', i.outcome, 'http_status', i.http_status,
  'error_code', i.error_code, 'detail', i.detail))`;

export const resultInput = new InputRows({
  ...sentTypes,
  status: 'text',
  failure: 'line',
  retryInMs: 'int4',
  outcome: 'text',
  errorCode: 'int4',
  detail: 'text',
  isHeld: 'bool',
});

/** Any outcome of an attempt, in any state that its row has by now. */
export const settleMessages = statement({
  name: 'settle-messages',
  params: { ...resultInput.params, firstId: 'uuid?', lastId: 'uuid?' },
  columns: { ...concludedColumns, fallbackId: 'uuid?', logEnd: 'text' },
  text: `
  with input as (
    select t.id, t.attempt, t.status, t.platform_message_id, t.failure::jsonb as failure, t.retry_in_ms, t.started_at,
      t.duration_ms, t.outcome, t.http_status, t.error_code, t.detail, t.is_held
    from ${resultInput.sql}
  ), ${fallSql}, results as materialized (
    select i.*, n.becomes, n.becomes <> m.status as is_step,
      n.becomes <> 'queued' and m.attempt_started_at is null as is_last_try
    from input i join messages m on ${isHere} cross join lateral (
      -- As \`statusAfterAttempt\` says; a test compares.
      select case when m.status = 'sending' then i.status
        when m.status = 'unconfirmed' and i.status = 'queued' then 'failed'
        when m.status = 'unconfirmed' then i.status
        else m.status end as becomes
    ) n
    order by m.id for update of m
  ), changed as (
    update messages m set
      status = i.becomes,
      entered = m.entered | case when i.is_step and i.becomes = 'sent' then ${statusBits.sent} else 0 end,
      platform_message_id = coalesce(m.platform_message_id, i.platform_message_id),
      held = m.held or i.is_held,
      error = case when i.is_step then ${fallen.failure} else m.error end,
      fallback_message_id = ${fallen.fallbackMessageId},
      next_attempt_at = case when i.is_step and i.becomes = 'queued'
        then clock_timestamp() + make_interval(secs => i.retry_in_ms / 1000.0) else m.next_attempt_at end,
      sending_at = case when i.is_step and i.becomes = 'queued' then null else m.sending_at end,
      sent_at = case when i.platform_message_id is not null
        then coalesce(m.sent_at, clock_timestamp()) else m.sent_at end,
      failed_at = case when i.is_step and i.becomes = 'failed' then clock_timestamp() else m.failed_at end,
      attempt_started_at = case when i.is_last_try then i.started_at else m.attempt_started_at end,
      attempt_ms = case when i.is_last_try then i.duration_ms else m.attempt_ms end,
      attempt_outcome = case when i.is_last_try then i.outcome else m.attempt_outcome end,
      attempt_http_status = case when i.is_last_try then i.http_status else m.attempt_http_status end,
      attempt_error_code = case when i.is_last_try then i.error_code else m.attempt_error_code end,
      log = ${logWith(
        `case when not i.is_step or i.becomes = 'sent' then null
          when i.becomes = 'queued' then ${statusEntries(
            { status: `'sending'`, at: 'm.sending_at', source: 'worker' },
            { status: `'queued'`, at: 'clock_timestamp()', source: 'platform' },
          )}
          else ${statusEntries({ status: 'i.becomes', at: 'clock_timestamp()', source: 'platform' })} end`,
        `case when (i.becomes = 'queued' or i.detail is not null) and not coalesce(
          m.log @> jsonb_build_array(jsonb_build_object('number', i.attempt)), false)
          then ${ownTry} end`,
      )}
    from results i left join fall f on f.id = i.id
    where ${isHere}
    returning ${toldColumns}, ${fallenReturning}, i.is_step
  ), ${insertFallbacksSql('changed')}, steps as (
    select * from changed where is_step
  ), ${insertStatusEventsSql('steps')}
  select c.id, c.origin, c.status, c.error as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor", case when c.is_replaced then c.fallback_message_id end as "fallbackId",
    ${logEndSql} as "logEnd"
  from changed c`,
});
