import { statement } from '../database/statements/statement.js';

/** How many messages a number may send at once after a pause: a quarter of a second's worth, at least one. */
const burstOf = (pace: string) => `greatest(1, ${pace} / 4.0)`;

/** Scheduled messages and campaigns leave this many tokens in the bucket, so that single messages need not wait. */
const reserveOf = (pace: string) => `least(${burstOf(pace)} / 2, ${burstOf(pace)} - 1)`;

/** What the bucket `b` holds now. */
const tokensNow = (pace: string) =>
  `least(${burstOf(pace)}, b.tokens + ${pace} * greatest(0, extract(epoch from clock_timestamp() - b.at)))`;

/** For this long after a waiting caller found no token, nobody else gets one. */
const waitedForSql = `interval '250 milliseconds'`;

/** The pace that a row of `accounts` has now, in messages a second; null without one. */
export const paceOf = (account: string) =>
  `pace_of(${account}.messages_per_second, ${account}.learnt_per_second, ${account}.learnt_at)`;

/**
 * The expressions `budget` and `allowed` of a statement that claims messages: the buckets of the numbers in question,
 * locked, and the ids for which they have a token. The lower lanes come first, then the oldest. A bucket that another
 * claim has locked allows nothing. A missing bucket is made full, and allows nothing yet.
 * @param candidates an expression with the columns `id`, `account_id`, `lane` and `pace`; a null pace has no limit
 *   and is not looked at. The lanes: 0 with a waiting caller, 1 single, 2 scheduled, 3 of a campaign.
 */
export const allowedByPaceSql = (candidates: string) => `
  buckets as materialized (
    select b.account_id, b.tokens, b.at, b.waited_at from pace_buckets b
    where b.account_id in (select account_id from ${candidates} where pace is not null)
    order by b.account_id for update skip locked
  ), made as (
    insert into pace_buckets (account_id, tokens, at)
    select account_id, ${burstOf('min(pace)')}, clock_timestamp() from ${candidates} n
    where pace is not null and not exists (select from pace_buckets b where b.account_id = n.account_id)
    group by account_id order by account_id on conflict do nothing
  ), budget as materialized (
    select b.account_id, n.pace, ${tokensNow('n.pace')} as tokens, clock_timestamp() as at,
      coalesce(b.waited_at > clock_timestamp() - ${waitedForSql}, false) as is_waited_for
    from buckets b cross join lateral
      (select pace from ${candidates} c where c.account_id = b.account_id and c.pace is not null limit 1) n
  ), allowed as materialized (
    select n.id from (
      select id, account_id, lane,
        row_number() over (partition by account_id order by lane, id) as rank
      from ${candidates} where pace is not null
    ) n join budget k on k.account_id = n.account_id
    where n.rank <= k.tokens - case when n.lane > 1 then ${reserveOf('k.pace')} else 0 end and (n.lane = 0 or not k.is_waited_for)
  )`;

/**
 * Takes a token for each message that was claimed, and notes whether a waiting caller got none.
 * @param of.claimed an expression with `id`, `account_id` and `pace` of what was claimed.
 */
export const takePaceSql = (of: { candidates: string; claimed: string }) => `
  update pace_buckets b set tokens = t.tokens - t.count, at = t.at,
    waited_at = case when t.is_refused_waiting then t.at else b.waited_at end
  from (
    select k.account_id, k.tokens, k.at,
      (select count(*) from ${of.claimed} c where c.account_id = k.account_id and c.pace is not null) as count,
      exists (select from ${of.candidates} n where n.account_id = k.account_id and n.pace is not null
        and n.lane = 0 and n.id not in (select id from ${of.claimed})) as is_refused_waiting
    from budget k
  ) t
  where b.account_id = t.account_id and (t.count > 0 or t.is_refused_waiting)
  returning b.account_id`;

/**
 * When a message that got no token may be tried again, in milliseconds from now, by `k`, its row of `budget` or null. A
 * bucket that another claim holds, or that this one has made, is free within milliseconds.
 */
export const paceWaitSql = 'greatest(5, coalesce(ceil((1 - k.tokens) / k.pace * 1000), 0))::int';

/** How many messages go out within a quarter of a second. */
export const paceBurstSql = (pace: string) => `ceil(${burstOf(pace)})::int`;

/** Takes a token; without one, answers in how many milliseconds there is one. No row: the number has no pace. */
export const takeToken = statement({
  name: 'take-token',
  params: { accountId: 'uuid' },
  columns: { wait_ms: 'int4' },
  text: `
  with number as (
    select id, ${paceOf('a')} as pace from accounts a where id = :accountId and messages_per_second is not null
  ), taken as (
    insert into pace_buckets as b (account_id, tokens, at)
    select id, ${burstOf('pace')} - 1, clock_timestamp() from number
    on conflict (account_id) do update
      set tokens = ${tokensNow('(select pace from number)')} - 1, at = clock_timestamp()
      where ${tokensNow('(select pace from number)')} >= 1
    returning account_id
  )
  select case when exists (select from taken) then 0 else ceil(1000 / pace)::int end as wait_ms
  from number`,
});
