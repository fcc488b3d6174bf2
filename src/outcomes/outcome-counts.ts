import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hourMs, minuteMs } from '#libs/durations';
import type { Mode } from '../access/mode.js';
import { firstIdAt, timeOfId } from '../database/ids.js';
import { type Outcomes, sumOfOutcomes } from './outcomes.js';

/** Hours are kept for this long: a day more than is asked for. */
const keptMs = 31 * 24 * hourMs;

/** Outcomes of the last day are counted when they are asked for: most of them still change. */
const liveMs = 24 * hourMs;

/*
 * Of the messages with ids from $1 to $2 and the replies from $3 to $4: one row for each account, and one for all;
 * of these one for each mode, and one for both, whose mode is null. Replies for both modes count in each of them.
 * What a message took is counted from the moment at which it was to be sent, in milliseconds of two digits.
 */
const countSql = `
  with counted as (
    select m.account_id, m.mode, t.time,
      count(*) filter (where m.status = 'sent' or (m.status = 'failed' and m.sent_at is not null)) as accepted,
      count(*) filter (where m.receipt is not null) as delivered,
      count(*) filter (where m.receipt = 'read') as read,
      count(*) filter (where m.status = 'failed') as failed,
      count(*) filter (where m.status in ('sent', 'failed')) as concluded,
      0 as replies
    from messages m
      cross join lateral (select case when m.receipt is not null and m.delivered_at is not null
        then greatest(10, 1000 * date_part('epoch', m.delivered_at - coalesce(m.queued_at, m.created_at)))
        end as ms) as d
      cross join lateral (select power(10, floor(log(d.ms)) - 1) as step) as s
      cross join lateral (select (round(d.ms / s.step) * s.step)::bigint as time) as t
    where m.id >= $1::uuid and m.id < $2::uuid and ($5::uuid is null or m.account_id = $5)
    group by grouping sets ((m.account_id, t.time), (t.time), (m.account_id, m.mode, t.time), (m.mode, t.time))
    union all
    select r.account_id, s.mode, null, 0, 0, 0, 0, 0, sum(s.replies)
    from replies_by_minute r cross join lateral (values
      (null, r.replies), ('live', r.replies - r.test), ('test', r.replies - r.live)) as s (mode, replies)
    where r.minute >= $3::timestamptz and r.minute < $4::timestamptz and ($5::uuid is null or r.account_id = $5)
    group by grouping sets ((r.account_id, s.mode), (s.mode))
    union all
    select null, nothing.mode, null, 0, 0, 0, 0, 0, 0 from (values (null), ('live'), ('test')) as nothing (mode)
  )
  select account_id, mode, sum(accepted)::int as accepted, sum(delivered)::int as delivered,
    sum(read)::int as read, sum(failed)::int as failed, sum(concluded)::int as concluded,
    sum(replies)::int as replies,
    coalesce(jsonb_object_agg(time, delivered) filter (where time is not null), '{}') as "deliveryTimes"
  from counted group by account_id, mode`;

/* Counts an hour and keeps the figures. */
const keepSql = `
  with figures as (${countSql}),
    modes as (
      select account_id, jsonb_object_agg(f.mode, to_jsonb(f) - 'account_id' - 'mode') as by_mode
      from figures f where f.mode is not null group by account_id
    )
  insert into outcomes_hourly (hour, account_id, accepted, delivered, read, failed, concluded, replies,
    delivery_times, by_mode)
  select $6::timestamptz, f.account_id, f.accepted, f.delivered, f.read, f.failed, f.concluded, f.replies,
    f."deliveryTimes", m.by_mode
  from figures f
    join modes m on coalesce(m.account_id::text, '') = coalesce(f.account_id::text, '')
  where f.mode is null
  on conflict do nothing`;

/* What was counted is counted again when its age has grown by a thirtieth: the older, the less it changes. */
const dueSql = `
  select h as hour from generate_series($1::timestamptz, $2::timestamptz, interval '1 hour') h
    left join outcomes_hourly o on o.hour = h and o.account_id is null
  where o.by_mode is null or now() - o.counted_at > (o.counted_at - h) / 30
  order by h desc`;

const startOf = (unitMs: number, ms: number) => Math.floor(ms / unitMs) * unitMs;

interface OutcomesSince extends Outcomes {
  readonly fromMs: number;
  /** False while hours of this time have not been counted for the first time. */
  readonly isComplete: boolean;
}

/** Counts what became of messages: the last day when it is asked for, and before that by the hour. */
@Injectable()
export class OutcomeCounts {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The outcomes since a time. It is moved back to a whole minute, and to a whole hour if it is more than a day ago.
   * @param accountId null: all accounts together.
   * @param mode null: live and test together.
   */
  async since(
    askedMs: number,
    accountId: string | null,
    mode: Mode | null = null,
  ): Promise<OutcomesSince> {
    const nowMs = Date.now();
    const liveFromMs = startOf(hourMs, nowMs - liveMs);
    const fromMs = startOf(askedMs < liveFromMs ? hourMs : minuteMs, askedMs);
    if (fromMs >= liveFromMs) {
      const counted = await this.count(fromMs, nowMs + hourMs, accountId, mode);
      return { ...counted, fromMs, isComplete: true };
    }
    const [live, hours, missing] = await Promise.all([
      this.count(liveFromMs, nowMs + hourMs, accountId, mode),
      this.countedHours(fromMs, liveFromMs, accountId, mode),
      this.missing(fromMs, liveFromMs, mode),
    ]);
    return { ...sumOfOutcomes([live, ...hours]), fromMs, isComplete: missing === 0 };
  }

  /** Counts the hours that are due, each in a statement of its own, and forgets those that nobody asks for. */
  async keepHours(): Promise<void> {
    const nowMs = Date.now();
    const keptFromMs = startOf(hourMs, nowMs - keptMs);
    const firstMs = await this.firstHour(keptFromMs);
    if (firstMs !== null) {
      // The hour that will be needed next is ready by then.
      const lastMs = startOf(hourMs, nowMs - liveMs);
      const due: { hour: Date }[] = await this.dataSource.query(dueSql, [
        new Date(firstMs),
        new Date(lastMs),
      ]);
      for (const { hour } of due) await this.keepHour(hour.getTime());
    }
    await this.dataSource.query('delete from outcomes_hourly where hour < $1', [
      new Date(keptFromMs),
    ]);
    await this.dataSource.query('delete from replies_by_minute where minute < $1', [
      new Date(keptFromMs),
    ]);
  }

  private async keepHour(hourStartMs: number): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const hour = new Date(hourStartMs);
      await manager.query('delete from outcomes_hourly where hour = $1', [hour]);
      await manager.query(keepSql, [...boundsOf(hourStartMs, hourStartMs + hourMs), null, hour]);
    });
  }

  private async count(
    fromMs: number,
    toMs: number,
    accountId: string | null,
    mode: Mode | null,
  ): Promise<Outcomes> {
    const rows: (Outcomes & { account_id: string | null; mode: Mode | null })[] =
      await this.dataSource.query(countSql, [...boundsOf(fromMs, toMs), accountId]);
    return sumOfOutcomes(rows.filter((row) => row.account_id === null && row.mode === mode));
  }

  private countedHours(
    fromMs: number,
    toMs: number,
    accountId: string | null,
    mode: Mode | null,
  ): Promise<Outcomes[]> {
    return this.dataSource.query(
      `select f.* from outcomes_hourly h
         cross join lateral jsonb_to_record(case when $4::text is null
           then to_jsonb(h) || jsonb_build_object('deliveryTimes', h.delivery_times) else h.by_mode->$4 end)
         as f (accepted int, delivered int, read int, failed int, concluded int, replies int, "deliveryTimes" jsonb)
       where account_id ${accountId === null ? 'is null and $3::uuid is null' : '= $3::uuid'}
         and hour >= $1 and hour < $2 and ($4::text is null or by_mode ? $4)`,
      [new Date(fromMs), new Date(toMs), accountId, mode],
    );
  }

  /** How many hours have something to count and have not been counted yet. */
  private async missing(fromMs: number, toMs: number, mode: Mode | null): Promise<number> {
    const firstMs = await this.firstHour(fromMs);
    if (firstMs === null || firstMs >= toMs) return 0;
    const [row]: { counted: number }[] = await this.dataSource.query(
      `select count(*)::int as counted from outcomes_hourly
       where account_id is null and hour >= $1 and hour < $2 and ($3::text is null or by_mode is not null)`,
      [new Date(firstMs), new Date(toMs), mode],
    );
    return (toMs - firstMs) / hourMs - (row?.counted ?? 0);
  }

  /** The first hour since a time that has a message or a reply, in milliseconds; null when none has. */
  private async firstHour(fromMs: number): Promise<number | null> {
    const [row]: { id: string | null; minute: Date | null }[] = await this.dataSource.query(
      `select (select id from messages where id >= $1 order by id limit 1) as id,
         (select min(minute) from replies_by_minute where minute >= $2) as minute`,
      [firstIdAt(fromMs), new Date(fromMs)],
    );
    const times = [row?.id ? timeOfId(row.id) : null, row?.minute?.getTime() ?? null];
    const first = Math.min(...times.filter((time) => time !== null));
    return Number.isFinite(first) ? startOf(hourMs, first) : null;
  }
}

/** The ids and the times of a period, for `countSql`. */
const boundsOf = (fromMs: number, toMs: number) => [
  firstIdAt(fromMs),
  firstIdAt(toMs),
  new Date(fromMs),
  new Date(toMs),
];
