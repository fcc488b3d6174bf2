import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The platform's notifications, the events that callers hear of, and their deliveries. */
export class Webhooks1795300000000 implements MigrationInterface {
  name = 'Webhooks1795300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop table if exists platform_notifications, notification_events, notification_keys,
        inbound_media, webhook_events, webhook_deliveries, webhook_attempts, webhook_failures cascade`);
    await queryRunner.query(`drop index if exists api_keys_webhook`);
    await queryRunner.query(`
      alter table accounts drop column if exists quality_event, drop column if exists quality_limit,
        drop column if exists quality_at`);
    await queryRunner.query(`drop function if exists new_id, growing_tables`);
  }
}

const statements = [
  /* The same ids as the processes make, for rows that a statement makes by itself. */
  `create function new_id() returns uuid language sql volatile as $$
    select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
      || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
  $$`,

  /* A request of the platform as it came. Bytes: the body may hold what no text column takes. */
  `create table platform_notifications (
    id uuid primary key,
    mode text check (mode in ('live', 'test')),
    account_ids uuid[],
    body bytea not null,
    received_at timestamptz not null default now(),
    attempts smallint not null default 0,
    next_attempt_at timestamptz default now(),
    processed_at timestamptz
  ) partition by range (id)`,
  `comment on column platform_notifications.mode is
    'Whose rows it may touch; null: both, because the simulator is the platform.'`,
  `comment on column platform_notifications.account_ids is
    'The accounts with the secret that signed it; null: all, because the simulator signed it.'`,
  `create index platform_notifications_due on platform_notifications (next_attempt_at)
    where next_attempt_at is not null`,

  /* Events that are not done: set aside with their error, early, or of messages that are not ours. */
  `create table notification_events (
    id uuid primary key,
    notification_id uuid not null,
    event_key text not null,
    account_id uuid,
    mode text,
    kind text not null,
    state text not null check (state in ('waiting', 'set_aside', 'foreign', 'done')),
    error text,
    attempts smallint not null default 1,
    received_at timestamptz not null,
    next_attempt_at timestamptz,
    created_at timestamptz not null default now(),
    done_at timestamptz
  ) partition by range (id)`,
  `create index notification_events_due on notification_events (next_attempt_at)
    where next_attempt_at is not null`,
  `create index notification_events_set_aside on notification_events (id) where state = 'set_aside'`,

  /* What was seen, for longer than the platform repeats it (7 days). Unpartitioned: months end. */
  `create table notification_keys (
    key bytea primary key,
    expires_at timestamptz not null default now() + interval '8 days'
  )`,
  `create index notification_keys_expiry on notification_keys (expires_at)`,

  /* Files that users sent, which callers may fetch through us. The platform keeps them for up to 30 days. */
  `create table inbound_media (
    account_id uuid not null,
    mode text not null,
    media_id text not null,
    file_name text,
    expires_at timestamptz not null default now() + interval '30 days',
    primary key (account_id, mode, media_id)
  )`,
  `create index inbound_media_expiry on inbound_media (expires_at)`,

  /* What callers are told, serialised once. */
  `create table webhook_events (
    id uuid primary key,
    account_id uuid not null,
    mode text not null,
    type text not null,
    body text not null,
    created_at timestamptz not null default now()
  ) partition by range (id)`,

  `create table webhook_deliveries (
    id uuid primary key,
    event_id uuid not null,
    account_id uuid not null,
    api_key_id uuid not null,
    mode text not null,
    type text not null,
    status text not null default 'pending' check (status in
      ('pending', 'retrying', 'succeeded', 'failed')),
    attempts smallint not null default 0,
    attempts_before smallint not null default 0,
    next_attempt_at timestamptz,
    error text,
    created_at timestamptz not null default now(),
    finished_at timestamptz
  ) partition by range (id)`,
  `comment on column webhook_deliveries.attempts_before is
    'Attempts made before the last redelivery: the schedule counts from there.'`,
  `comment on column webhook_deliveries.next_attempt_at is
    'When the next attempt may start; while one is under way, when its lease is over.'`,
  `create index webhook_deliveries_due on webhook_deliveries (api_key_id, next_attempt_at)
    where next_attempt_at is not null`,
  `create index webhook_deliveries_account on webhook_deliveries (account_id, id)`,
  `create index webhook_deliveries_key on webhook_deliveries (api_key_id, id)`,

  `create table webhook_attempts (
    delivery_id uuid not null,
    number smallint not null,
    started_at timestamptz not null,
    duration_ms int not null,
    status_code int,
    response text,
    error text,
    primary key (delivery_id, number)
  ) partition by range (delivery_id)`,

  /* Failures of an endpoint since its last success; a healthy one has no row. */
  `create table webhook_failures (
    api_key_id uuid primary key,
    failures int not null,
    since timestamptz not null
  ) with (fillfactor = 50)`,

  /* Each change of a message asks whether its key has a webhook: most have none. */
  `create index api_keys_webhook on api_keys (id) where webhook_url is not null`,

  /* What the platform last said of the number's quality. */
  `alter table accounts add column quality_event text, add column quality_limit text,
    add column quality_at timestamptz`,

  `create function growing_tables() returns text[] language sql immutable as $$
    select array['messages', 'message_timeline', 'message_attempts', 'platform_notifications',
      'notification_events', 'webhook_events', 'webhook_deliveries', 'webhook_attempts']
  $$`,
  `create or replace function ensure_partitions(months_ahead int) returns void language plpgsql as $$
  declare
    parent text;
    first_day date;
    lower_id uuid;
    upper_id uuid;
  begin
    perform pg_advisory_xact_lock(7241, 1);
    foreach parent in array growing_tables() loop
      execute format('create table if not exists %I partition of %I default',
        parent || '_other', parent);
      for ahead in 0..months_ahead loop
        first_day := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead))::date;
        lower_id := (rpad(lpad(to_hex((extract(epoch from first_day::timestamp) * 1000)::bigint), 12, '0'), 32, '0'))::uuid;
        upper_id := (rpad(lpad(to_hex((extract(epoch from (first_day + interval '1 month')::timestamp) * 1000)::bigint), 12, '0'), 32, '0'))::uuid;
        execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
          parent || '_' || to_char(first_day, 'YYYY_MM'), parent, lower_id, upper_id);
      end loop;
    end loop;
  end $$`,
  `select ensure_partitions(3)`,
  `create or replace function drop_old_partitions(retention_days int) returns int language plpgsql as $$
  declare
    part record;
    dropped int := 0;
  begin
    perform pg_advisory_xact_lock(7241, 1);
    for part in
      select c.relname, to_date(right(c.relname, 7), 'YYYY_MM') as month
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      join pg_class p on p.oid = i.inhparent
      where p.relname = any (growing_tables()) and c.relname ~ '_[0-9]{4}_[0-9]{2}$'
    loop
      if part.month + interval '1 month' < now() - make_interval(days => retention_days) then
        execute format('drop table %I', part.relname);
        dropped := dropped + 1;
      end if;
    end loop;
    return dropped;
  end $$`,
];
