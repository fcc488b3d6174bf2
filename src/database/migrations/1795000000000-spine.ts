import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts, users, keys, messages and what carries them.
 *
 * The growing tables are partitioned by month by range of a UUIDv7, which begins with its time:
 * the primary key stays just `id`, a look-up by id reads one partition, retention drops one.
 */
export class Spine1795000000000 implements MigrationInterface {
  name = 'Spine1795000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop table if exists installation_secrets, users, sessions, messages, message_timeline,
        message_attempts, idempotency_keys, api_keys, quota_counters, replay_marks, api_key_usage, usage_hourly,
        alerts, audit_log, periodic_work, accounts cascade`);
    await queryRunner.query(`drop function if exists ensure_partitions, drop_old_partitions`);
    await queryRunner.query(`drop function if exists take_quota`);
  }
}

const statements = [
  /* What the installation itself keeps secret, sealed under SECRET_KEY: the pepper of key digests. */
  `create table installation_secrets (
    name text primary key,
    sealed text not null,
    created_at timestamptz not null default now()
  )`,

  `create table accounts (
    id uuid primary key,
    name text not null unique,
    phone_number_id text not null,
    business_account_id text not null,
    display_phone_number text not null,
    access_token text not null,
    app_secret text not null,
    active boolean not null default true,
    messages_per_second int,
    version bigint not null default 1,
    hold_kind text check (hold_kind in ('paused', 'throttled')),
    hold_code int,
    hold_reason text,
    hold_until timestamptz,
    hold_step int not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `comment on column accounts.version is
    'Raised in the same transaction as any change to the account, its keys, mappings or templates.'`,
  `comment on column accounts.hold_kind is
    'Why nothing is claimed for this number now: paused (account-level refusal) or throttled.'`,

  `create table users (
    id uuid primary key,
    email text not null,
    password_hash text not null,
    role text not null check (role in ('operator', 'administrator')),
    account_id uuid references accounts (id),
    active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check (role = 'operator' or account_id is not null)
  )`,
  `create unique index users_email on users (lower(email))`,

  `create table api_keys (
    id uuid primary key,
    account_id uuid not null references accounts (id),
    name text not null,
    description text,
    mode text not null default 'live' check (mode in ('live', 'test')),
    digest bytea not null,
    display text not null,
    previous_digest bytea,
    previous_expires_at timestamptz,
    permissions text[] not null,
    rate_limit_per_minute int not null default 60,
    daily_limit int not null default 10000,
    expires_at timestamptz,
    allowed_ips text[] not null default '{}',
    active boolean not null default true,
    revoked_at timestamptz,
    suspended_at timestamptz,
    suspended_reason text,
    require_signature boolean not null default false,
    signing_secret text not null,
    previous_signing_secret text,
    previous_signing_expires_at timestamptz,
    webhook_url text,
    webhook_events text[],
    webhook_secret text not null,
    previous_webhook_secret text,
    previous_webhook_expires_at timestamptz,
    webhook_disabled_at timestamptz,
    webhook_disabled_reason text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (account_id, name)
  )`,
  `create unique index api_keys_digest on api_keys (digest)`,
  `create unique index api_keys_previous_digest on api_keys (previous_digest)
    where previous_digest is not null`,

  `create table messages (
    id uuid primary key,
    account_id uuid not null,
    api_key_id uuid not null,
    mode text not null,
    type text not null,
    recipient text not null,
    reference text,
    payload json not null,
    waiting boolean not null,
    origin uuid,
    status text not null default 'queued' check (status in
      ('queued', 'sending', 'unconfirmed', 'sent', 'delivered', 'read', 'failed')),
    changes smallint not null default 0,
    attempt smallint not null default 0,
    claim_token uuid,
    lease_until timestamptz,
    next_attempt_at timestamptz not null,
    give_up_at timestamptz not null,
    platform_message_id text,
    error jsonb,
    pricing jsonb,
    created_at timestamptz not null,
    sent_at timestamptz,
    delivered_at timestamptz,
    read_at timestamptz,
    failed_at timestamptz
  ) partition by range (id)`,
  `create index messages_due on messages (next_attempt_at) where status = 'queued'`,
  `create index messages_lease on messages (lease_until) where status = 'sending'`,
  `create index messages_unconfirmed on messages (account_id) where status = 'unconfirmed'`,
  `create index messages_platform_id on messages (platform_message_id)
    where platform_message_id is not null`,
  `create index messages_account on messages (account_id, id)`,
  `create index messages_reference on messages (account_id, reference)
    where reference is not null`,
  `create index messages_recipient on messages (account_id, recipient)`,

  /* One row a change; "queued" is the message's created_at and has no row. */
  `create table message_timeline (
    message_id uuid not null,
    position smallint not null,
    status text not null,
    at timestamptz not null,
    source text not null,
    primary key (message_id, position)
  ) partition by range (message_id)`,

  /* One row for each call to the platform that ended, however it ended. */
  `create table message_attempts (
    message_id uuid not null,
    number smallint not null,
    started_at timestamptz not null,
    duration_ms int not null,
    outcome text not null,
    http_status int,
    error_code int,
    detail text,
    primary key (message_id, number)
  ) partition by range (message_id)`,

  `create table idempotency_keys (
    api_key_id uuid not null,
    route text not null,
    key text not null,
    body_digest bytea not null,
    message_id uuid not null,
    expires_at timestamptz not null,
    primary key (api_key_id, route, key)
  )`,
  `create index idempotency_keys_expiry on idempotency_keys (expires_at)`,

  /* Counters are worth less than their writes cost: unlogged, and taken up again from api_key_usage. */
  `create unlogged table quota_counters (
    api_key_id uuid primary key,
    minute bigint not null,
    minute_used int not null,
    day int not null,
    day_used int not null
  ) with (fillfactor = 50)`,

  /* Logged: a signature that was used must still be known after a crash. */
  `create table replay_marks (
    api_key_id uuid not null,
    signature bytea not null,
    expires_at timestamptz not null,
    primary key (api_key_id, signature)
  )`,
  `create index replay_marks_expiry on replay_marks (expires_at)`,

  `create table api_key_usage (
    api_key_id uuid not null,
    day int not null,
    used int not null,
    primary key (api_key_id, day)
  )`,

  `create table usage_hourly (
    account_id uuid not null,
    api_key_id uuid not null,
    mode text not null,
    hour timestamptz not null,
    calls bigint not null default 0,
    accepted bigint not null default 0,
    refused bigint not null default 0,
    primary key (account_id, api_key_id, mode, hour)
  )`,

  `create table alerts (
    id uuid primary key,
    account_id uuid not null,
    kind text not null,
    subject text not null,
    message text not null,
    details jsonb not null default '{}',
    created_at timestamptz not null default now(),
    resolved_at timestamptz
  )`,
  `create unique index alerts_open on alerts (account_id, kind, subject) where resolved_at is null`,

  /* Periodic work is a row: an emptied Redis loses no schedule. */
  `create table periodic_work (
    name text primary key,
    every_seconds int not null,
    next_run_at timestamptz not null default now(),
    last_run_at timestamptz,
    last_error text
  )`,

  /* Makes the monthly partitions from the current month on. Safe to call at any time, from any process. */
  `create function ensure_partitions(months_ahead int) returns void language plpgsql as $$
  declare
    parent text;
    first_day date;
    lower_id uuid;
    upper_id uuid;
  begin
    perform pg_advisory_xact_lock(7241, 1);
    foreach parent in array array['messages', 'message_timeline', 'message_attempts'] loop
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

  /* Drops partitions whose last message is older than the retention. */
  `create function drop_old_partitions(retention_days int) returns int language plpgsql as $$
  declare
    part record;
    dropped int := 0;
  begin
    perform pg_advisory_xact_lock(7241, 1);
    for part in
      select c.relname, to_date(right(c.relname, 7), 'YYYY_MM') as month
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('messages'::regclass, 'message_timeline'::regclass,
                            'message_attempts'::regclass)
        and c.relname ~ '_[0-9]{4}_[0-9]{2}$'
    loop
      if part.month + interval '1 month' < now() - make_interval(days => retention_days) then
        execute format('drop table %I', part.relname);
        dropped := dropped + 1;
      end if;
    end loop;
    return dropped;
  end $$`,

  /*
   * Takes units of several keys at once, all windows aligned to UTC, and tells each account's version.
   * A key gets as many of its requested units as both windows still hold, and no refused unit counts.
   */
  `create function take_quota(
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
    day_before int;
  begin
    for i in 1..coalesce(array_length(key_ids, 1), 0) loop
      insert into quota_counters as q values (key_ids[i], this_minute, 0, this_day,
        coalesce((select u.used from api_key_usage u
                  where u.api_key_id = key_ids[i] and u.day = this_day), 0))
        on conflict on constraint quota_counters_pkey do nothing;
      select case when q.minute = this_minute then q.minute_used else 0 end,
             case when q.day = this_day then q.day_used else 0 end
        into minute_before, day_before
        from quota_counters q where q.api_key_id = key_ids[i] for update;
      free := greatest(0, least(counts[i], minute_limits[i] - minute_before, day_limits[i] - day_before));
      update quota_counters q set minute = this_minute, minute_used = minute_before + free,
        day = this_day, day_used = day_before + free where q.api_key_id = key_ids[i];
      return query select key_ids[i], free, minute_before + free, day_before + free,
        (select a.version from accounts a where a.id = account_ids[i]),
        floor(extract(epoch from now_at) * 1000)::bigint;
    end loop;
  end $$`,
];
