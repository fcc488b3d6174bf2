import { statement } from '../../database/statements/statement.js';
import { queuedNumbersSql, untriedMaxSeconds } from './message-claims.statements.js';
import { concludedColumns, enterStatusSql } from './message-conclusions.statements.js';
import { moveScheduledSql } from './scheduled-rows.statements.js';

/** The rows `m` of the expression `over` (id). */
const isOver = 'from over where m.id = over.id and m.id = any (array(select id from over))';

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
  ), ${enterStatusSql({ status: 'unconfirmed', source: 'recovery', where: isOver })}`,
});

/**
 * Fails messages that no try may start for any more. A refused message keeps the
 * platform's last answer.
 * @param where the rows `m`, which are queued; see `enterStatusSql`.
 */
export const expireSql = (source: 'api' | 'recovery', where: string) =>
  enterStatusSql({
    status: 'failed',
    source,
    failure: 'coalesce(m.error, :failure::jsonb)',
    where,
  });

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
  ), ${expireSql('recovery', isOver)}`,
});

/** The end of a statement that makes rows unconfirmed. @param over a query for them, locked. @param from their status. */
const unconfirmSql = (over: string, from: 'queued' | 'sending', answer?: string) => `
  over as (${over}), ${enterStatusSql(
    {
      status: 'unconfirmed',
      source: 'recovery',
      ...(from === 'queued' && { set: 'attempt = m.attempt + 1' }),
      where: `${isOver} and m.status = '${from}'`,
    },
    answer,
  )}`;

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
  ${unconfirmSql(queuedBeforeSql('and next_attempt_at <= :before::timestamptz'), 'queued')}`,
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
  text: `with recursive queued as (${queuedNumbersSql}), ${unconfirmSql(queuedBeforeSql(), 'queued', countedSql)}`,
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
    countedSql,
  )}`,
});
