import { statement } from '../../database/statements/statement.js';
import { queuedNumbersSql, untriedMaxSeconds } from './message-claims.statements.js';
import { concludedColumns, concludedSql } from './message-conclusions.statements.js';
import { logWith, statusEntries } from './message-history.js';
import { moveScheduledSql } from './scheduled-rows.statements.js';
import { insertStatusEventsSql, toldColumns } from './status-events.js';

/**
 * Leases that are over. The worker is gone or has lost the store; the platform may have the
 * message. It is never sent again; a late result or the platform's webhook settles it.
 */
export const endLeases = statement({
  name: 'end-leases',
  params: { limit: 'int8' },
  columns: concludedColumns,
  text: `
  with over as (
    select id from messages where status = 'sending' and lease_until < now()
    order by lease_until limit :limit for update skip locked
  ), changed as (
    update messages m set status = 'unconfirmed', log = ${logWith(
      statusEntries({ status: `'unconfirmed'`, at: 'clock_timestamp()', source: 'recovery' }),
    )}
    from over where m.id = over.id and m.id = any (array(select id from over))
    returning ${toldColumns}, 'sending' as before
  ), ${insertStatusEventsSql('changed')} ${concludedSql('null::jsonb')}`,
});

/**
 * Fails messages that no try may start for any more. A refused message keeps the
 * platform's last answer.
 * @param which where the rows `m` are from; they are queued.
 */
export const expireSql = (source: 'api' | 'recovery', which: string) => `
  changed as (
    update messages m set status = 'failed', failed_at = clock_timestamp(),
      error = coalesce(m.error, :failure::jsonb), log = ${logWith(
        statusEntries({ status: `'failed'`, at: 'clock_timestamp()', source }),
      )}
    ${which}
    returning ${toldColumns}, 'queued' as before
  ), ${insertStatusEventsSql('changed')} ${concludedSql('c.error')}`;

/**
 * Rows that no try may start for any more; a refused one keeps the platform's last answer. A first try
 * is due from the row's creation on, and a further one may start until `give_up_at`, which is no later
 * than the last moment for a first. First tries are found by number, further ones by their end, and so is
 * what has an end of its own.
 */
export const expireMessages = statement({
  name: 'expire-messages',
  params: { limit: 'int8', failure: 'jsonb' },
  columns: concludedColumns,
  text: `
  with recursive queued as (${queuedNumbersSql}), untried as (
    select m.id from queued q cross join (values (true), (false)) w (waiting) cross join lateral (
      select id from messages
      where status = 'queued' and account_id = q.account_id and mode = q.mode
        and waiting = w.waiting and attempt = 0 and expires_at is null
        and next_attempt_at <= now() - interval '${untriedMaxSeconds} seconds'
      order by next_attempt_at limit :limit for update skip locked
    ) m limit :limit
  ), retried as (
    select id from messages
    where status = 'queued' and attempt > 0 and give_up_at <= now()
    order by give_up_at limit :limit - (select count(*) from untried) for update skip locked
  ), expired as (
    select id from messages
    where status = 'queued' and expires_at is not null and expires_at <= now()
      and id <> all (array(select id from untried union all select id from retried))
    order by expires_at limit :limit - (select count(*) from untried) - (select count(*) from retried)
    for update skip locked
  ), over as (
    select id from untried union all select id from retried union all select id from expired
  ), ${expireSql('recovery', 'from over where m.id = over.id and m.id = any (array(select id from over))')}`,
});

/** Expressions that make rows unconfirmed. @param over a query for them, locked. @param from their status. */
const unconfirmSql = (over: string, from: 'queued' | 'sending') => `
  over as (${over}), changed as (
    update messages m set status = 'unconfirmed', ${from === 'queued' ? 'attempt = m.attempt + 1,' : ''} log = ${logWith(
      statusEntries({ status: `'unconfirmed'`, at: 'clock_timestamp()', source: 'recovery' }),
    )}
    from over where m.id = over.id and m.id = any (array(select id from over)) and m.status = '${from}'
    returning ${toldColumns}, '${from}' as before
  ), ${insertStatusEventsSql('changed')}`;

/** What is queued since `before`, `limit` rows of it. @param condition more that it has to fulfil. */
const queuedBeforeSql = (condition = '') => `
    select m.id from queued q cross join (values (true), (false)) w (waiting) cross join lateral (
      select id from messages
      where status = 'queued' and account_id = q.account_id and mode = q.mode
        and waiting = w.waiting and created_at < :before::timestamptz ${condition}
      order by next_attempt_at limit :limit for update
    ) m limit :limit`;

/**
 * What may have been sent by a claim that the database has forgotten: rows that were due when its history went back.
 * They count as tried once more, so that a worker that still has the try's result can write it.
 */
export const endForgotten = statement({
  name: 'end-forgotten',
  params: { limit: 'int8', before: 'timestamptz' },
  columns: concludedColumns,
  text: `
  with recursive queued as (${queuedNumbersSql}),
  ${unconfirmSql(queuedBeforeSql('and next_attempt_at <= :before::timestamptz'), 'queued')} ${concludedSql('null::jsonb')}`,
});

/** Scheduled messages, `limit` of them, whose time had come by `before`. */
const dueBeforeSql = `
    select id, 'unconfirmed' as status, null::jsonb as error, false as is_replaced
    from scheduled_messages
    where send_at <= :before::timestamptz and created_at < :before::timestamptz and not withdrawn
    order by id limit :limit for update`;

/** The same for what may have been released and sent. */
export const endForgottenScheduled = statement({
  name: 'end-forgotten-scheduled',
  params: { limit: 'int8', before: 'timestamptz' },
  columns: concludedColumns,
  text: `with ${moveScheduledSql(dueBeforeSql, 'recovery')}`,
});

const countedSql = `
  select c.account_id as "accountId", count(*)::int as count from changed c group by 1`;

/** What is scheduled in a copy and may have been sent since. */
export const holdScheduled = statement({
  name: 'hold-scheduled',
  params: { limit: 'int8', before: 'timestamptz' },
  columns: { accountId: 'uuid', count: 'int4' },
  text: `with ${moveScheduledSql(dueBeforeSql, 'recovery', countedSql)}`,
});

export const holdQueued = statement({
  name: 'hold-queued',
  params: { limit: 'int8', before: 'timestamptz' },
  columns: { accountId: 'uuid', count: 'int4' },
  text: `with recursive queued as (${queuedNumbersSql}), ${unconfirmSql(queuedBeforeSql(), 'queued')} ${countedSql}`,
});

export const holdSending = statement({
  name: 'hold-sending',
  params: { limit: 'int8', before: 'timestamptz' },
  columns: { accountId: 'uuid', count: 'int4' },
  text: `with ${unconfirmSql(
    `
    select id from messages where status = 'sending' and created_at < :before::timestamptz
    order by lease_until limit :limit for update`,
    'sending',
  )} ${countedSql}`,
});
