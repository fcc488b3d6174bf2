import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../access/mode.js';
import { plainArray } from '../database/array-literals.js';
import { HotStatements } from '../database/hot-statements.js';
import type { EventHint } from '../hints/event-hints.js';
import type { MessageFailure, MessageOutcome } from './message.js';
import { logWith, statusEntries } from './message-history.js';
import { endpointToWake, insertStatusEventsSql, toldColumns } from './status-events.js';

/** Longer than the time-out of a call to the platform, so that a living worker always settles in time. */
export const leaseSeconds = 30;

/** A row that no worker could try for this long fails: a one-time code must not go out a day late. */
const untriedMaxSeconds = 15 * 60;

/** A row that this worker may send now: it is `sending`, committed, and claimed by no other. */
export interface ClaimedMessage {
  readonly id: string;
  readonly accountId: string;
  readonly accountVersion: number;
  readonly mode: Mode;
  readonly recipient: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The request body for the platform, as stored. */
  readonly payload: string;
  /** The API process whose caller may be waiting. */
  readonly origin: string | null;
  readonly waiting: boolean;
  /** How long, from the claim, a further try may still start. */
  readonly giveUpInMs: number;
  /** The trace that its sending continues; null where it is not traced. */
  readonly traceparent: string | null;
}

/** A change that a caller may be waiting for. */
export interface ConcludedMessage extends MessageOutcome {
  readonly origin: string | null;
  /** The endpoint that has something to get because of it, or null. */
  readonly endpointToWake: EventHint | null;
}

interface ClaimedRow {
  id: string;
  account_id: string;
  account_version: string;
  mode: Mode;
  recipient: string;
  attempt: number;
  payload: string;
  origin: string | null;
  waiting: boolean;
  give_up_in_ms: number;
  traceparent: string | null;
}

/**
 * Whether a try may start yet. A first one may come late (an outage), up to fifteen minutes; a further
 * one only until `give_up_at`.
 */
const mayStillStart = `
  (m.give_up_at > now() or m.attempt = 0)
  and m.created_at > now() - interval '${untriedMaxSeconds} seconds'`;

/**
 * Rows that are looked up by their ids must not name the bare column: the indexes of what is queued,
 * small while the plan was made, are long in a backlog.
 */
const isQueued = { byIndex: `m.status = 'queued'`, byId: `m.status || '' = 'queued'` };

/** What may be tried now. */
const triable = `${isQueued.byIndex} and ${mayStillStart}`;

/** Nothing of a number that is on hold, or that has a pace. Tests go to the simulator, which knows neither. */
const isFreeNumber = `
  (m.mode = 'test' or m.account_id not in
    (select id from accounts where hold_kind is not null or messages_per_second is not null))`;

const claimChanges = `status = 'sending', attempt = m.attempt + 1, sending_at = clock_timestamp(),
      claim_token = $2, lease_until = clock_timestamp() + interval '${leaseSeconds} seconds'`;

const claimedColumns = `m.id, m.account_id, m.mode, m.recipient, m.attempt, m.payload, m.origin,
      m.waiting, m.give_up_at, m.traceparent`;

/** Answers the expression `claimed`. */
const answerClaimedSql = `
  select c.id, c.account_id, a.version as account_version, c.mode, c.recipient, c.attempt,
    c.payload::text as payload, c.origin, c.waiting, c.traceparent,
    (extract(epoch from c.give_up_at - clock_timestamp()) * 1000)::int as give_up_in_ms
  from claimed c join accounts a on a.id = c.account_id
  order by c.id`;

/**
 * Turns the rows of the expression `due` (ids, locked) into claimed ones.
 * @param ids an array that holds their ids; a parameter lets the planner look at one partition only.
 */
const claimDueSql = (ids: string) => `
  claimed as (
    update messages m set ${claimChanges}
    from due where m.id = due.id and m.id = any (${ids})
    returning ${claimedColumns}
  ) ${answerClaimedSql}`;

/**
 * One look at each row: the array's order is the index's, so two claims lock in the same order. The
 * lowest and the highest id leave out partitions when the plan is executed; an array cannot.
 */
export const claimStatement = {
  name: 'claim-messages',
  text: `
  with claimed as (
    update messages m set ${claimChanges}
    where m.id = any ($1::uuid[]) and m.id between $3::uuid and $4::uuid
      and ${isQueued.byId}
      and m.next_attempt_at + interval '0' <= now() + interval '5 milliseconds'
      and ${mayStillStart} and ${isFreeNumber}
    returning ${claimedColumns}
  ) ${answerClaimedSql}`,
};

/**
 * Whether the store has answered a second ago at most, by its own clock, given as a parameter. Rows
 * that no hint has named may belong to callers who got 503 while the store was silent. A
 * claim that comes through only when it speaks again must not be faster than their withdrawal.
 */
const isPrompt = (seenAt: string) =>
  `(select clock_timestamp() < ${seenAt}::timestamptz + interval '1 second')`;

/** No caller waits for longer: waiting ones are found among the rows of the last half minute. */
const waitingMaxSql = `interval '30 seconds'`;

/**
 * The expression `due`: rows that are due, locked. Waiting callers first, then the oldest. Each part is
 * read for each number by itself, in the order of its index, and ends at the limit, however long the
 * backlog is, of this number or of others.
 * @param of.numbers a query for pairs of account and mode.
 * @param of.dueAt rows that were due by then.
 * @param of.limit how many. Four times as many are looked at: other workers lock the same ones first.
 */
const dueSql = (of: { numbers: string; dueAt: string; limit: string; condition: string }) => {
  const oldest = (condition: string) => `
    select o.id, o.next_attempt_at from numbers n cross join lateral (
      select m.id, m.next_attempt_at from messages m
      where ${of.condition} and ${triable} and m.account_id = n.account_id and m.mode = n.mode
        and m.next_attempt_at <= ${of.dueAt} and ${condition}
      order by m.next_attempt_at limit 4 * ${of.limit}
    ) o`;
  const isWaitedFor = `m.next_attempt_at > now() - ${waitingMaxSql}`;
  return `
  numbers as materialized (${of.numbers}), oldest as (
    select id, next_attempt_at, true as waiting from (${oldest(`m.waiting and ${isWaitedFor}`)}) w
    union all
    select id, next_attempt_at, false from (${oldest('not m.waiting')}) b
    union all
    select id, next_attempt_at, false from (${oldest(`m.waiting and not ${isWaitedFor}`)}) l
    order by waiting desc, next_attempt_at limit 4 * ${of.limit}
  ), due as (
    select m.id from messages m
    where m.id = any (array(select id from oldest)) and ${isQueued.byId} and ${mayStillStart}
      -- Once more, of what another worker had locked and has put off.
      and m.next_attempt_at + interval '0' <= ${of.dueAt}
    order by m.waiting and ${isWaitedFor} desc, m.next_attempt_at
    limit ${of.limit} for update skip locked
  )`;
};

/** Numbers that have something queued: from one to the next along the index, whatever lies between. */
const queuedNumbersSql = `
    (select account_id, mode from messages where status = 'queued' order by 1, 2 limit 1)
    union all
    select next.account_id, next.mode from queued q cross join lateral (
      select m.account_id, m.mode from messages m
      where m.status = 'queued' and (m.account_id, m.mode) > (q.account_id, q.mode)
      order by 1, 2 limit 1
    ) next`;

/** Of these, the ones without a hold and without a pace; tests go to the simulator, which knows neither. */
const freeNumbersSql = `
  with recursive queued as (${queuedNumbersSql})
  select q.account_id, q.mode from queued q join accounts a on a.id = q.account_id
  where q.mode = 'test' or (a.hold_kind is null and a.messages_per_second is null)`;

export const claimDueStatement = {
  name: 'claim-due-messages',
  text: `
  with ${dueSql({
    numbers: freeNumbersSql,
    dueAt: `now() - interval '1 second'`,
    limit: '$1',
    condition: isPrompt('$3'),
  })}, ${claimDueSql('array(select id from due)')}`,
};

export const claimPacedStatement = {
  name: 'claim-paced-messages',
  text: `
  with ${dueSql({
    numbers: `select id as account_id, 'live' as mode from accounts where id = $1 and hold_kind is null`,
    dueAt: 'now()',
    limit: '$3::int',
    condition: isPrompt('$4'),
  })}, ${claimDueSql('array(select id from due)')}`,
};

const claimProbeSql = `
  with ${dueSql({
    numbers: `select $1::uuid as account_id, 'live' as mode`,
    dueAt: 'now()',
    limit: '1',
    condition: 'true',
  })}, ${claimDueSql('array(select id from due)')}`;

const readBackSql = `
  select m.id, m.account_id, a.version as account_version, m.mode, m.recipient, m.attempt,
    m.payload::text as payload, m.origin, m.waiting, m.traceparent,
    (extract(epoch from m.give_up_at - clock_timestamp()) * 1000)::int as give_up_in_ms
  from messages m join accounts a on a.id = m.account_id
  where m.status = 'sending' and m.claim_token = $1 and m.lease_until > clock_timestamp()
  order by m.id`;

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
  select c.id, c.origin, c.status, null::jsonb as failure, ${endpointToWake} as "endpointToWake"
  from changed c`,
};

/**
 * Rows that no try may start for any more; a refused one keeps the platform's last word. A first try
 * is due from the row's creation on, and a further one may start until `give_up_at`, which is no later
 * than the last moment for a first. First tries are found by number, further ones by their end.
 */
export const expireStatement = {
  name: 'expire-messages',
  text: `
  with recursive queued as (${queuedNumbersSql}), untried as (
    select m.id from queued q cross join (values (true), (false)) w (waiting) cross join lateral (
      select id from messages
      where status = 'queued' and account_id = q.account_id and mode = q.mode
        and waiting = w.waiting and attempt = 0
        and next_attempt_at <= now() - interval '${untriedMaxSeconds} seconds'
      order by next_attempt_at limit $1 for update skip locked
    ) m limit $1
  ), retried as (
    select id from messages
    where status = 'queued' and attempt > 0 and give_up_at <= now()
    order by give_up_at limit $1 - (select count(*) from untried) for update skip locked
  ), over as (
    select id from untried union all select id from retried
  ), changed as (
    update messages m set status = 'failed', failed_at = clock_timestamp(),
      error = coalesce(m.error, $2::jsonb), log = ${logWith(
        statusEntries({ status: `'failed'`, at: 'clock_timestamp()', source: 'recovery' }),
      )}
    from over where m.id = over.id and m.id = any (array(select id from over))
    returning ${toldColumns}, 'queued' as before
  ), ${insertStatusEventsSql('changed')}
  select c.id, c.origin, c.status, c.error as failure, ${endpointToWake} as "endpointToWake"
  from changed c`,
};

const expired: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'No worker could send the message in time. It was not sent.',
  retryable: true,
  platformCode: null,
  platformMessage: null,
  reason: 'expired',
};

/**
 * Claims: `queued` → `sending`, committed before the first byte goes to the platform. Claiming is a
 * compare-and-set on the row, so a hint that comes twice, late or to two workers does no harm.
 */
@Injectable()
export class MessageClaims {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
  ) {}

  /** A token under which a claim whose commit was lost can be read back. */
  newToken(): string {
    return randomUUID();
  }

  /** Claims those of the given rows that may be tried now. */
  async claim(ids: readonly string[], token: string): Promise<ClaimedMessage[]> {
    const sorted = ids.toSorted();
    return toClaimed(
      await this.statements.run(claimStatement, [
        plainArray(sorted),
        token,
        sorted[0],
        sorted.at(-1),
      ]),
    );
  }

  /** The store's clock now. */
  async readClock(): Promise<string> {
    const [row]: { now: string }[] = await this.dataSource.query(
      'select clock_timestamp()::text as now',
    );
    return row?.now ?? '';
  }

  /**
   * Claims rows that have been due for a second: their hint was lost, or came too early.
   * @param seenAt the store's clock when it last answered; a claim that is late claims nothing.
   */
  async claimDue(limit: number, token: string, seenAt: string): Promise<ClaimedMessage[]> {
    return toClaimed(await this.statements.run(claimDueStatement, [limit, token, seenAt]));
  }

  /** Claims rows of a number with a pace that has tokens; waiting callers come first. */
  async claimPaced(
    accountId: string,
    limit: number,
    token: string,
    seenAt: string,
  ): Promise<ClaimedMessage[]> {
    return toClaimed(
      await this.statements.run(claimPacedStatement, [accountId, token, limit, seenAt]),
    );
  }

  /** Claims one due row of a number on hold, to see whether the platform takes it again. */
  async claimProbe(accountId: string, token: string): Promise<ClaimedMessage | null> {
    const [row] = toClaimed(await this.dataSource.query(claimProbeSql, [accountId, token]));
    return row ?? null;
  }

  /** What a claim has claimed, where its answer was lost with the connection. */
  async readBack(token: string): Promise<ClaimedMessage[]> {
    return toClaimed(await this.dataSource.query(readBackSql, [token]));
  }

  /** Declares leases over. Call it again while it returns as many rows as its limit. */
  async endLeases(limit: number): Promise<ConcludedMessage[]> {
    return this.statements.run(endLeasesStatement, [limit]);
  }

  /** Fails rows that no try may start for any more. */
  async expire(limit: number): Promise<ConcludedMessage[]> {
    return this.statements.run(expireStatement, [limit, JSON.stringify(expired)]);
  }
}

function toClaimed(rows: ClaimedRow[]): ClaimedMessage[] {
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    accountVersion: Number(row.account_version),
    mode: row.mode,
    recipient: row.recipient,
    attempt: row.attempt,
    payload: row.payload,
    origin: row.origin,
    waiting: row.waiting,
    giveUpInMs: row.give_up_in_ms,
    traceparent: row.traceparent,
  }));
}
