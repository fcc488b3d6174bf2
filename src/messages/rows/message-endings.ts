import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { HotStatements } from '../../database/hot-statements.js';
import type { MessageFailure } from '../message.js';
import { queuedNumbersSql, untriedMaxSeconds } from './claim-statements.js';
import type { ConcludedMessage } from './message-conclusions.js';
import { logWith, statusEntries } from './message-history.js';
import { moveScheduledSql } from './scheduled-rows.js';
import { endpointsToWake, insertStatusEventsSql, toldColumns } from './status-events.js';

/**
 * Leases that are over. The worker is gone or has lost the store; the platform may have the
 * message. It is never sent again; a late result or the platform's webhook settles it.
 */
export const endLeasesStatement = {
  name: 'end-leases',
  text: `
  with over as (
    select id from messages where status = 'sending' and lease_until < now()
    order by lease_until limit $1 for update skip locked
  ), changed as (
    update messages m set status = 'unconfirmed', log = ${logWith(
      statusEntries({ status: `'unconfirmed'`, at: 'clock_timestamp()', source: 'recovery' }),
    )}
    from over where m.id = over.id and m.id = any (array(select id from over))
    returning ${toldColumns}, 'sending' as before
  ), ${insertStatusEventsSql('changed')}
  select c.id, c.origin, c.status, null::jsonb as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor"
  from changed c`,
};

/**
 * Fails messages that no try may start for any more. The second parameter is the failure; a refused message keeps the
 * platform's last answer.
 * @param which where the rows `m` are from; they are queued.
 */
export const expireSql = (source: 'api' | 'recovery', which: string) => `
  changed as (
    update messages m set status = 'failed', failed_at = clock_timestamp(),
      error = coalesce(m.error, $2::jsonb), log = ${logWith(
        statusEntries({ status: `'failed'`, at: 'clock_timestamp()', source }),
      )}
    ${which}
    returning ${toldColumns}, 'queued' as before
  ), ${insertStatusEventsSql('changed')}
  select c.id, c.origin, c.status, c.error as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor"
  from changed c`;

/**
 * Rows that no try may start for any more; a refused one keeps the platform's last answer. A first try
 * is due from the row's creation on, and a further one may start until `give_up_at`, which is no later
 * than the last moment for a first. First tries are found by number, further ones by their end, and so is
 * what has an end of its own.
 */
export const expireStatement = {
  name: 'expire-messages',
  text: `
  with recursive queued as (${queuedNumbersSql}), untried as (
    select m.id from queued q cross join (values (true), (false)) w (waiting) cross join lateral (
      select id from messages
      where status = 'queued' and account_id = q.account_id and mode = q.mode
        and waiting = w.waiting and attempt = 0 and expires_at is null
        and next_attempt_at <= now() - interval '${untriedMaxSeconds} seconds'
      order by next_attempt_at limit $1 for update skip locked
    ) m limit $1
  ), retried as (
    select id from messages
    where status = 'queued' and attempt > 0 and give_up_at <= now()
    order by give_up_at limit $1 - (select count(*) from untried) for update skip locked
  ), expired as (
    select id from messages
    where status = 'queued' and expires_at is not null and expires_at <= now()
      and id <> all (array(select id from untried union all select id from retried))
    order by expires_at limit $1 - (select count(*) from untried) - (select count(*) from retried)
    for update skip locked
  ), over as (
    select id from untried union all select id from retried union all select id from expired
  ), ${expireSql('recovery', 'from over where m.id = over.id and m.id = any (array(select id from over))')}`,
};

/** Expressions that make rows unconfirmed. @param over a query for them, locked. @param from their status. */
const unconfirmSql = (over: string, from: 'queued' | 'sending') => `
  over as (${over}), changed as (
    update messages m set status = 'unconfirmed', ${from === 'queued' ? 'attempt = m.attempt + 1,' : ''} log = ${logWith(
      statusEntries({ status: `'unconfirmed'`, at: 'clock_timestamp()', source: 'recovery' }),
    )}
    from over where m.id = over.id and m.id = any (array(select id from over)) and m.status = '${from}'
    returning ${toldColumns}, '${from}' as before
  ), ${insertStatusEventsSql('changed')}`;

/** What is queued since before $2, $1 rows of it. @param condition more that it has to fulfil. */
const queuedBeforeSql = (condition = '') => `
    select m.id from queued q cross join (values (true), (false)) w (waiting) cross join lateral (
      select id from messages
      where status = 'queued' and account_id = q.account_id and mode = q.mode
        and waiting = w.waiting and created_at < $2::timestamptz ${condition}
      order by next_attempt_at limit $1 for update
    ) m limit $1`;

/**
 * What may have been sent by a claim that the database has forgotten: rows that were due when its history went back.
 * They count as tried once more, so that a worker that still has the try's result can write it.
 */
const endForgottenStatement = {
  name: 'end-forgotten',
  text: `
  with recursive queued as (${queuedNumbersSql}),
  ${unconfirmSql(queuedBeforeSql('and next_attempt_at <= $2::timestamptz'), 'queued')}
  select c.id, c.origin, c.status, null::jsonb as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor"
  from changed c`,
};

/** Scheduled messages, $1 of them, whose time had come by $2. */
const dueBeforeSql = `
    select id, 'unconfirmed' as status, null::jsonb as error, false as is_replaced
    from scheduled_messages
    where send_at <= $2::timestamptz and created_at < $2::timestamptz and not withdrawn
    order by id limit $1 for update`;

/** The same for what may have been released and sent. */
const endForgottenScheduledStatement = {
  name: 'end-forgotten-scheduled',
  text: `with ${moveScheduledSql(dueBeforeSql, 'recovery')}`,
};

const countedSql = `
  select c.account_id as "accountId", count(*)::int as count from changed c group by 1`;

/** Everything of a copy that may have been sent since, one kind after the other: scheduled, queued, being sent. */
const holdStatements = [
  `with ${moveScheduledSql(dueBeforeSql, 'recovery', countedSql)}`,
  `with recursive queued as (${queuedNumbersSql}), ${unconfirmSql(queuedBeforeSql(), 'queued')} ${countedSql}`,
  `with ${unconfirmSql(
    `
    select id from messages where status = 'sending' and created_at < $2::timestamptz
    order by lease_until limit $1 for update`,
    'sending',
  )} ${countedSql}`,
];

/**
 * Declares unconfirmed what may have been sent since a copy was made: scheduled messages whose time has come,
 * and everything that is queued or being sent. Call it again while it holds as many as its limit.
 * @param before when the history of the copy began; what was created later is its own.
 * @returns how many of each account.
 */
export async function holdMessages(
  manager: EntityManager,
  limit: number,
  before: string,
): Promise<{ accountId: string; count: number }[]> {
  const held: { accountId: string; count: number }[] = [];
  let left = limit;
  for (const statement of holdStatements) {
    if (left === 0) break;
    const counts: typeof held = await manager.query(statement, [left, before]);
    held.push(...counts);
    left -= counts.reduce((sum, { count }) => sum + count, 0);
  }
  return held;
}

/** Why a message failed that nobody could send in time. */
export const expired: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'No worker could send the message in time. It was not sent.',
  retryable: true,
  platformCode: null,
  platformMessage: null,
  reason: 'expired',
};

/** Settles rows that no worker will: those claimed by dead workers, and those that could not be tried in time. */
@Injectable()
export class MessageEndings {
  constructor(private readonly statements: HotStatements) {}

  /** Declares leases over. Call it again while it returns as many rows as its limit. */
  async endLeases(limit: number): Promise<ConcludedMessage[]> {
    return this.statements.run(endLeasesStatement, [limit]);
  }

  /**
   * Declares unconfirmed what the database may have forgotten that it was sent. Call it again while it returns
   * as many rows as its limit. Rows that another worker ends are waited for, so that none is left when it returns fewer.
   * @param before when the database's history went back, by its clock.
   */
  async endForgotten(limit: number, before: string): Promise<ConcludedMessage[]> {
    const scheduled = await this.statements.run<ConcludedMessage>(endForgottenScheduledStatement, [
      limit,
      before,
    ]);
    if (scheduled.length === limit) return scheduled;
    const queued = await this.statements.run<ConcludedMessage>(endForgottenStatement, [
      limit - scheduled.length,
      before,
    ]);
    return [...scheduled, ...queued];
  }

  /** Fails rows that no try may start for any more. */
  async expire(limit: number): Promise<ConcludedMessage[]> {
    return this.statements.run(expireStatement, [limit, JSON.stringify(expired)]);
  }
}
