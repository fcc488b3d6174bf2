import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests take their unit of the day when they are accepted, in the transaction that accepts them, so
 * `api_key_usage` is the count itself and no longer a note of it. The guard takes the minute alone.
 */
export class DayUnits1796000000000 implements MigrationInterface {
  name = 'DayUnits1796000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // A key's row is updated with every group of its requests: room on its page keeps that cheap.
    await queryRunner.query('alter table api_key_usage set (fillfactor = 50)');
    await queryRunner.query(takeMinuteUnits);
    await queryRunner.query(takeDayUnits);
    await queryRunner.query(takeDayOfMessages);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop function if exists take_day_of_messages');
    await queryRunner.query('drop function if exists take_day_units');
    await queryRunner.query('drop function if exists take_minute_units');
    await queryRunner.query('alter table api_key_usage reset (fillfactor)');
  }
}

/*
 * Takes units of the minute for several keys at once, and reads their days and their accounts' versions.
 * A key gets as many units as its minute still holds, and none once its day is used up.
 */
const takeMinuteUnits = `
  create function take_minute_units(
    key_ids uuid[], account_ids uuid[], minute_limits int[], day_limits int[], counts int[]
  ) returns table (api_key_id uuid, granted int, minute_used int, day_used int,
                   account_version bigint, now_ms bigint)
  language plpgsql as $$
  declare
    now_at timestamptz := clock_timestamp();
    this_minute bigint := floor(extract(epoch from now_at) / 60);
    this_day int := floor(extract(epoch from now_at) / 86400);
    free int;
    minute_before int;
    day_now int;
  begin
    for i in 1..coalesce(array_length(key_ids, 1), 0) loop
      day_now := coalesce((select u.used from api_key_usage u
                           where u.api_key_id = key_ids[i] and u.day = this_day), 0);
      insert into quota_counters as q values (key_ids[i], this_minute, 0, this_day, day_now)
        on conflict on constraint quota_counters_pkey do nothing;
      select case when q.minute = this_minute then q.minute_used else 0 end
        into minute_before
        from quota_counters q where q.api_key_id = key_ids[i] for update;
      free := case when day_now >= day_limits[i] then 0
                   else greatest(0, least(counts[i], minute_limits[i] - minute_before)) end;
      update quota_counters q set minute = this_minute, minute_used = minute_before + free
        where q.api_key_id = key_ids[i];
      return query select key_ids[i], free, minute_before + free, day_now,
        (select a.version from accounts a where a.id = account_ids[i]),
        floor(extract(epoch from now_at) * 1000)::bigint;
    end loop;
  end $$`;

/* Takes units of a key's day, as many as it still holds, and tells how many that were. */
const takeDayUnits = `
  create function take_day_units(key_id uuid, day_limit int, units int)
  returns table (day int, used int, granted int) language plpgsql as $$
  declare
    today int := floor(extract(epoch from clock_timestamp()) / 86400);
    free int := least(units, day_limit);
    used_now int;
  begin
    insert into api_key_usage as u values (key_id, today, free)
      on conflict on constraint api_key_usage_pkey do update set used = u.used + units
      where u.used + units <= day_limit
      returning u.used into used_now;
    if used_now is null then
      -- The row is locked all the same, and holds less than was asked for.
      select u.used into used_now from api_key_usage u where u.api_key_id = key_id and u.day = today;
      free := greatest(0, day_limit - used_now);
      used_now := used_now + free;
      update api_key_usage u set used = used_now where u.api_key_id = key_id and u.day = today;
    end if;
    return query select today, used_now, free;
  end $$`;

/*
 * Takes the units of messages of one key that are about to be stored, the first ones first, and forgets the
 * idempotency keys of those that get none: the statement that stores the others has just inserted them.
 */
const takeDayOfMessages = `
  create function take_day_of_messages(
    key_id uuid, day_limit int, message_ids uuid[], routes text[], keys text[]
  ) returns table (message_id uuid, day int, used int, is_granted boolean) language plpgsql as $$
  declare
    units int := array_length(message_ids, 1);
    taken record;
  begin
    select * into taken from take_day_units(key_id, day_limit, units);
    if taken.granted < units then
      delete from idempotency_keys k
        using unnest(message_ids, routes, keys) with ordinality as m (id, route, key, place)
        where m.place > taken.granted and k.api_key_id = key_id and k.route = m.route and k.key = m.key;
    end if;
    return query
      select m.id, taken.day, taken.used - greatest(0, taken.granted - m.place::int),
             m.place <= taken.granted
      from unnest(message_ids) with ordinality as m (id, place);
  end $$`;
