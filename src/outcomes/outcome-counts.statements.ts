import { as } from '../database/statements/sql-types.js';
import { family, statement } from '../database/statements/statement.js';
import { isTakenByWhatsapp, type Outcomes } from './outcomes.js';

const counts = {
  accepted: 'int4',
  delivered: 'int4',
  read: 'int4',
  failed: 'int4',
  concluded: 'int4',
  replies: 'int4',
  deliveryTimes: as<Outcomes['deliveryTimes']>('jsonb'),
} as const;

/** The messages by their ids, the replies by their time. */
const period = {
  firstId: 'uuid',
  endId: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
} as const;

/** What a message took is counted from the moment at which it was to be sent, in milliseconds of two digits. */
const messageCounts = `
      count(*) filter (where ${isTakenByWhatsapp('m.status', 'm.sent_at')}) as accepted,
      count(*) filter (where m.receipt is not null) as delivered,
      count(*) filter (where m.receipt = 'read') as read,
      count(*) filter (where m.status = 'failed') as failed,
      count(*) filter (where m.status in ('sent', 'failed')) as concluded,
      0 as replies`;

const messagesOfPeriod = `
    from messages m
      cross join lateral (select case when m.receipt is not null and m.delivered_at is not null
        then greatest(10, 1000 * date_part('epoch', m.delivered_at - coalesce(m.queued_at, m.created_at)))
        end as ms) as d
      cross join lateral (select power(10, floor(log(d.ms)) - 1) as step) as s
      cross join lateral (select (round(d.ms / s.step) * s.step)::bigint as time) as t
    where m.id >= :firstId::uuid and m.id < :endId::uuid`;

/** Replies for both modes count in each of them. */
const repliesOfPeriod = `
    from replies_by_minute r cross join lateral (values
      (null, r.replies), ('live', r.replies - r.test), ('test', r.replies - r.live)) as s (mode, replies)
    where r.minute >= :from::timestamptz and r.minute < :to::timestamptz`;

const sums = `
    sum(accepted)::int as accepted, sum(delivered)::int as delivered, sum(read)::int as read,
    sum(failed)::int as failed, sum(concluded)::int as concluded, sum(replies)::int as replies,
    coalesce(jsonb_object_agg(time, delivered) filter (where time is not null), '{}') as "deliveryTimes"`;

const stepOf = (time: string) =>
  `date_bin(make_interval(secs => :stepMs::int8 / 1000.0), ${time}, :from::timestamptz)`;

/** The outcomes of a period in steps that begin at its start; a step in which nothing happened has no row. */
export const countOutcomes = statement({
  name: 'count-outcomes',
  params: { ...period, accountId: 'uuid?', mode: 'text?', stepMs: 'int8' },
  columns: { at: 'timestamptz', ...counts },
  text: `
  with counted as (
    select ${stepOf('uuid_extract_timestamp(m.id)')} as at, t.time, ${messageCounts} ${messagesOfPeriod}
      and (:accountId::uuid is null or m.account_id = :accountId) and (:mode::text is null or m.mode = :mode)
    group by 1, 2
    union all
    select ${stepOf('r.minute')}, null, 0, 0, 0, 0, 0, sum(s.replies) ${repliesOfPeriod}
      and (:accountId::uuid is null or r.account_id = :accountId) and s.mode is not distinct from :mode
    group by 1
  )
  select at, ${sums} from counted group by at`,
});

/*
 * One row for each account, and one for all; of these one for each mode, and one for both, whose mode is null.
 */
const countHourSql = `
  with counted as (
    select m.account_id, m.mode, t.time, ${messageCounts} ${messagesOfPeriod}
    group by grouping sets ((m.account_id, t.time), (t.time), (m.account_id, m.mode, t.time), (m.mode, t.time))
    union all
    select r.account_id, s.mode, null, 0, 0, 0, 0, 0, sum(s.replies) ${repliesOfPeriod}
    group by grouping sets ((r.account_id, s.mode), (s.mode))
    union all
    select null, nothing.mode, null, 0, 0, 0, 0, 0, 0 from (values (null), ('live'), ('test')) as nothing (mode)
  )
  select account_id, mode, ${sums} from counted group by account_id, mode`;

/** Counts an hour and keeps the figures. */
export const keepOutcomes = statement({
  name: 'keep-outcomes',
  params: { ...period, hour: 'timestamptz' },
  text: `
  with figures as (${countHourSql}),
    modes as (
      select account_id, jsonb_object_agg(f.mode, to_jsonb(f) - 'account_id' - 'mode') as by_mode
      from figures f where f.mode is not null group by account_id
    )
  insert into outcomes_hourly (hour, account_id, accepted, delivered, read, failed, concluded, replies,
    delivery_times, by_mode)
  select :hour::timestamptz, f.account_id, f.accepted, f.delivered, f.read, f.failed, f.concluded, f.replies,
    f."deliveryTimes", m.by_mode
  from figures f
    join modes m on coalesce(m.account_id::text, '') = coalesce(f.account_id::text, '')
  where f.mode is null
  on conflict do nothing`,
});

/** What was counted is counted again when its age has grown by a thirtieth: the older, the less it changes. */
export const listDueHours = statement({
  name: 'list-due-hours',
  params: { from: 'timestamptz', to: 'timestamptz' },
  columns: { hour: 'timestamptz' },
  text: `
  select h as hour from generate_series(:from::timestamptz, :to::timestamptz, interval '1 hour') h
    left join outcomes_hourly o on o.hour = h and o.account_id is null
  where o.by_mode is null or now() - o.counted_at > (o.counted_at - h) / 30
  order by h desc`,
});

export const forgetOutcomesBefore = statement({
  name: 'forget-outcomes-before',
  params: { hour: 'timestamptz' },
  text: 'delete from outcomes_hourly where hour < :hour',
});

export const forgetRepliesBefore = statement({
  name: 'forget-replies-before',
  params: { minute: 'timestamptz' },
  text: 'delete from replies_by_minute where minute < :minute',
});

export const forgetOutcomesOfHour = statement({
  name: 'forget-outcomes-of-hour',
  params: { hour: 'timestamptz' },
  text: 'delete from outcomes_hourly where hour = :hour',
});

export const listCountedHours = family({
  name: 'list-counted-hours',
  params: { from: 'timestamptz', to: 'timestamptz', accountId: 'uuid?', mode: 'text?' },
  columns: { hour: 'timestamptz', ...counts },
  text: (accountId: string | null) => `
  select h.hour, f.* from outcomes_hourly h
    cross join lateral jsonb_to_record(case when :mode::text is null
      then to_jsonb(h) || jsonb_build_object('deliveryTimes', h.delivery_times) else h.by_mode->:mode end)
    as f (accepted int, delivered int, read int, failed int, concluded int, replies int, "deliveryTimes" jsonb)
  where account_id ${accountId === null ? 'is null' : '= :accountId'}
    and hour >= :from and hour < :to and (:mode::text is null or by_mode ? :mode)`,
  examples: [null, ''],
});

export const countCountedHours = statement({
  name: 'count-counted-hours',
  params: { from: 'timestamptz', to: 'timestamptz', mode: 'text?' },
  columns: { counted: 'int4' },
  text: `
  select count(*)::int as counted from outcomes_hourly
  where account_id is null and hour >= :from and hour < :to
    and (:mode::text is null or by_mode is not null)`,
});

/** The first message and the first reply since a time. */
export const findFirstCounted = statement({
  name: 'find-first-counted',
  params: { firstId: 'uuid', from: 'timestamptz' },
  columns: { id: 'uuid?', minute: 'timestamptz?' },
  text: `
  select (select id from messages where id >= :firstId order by id limit 1) as id,
    (select min(minute) from replies_by_minute where minute >= :from) as minute`,
});
