import type { Mode } from '../../access/mode.js';
import { presentUserIdOf } from '../../contacts/contact-of-message.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { logEndSql, timelineSql } from '../../database/history/database-timeline.js';
import { as } from '../../database/statements/sql-types.js';
import { statement, unindexed } from '../../database/statements/statement.js';
import {
  allowedByPaceSql,
  paceBurstSql,
  paceOf,
  paceWaitSql,
  takePaceSql,
} from '../../quota/number-paces.statements.js';

/** Longer than the time-out of a call to the platform, so that a living worker always settles in time. */
export const leaseSeconds = 30;

/** A row that no worker could try for this long fails: a one-time code must not go out a day late. */
export const untriedMaxSeconds = 15 * 60;

/** The last moment for a try of the row: what the caller says, else fifteen minutes after its acceptance. */
const expiryOf = (row: string) =>
  `coalesce(${row}.expires_at, ${row}.created_at + interval '${untriedMaxSeconds} seconds')`;

/** Whether a try may start yet. A first one may come late (an outage); a further one only until `give_up_at`. */
const mayStillStart = `
  (m.give_up_at > now() or m.attempt = 0) and ${expiryOf('m')} > now()`;

const isQueued = { byIndex: `m.status = 'queued'`, byId: `${unindexed('m.status')} = 'queued'` };

/** What may be tried now. */
const triable = `${isQueued.byIndex} and ${mayStillStart}`;

const claimChanges = `status = 'sending', attempt = m.attempt + 1, sending_at = clock_timestamp(),
      address = ${presentUserIdOf('m')},
      claim_token = :token, lease_until = clock_timestamp() + interval '${leaseSeconds} seconds'`;

const claimedColumns = `m.id, m.account_id, m.mode, m.attempt, m.payload, m.address, m.origin,
      m.waiting, m.give_up_at, m.expires_at, m.created_at, m.traceparent`;

/**
 * What a recipient does not want is never claimed: they may have opted out since it was accepted, or its template may
 * have become marketing.
 */
const isWanted = `${optOutOf('m')} is null`;

const claimedTypes = {
  id: 'uuid',
  accountId: 'uuid',
  accountVersion: 'float8',
  mode: as<Mode>('text'),
  /** The number of this attempt, from 1. */
  attempt: 'int2',
  /** The request body for the platform, as stored. */
  payload: 'text',
  /** The API process whose caller may be waiting. */
  origin: 'uuid?',
  waiting: 'bool',
  /** The trace that its sending continues; null where it is not traced. */
  traceparent: 'text?',
  /** How long, from the claim, a further try may still start. */
  giveUpInMs: 'int4',
  /** The same for a message that could not be tried because of our own store. */
  expiresInMs: 'int4',
} as const;

/** What was not claimed has some of the columns only. */
const resultTypes = {
  ...claimedTypes,
  /** `opted_out`: not claimed, because its recipient has opted out. `refused`: its number has no token. */
  result: as<'claimed' | 'opted_out'>('text'),
  logEnd: 'text?',
} as const;

const claimedPayload = `
    case when c.address is null then c.payload::text
      else (c.payload::jsonb || jsonb_build_object('recipient', c.address))::text end`;

const msUntil = (time: string) => `(extract(epoch from ${time} - clock_timestamp()) * 1000)::int`;

/** The columns of `claimedTypes`. */
const claimed = (row: string, version: string, payload: string) => `
    ${row}.id, ${row}.account_id as "accountId", ${version}::float8 as "accountVersion", ${row}.mode,
    ${row}.attempt, ${payload} as payload, ${row}.origin, ${row}.waiting, ${row}.traceparent,
    ${msUntil(`${row}.give_up_at`)} as "giveUpInMs", ${msUntil(expiryOf(row))} as "expiresInMs"`;

/** The lower lane goes first: those with waiting callers, single ones, scheduled ones, those of campaigns. */
const lane = `case when m.waiting then 0 when m.campaign_id is not null then 3
      when m.send_at is not null then 2 else 1 end`;

/** Turns the rows of the expression `due` (ids, locked) into claimed ones, but for those whose recipient has opted out. */
const claimDueSql = `
  claimed as (
    update messages m set ${claimChanges}
    from due where m.id = due.id and m.id = any (array(select id from due)) and ${isWanted}
    returning ${claimedColumns}
  )
  select ${claimed('c', 'a.version', claimedPayload)}, 'claimed' as result, ${logEndSql} as "logEnd"
  from claimed c join accounts a on a.id = c.account_id
  union all
  select m.id, m.account_id, null, m.mode, null, null, m.origin, m.waiting, null, null, null, 'opted_out',
    null
  from messages m
  where m.id = any (array(select id from due)) and m.type = 'template' and ${isQueued.byId}
    and not (${isWanted})
  order by id`;

/**
 * Whether the store has answered a second ago at most, by its own clock. Rows
 * that no hint has named may belong to callers who got 503 while the store was silent. A
 * claim that arrives only when the store answers again must not overtake their withdrawal.
 */
const isPrompt = `(select clock_timestamp() < :seenAt::timestamptz + interval '1 second')`;

/**
 * Whether this is the timeline that the worker has looked at. A standby that was promoted may have
 * forgotten a claim, so nothing is claimed from it before the worker has noticed.
 */
const isSameTimeline = `(:timeline::text is null or :timeline = (select ${timelineSql}))`;

const isNamed = 'm.id = any (:ids::uuid[]) and m.id between :firstId::uuid and :lastId::uuid';

/** Whether a row that is looked up by its id may be tried by now. */
const isDueById = `${isQueued.byId} and m.next_attempt_at + interval '0' <= now() + interval '5 milliseconds'`;

/**
 * Claims rows by their ids, as many of a number with a pace as it has tokens. The lowest and the highest id leave out
 * partitions when the plan is executed; an array cannot. Two claims lock in the same order: that of the ids.
 * `seenAt` is null for ids that a hint named; for others, see `isPrompt`.
 */
export const claimMessages = statement({
  name: 'claim-messages',
  params: {
    ids: 'uuid[]',
    token: 'uuid',
    firstId: 'uuid?',
    lastId: 'uuid?',
    seenAt: 'text?',
    timeline: 'text?',
  },
  columns: {
    ...resultTypes,
    result: as<'claimed' | 'opted_out' | 'refused'>('text'),
    /** When a refused one may have its turn, in milliseconds from now. */
    waitMs: 'int4',
    /** How many messages its number may send at once. */
    burst: 'int4',
    /** The lower one goes first: 0 where a caller waits, then single messages (1), scheduled ones, those of campaigns. */
    lane: 'int4',
  },
  text: `
  with named as materialized (
    select m.id, m.account_id, m.mode, m.waiting, m.origin, a.version, ${lane} as lane,
      case when m.mode = 'live' then ${paceOf('a')} end as pace, ${isWanted} as is_wanted
    from messages m join accounts a on a.id = m.account_id
    where ${isNamed} and ${isDueById} and ${mayStillStart}
      and (m.mode = 'test' or a.hold_kind is null)
      and (:seenAt::text is null or ${isPrompt}) and ${isSameTimeline}
    order by m.id
  ), candidates as materialized (select * from named where is_wanted),
  ${allowedByPaceSql('candidates')}, claimed as (
    update messages m set ${claimChanges}
    from candidates n
    where m.id = n.id and ${isNamed} and ${isDueById}
      and (n.pace is null or n.id in (select id from allowed))
    returning ${claimedColumns}, n.version, n.pace
  ), taken as (${takePaceSql({ candidates: 'candidates', claimed: 'claimed' })})
  select ${claimed('c', 'c.version', claimedPayload)}, 'claimed' as result, ${logEndSql} as "logEnd",
    0 as "waitMs", 0 as burst, 0 as lane
  from claimed c
  union all
  select n.id, n.account_id, null, n.mode, null, null, n.origin, n.waiting, null, null, null,
    case when n.is_wanted then 'refused' else 'opted_out' end, null, ${paceWaitSql},
    ${paceBurstSql('n.pace')}, n.lane
  from named n left join budget k on k.account_id = n.account_id and n.pace is not null
  where not n.is_wanted or n.pace is not null and n.id not in (select id from claimed)
  order by id`,
});

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
      -- Checked again: another worker may have locked the row and put it off.
      and m.next_attempt_at + interval '0' <= ${of.dueAt}
    order by m.waiting and ${isWaitedFor} desc, m.next_attempt_at
    limit ${of.limit} for update skip locked
  )`;
};

/** Numbers with queued messages: goes from one to the next along the index, however many rows lie between. */
export const queuedNumbersSql = `
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

export const claimDueMessages = statement({
  name: 'claim-due-messages',
  params: { limit: 'int4', token: 'uuid', seenAt: 'timestamptz', timeline: 'text?' },
  columns: resultTypes,
  text: `
  with ${dueSql({
    numbers: freeNumbersSql,
    dueAt: `now() - interval '1 second'`,
    limit: ':limit',
    condition: `${isPrompt} and ${isSameTimeline}`,
  })}, ${claimDueSql}`,
});

/**
 * Ids of numbers with a pace that have been due for a second, at most two seconds of pace of each; waiting callers first.
 * They are claimed by their ids, like hinted ones.
 */
export const findPacedDue = statement({
  name: 'find-paced-due',
  columns: { id: 'uuid', seenAt: 'text' },
  text: `
  with recursive queued as (${queuedNumbersSql}), numbers as (
    select a.id, ceil(2 * ${paceOf('a')})::int as most
    from queued q join accounts a on a.id = q.account_id
    where q.mode = 'live' and a.hold_kind is null and a.messages_per_second is not null
  )
  select o.id, clock_timestamp()::text as "seenAt" from numbers n cross join lateral (
    (select m.id, true as is_waited_for from messages m
     where ${triable} and m.account_id = n.id and m.mode = 'live' and m.waiting
       and m.next_attempt_at between now() - ${waitingMaxSql} and now() - interval '1 second'
     order by m.next_attempt_at limit n.most)
    union all
    (select m.id, false from messages m
     where ${triable} and m.account_id = n.id and m.mode = 'live' and not m.waiting
       and m.next_attempt_at <= now() - interval '1 second'
     order by m.next_attempt_at limit n.most)
    union all
    (select m.id, false from messages m
     where ${triable} and m.account_id = n.id and m.mode = 'live' and m.waiting
       and m.next_attempt_at < now() - ${waitingMaxSql}
     order by m.next_attempt_at limit n.most)
    order by is_waited_for desc, id limit n.most
  ) o`,
});

export const claimProbe = statement({
  name: 'claim-probe',
  params: { accountId: 'uuid', token: 'uuid', timeline: 'text?' },
  columns: resultTypes,
  text: `
  with ${dueSql({
    numbers: `select :accountId::uuid as account_id, 'live' as mode`,
    dueAt: 'now()',
    limit: '1',
    condition: isSameTimeline,
  })}, ${claimDueSql}`,
});

export const readClaimBack = statement({
  name: 'read-claim-back',
  params: { token: 'uuid' },
  columns: claimedTypes,
  text: `
  select ${claimed('m', 'a.version', 'm.payload::text')}
  from messages m join accounts a on a.id = m.account_id
  where m.status = 'sending' and m.claim_token = :token and m.lease_until > clock_timestamp()
  order by m.id`,
});
