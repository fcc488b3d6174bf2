import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * All tables of the first release, by subject. Later migrations only add to them.
 *
 * The growing tables are partitioned by month, by range of a UUIDv7, which begins with its time: the
 * primary key stays just `id`, a look-up by id reads one partition, retention drops one.
 */
export class Baseline1798000000000 implements MigrationInterface {
  name = 'Baseline1798000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('There is nothing before these tables: begin with a new database.');
  }
}

const installation = [
  /* What the installation itself keeps secret, sealed under SECRET_KEY: the pepper of key digests. */
  `create table installation_secrets (
    name text primary key,
    sealed text not null,
    created_at timestamptz not null default now()
  )`,

  /*
   * The history of changes that this database belongs to. Another cluster (a restored dump), another timeline (a
   * promoted standby, a restore to a point in time) and another database each have a different one.
   */
  `create function database_history() returns text language sql stable as $$
    select concat_ws('/', (select system_identifier from pg_control_system()),
      left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
      (select oid from pg_database where datname = current_database()))
  $$`,

  /*
   * The histories that Parley has written to, see ReplayMarks and HistoryWatch. The first has no beginning. With a
   * synchronous standby a commit waits until the standby has it, too. `lost_since`: what was committed after it is
   * missing, and what it was sent for may have been sent.
   */
  `create table database_histories (
    history text primary key,
    began_at timestamptz not null,
    is_synchronous boolean not null default false,
    lost_since timestamptz
  )`,

  /* Periodic work is a row: an emptied Redis loses no schedule. */
  `create table periodic_work (
    name text primary key,
    every_seconds int not null,
    next_run_at timestamptz not null default now(),
    last_run_at timestamptz,
    last_error text
  )`,
];

const idsAndMonths = [
  /* The same ids as the processes make, for rows that a statement makes by itself. */
  `create function new_id() returns uuid language sql volatile as $$
    select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
      || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
  $$`,

  `create function first_id_of(at timestamptz) returns uuid language sql immutable as $$
    select rpad(lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
  $$`,

  `create function growing_tables() returns text[] language sql immutable as $$
    select array['messages', 'platform_notifications', 'notification_events', 'done_events',
      'feed_events']
  $$`,

  /*
   * Makes the monthly partitions from the current month on. Safe to call at any time, from any process.
   *
   * The messages have room on each page for their receipts. PostgreSQL refuses a partition while the
   * default one holds rows of its range, as after a pause of months. They leave it and come back in the
   * same transaction.
   */
  `create function ensure_partitions(months_ahead int) returns void language plpgsql as $$
  declare
    parent text;
    part text;
    options text;
    first_day timestamptz;
    lower_id uuid;
    upper_id uuid;
  begin
    perform pg_advisory_xact_lock(7241, 1);
    foreach parent in array growing_tables() loop
      options := case when parent = 'messages' then 'with (fillfactor = 70)' else '' end;
      execute format('create table if not exists %I partition of %I default %s',
        parent || '_other', parent, options);
      for ahead in 0..months_ahead loop
        first_day := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead))
          at time zone 'UTC';
        part := parent || '_' || to_char(first_day at time zone 'UTC', 'YYYY_MM');
        continue when to_regclass(quote_ident(part)) is not null;
        lower_id := first_id_of(first_day);
        upper_id := first_id_of((first_day at time zone 'UTC' + interval '1 month') at time zone 'UTC');
        execute format('lock table %I in access exclusive mode', parent || '_other');
        execute format('create temporary table late_rows as select * from %I where id >= %L and id < %L',
          parent || '_other', lower_id, upper_id);
        execute format('delete from %I where id >= %L and id < %L', parent || '_other', lower_id, upper_id);
        execute format('create table %I partition of %I for values from (%L) to (%L) %s',
          part, parent, lower_id, upper_id, options);
        execute format('insert into %I select * from late_rows', parent);
        drop table late_rows;
      end loop;
    end loop;
  end $$`,

  /* Drops partitions whose last row is older than the retention. */
  `create function drop_old_partitions(retention_days int) returns int language plpgsql as $$
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

const accounts = [
  /* One number of the platform each. Its quality is what the platform last said of it. */
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
    learnt_per_second real,
    learnt_at timestamptz,
    version bigint not null default 1,
    hold_kind text check (hold_kind in ('paused', 'throttled')),
    hold_code int,
    hold_reason text,
    hold_until timestamptz,
    hold_step int not null default 0,
    quality_event text,
    quality_limit text,
    quality_at timestamptz,
    keywords jsonb,
    keyword_scope text not null default 'marketing' check (keyword_scope in ('marketing', 'all')),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `comment on column accounts.messages_per_second is
    'How many messages a second the number may send; null: unlimited.'`,
  `comment on column accounts.keywords is
    'Words by which users opt out and in: {"out": [], "in": []}; null: none.'`,
  `comment on column accounts.version is
    'Raised in the same transaction as any change to the account, its keys, mappings or templates.'`,
  `comment on column accounts.hold_kind is
    'Why nothing is claimed for this number now: paused (account-level refusal) or throttled.'`,
  `comment on column accounts.learnt_per_second is
    'The pace that Parley chose at learnt_at, after the platform had refused a faster one; see pace_of.'`,

  /* Most notifications leave no row of their own. */
  `create table account_notifications (
    account_id uuid not null,
    mode text not null,
    last_at timestamptz not null,
    since timestamptz,
    history text not null,
    primary key (account_id, mode)
  ) with (fillfactor = 50)`,
  `comment on table account_notifications is
    'When the platform last reported on an account, to the minute.'`,
  `comment on column account_notifications.since is
    'When, by its clock, the first report came since which none can have been lost; null: not known.'`,
  `comment on column account_notifications.history is 'The history for which since is valid, see database_history().'`,

  `create table api_presence (
    is_only boolean primary key default true check (is_only),
    seen_at timestamptz not null,
    returned_at timestamptz
  )`,
  `comment on table api_presence is
    'When an API process was last there to take notifications, and when one last returned after minutes without.'`,

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
];

/** How fast a number sends: what the platform has taught us, and the tokens of the moment. */
const pace = [
  /* A tenth of the limit comes back each minute. */
  `create function pace_of(per_second int, learnt_per_second real, learnt_at timestamptz)
   returns real language sql stable as $$
    select least(per_second, coalesce(learnt_per_second
      + per_second * extract(epoch from clock_timestamp() - learnt_at) / 600, per_second))::real
  $$`,

  /* Unlogged: a lost bucket counts as full. A number's first message makes it. */
  `create unlogged table pace_buckets (
    account_id uuid primary key,
    tokens double precision not null,
    at timestamptz not null,
    waited_at timestamptz
  ) with (fillfactor = 50)`,
  `comment on column pace_buckets.waited_at is
    'When a message with a waiting caller last found no token; until shortly after it, others get none.'`,
];

const users = [
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

  /* A session is stored under the digest of its id: nobody can sign in with what they read here. */
  `create table sessions (
    digest bytea primary key,
    user_id uuid not null references users (id) on delete cascade,
    created_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  `create index sessions_user on sessions (user_id)`,
  `create index sessions_expiry on sessions (expires_at)`,

  /* Attempts by address; useless after their minute, so the table is unlogged. */
  `create unlogged table attempt_counters (
    key text primary key,
    hits int not null,
    expires_at timestamptz not null
  ) with (fillfactor = 50)`,

  /* Keeps the email address that the actor had: users may be deleted, but their actions stay. */
  `create table audit_log (
    id uuid primary key,
    at timestamptz not null default clock_timestamp(),
    account_id uuid,
    user_id uuid,
    actor text not null,
    address text,
    action text not null,
    subject_type text not null,
    subject_id uuid,
    subject_name text,
    details jsonb not null default '{}'
  )`,
  `create index audit_log_account on audit_log (account_id, id)`,
  `create function refuse_audit_change() returns trigger language plpgsql as $$
  begin
    raise exception 'the audit log takes entries and nothing else (% refused)', tg_op;
  end $$`,
  `create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function refuse_audit_change()`,
];

const apiKeys = [
  /*
   * What a rotation replaces works on until its overlap ends: `previous`. A second rotation within an
   * overlap leaves what the first one kept alive until its own end: `older`.
   */
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
    older_digest bytea,
    older_expires_at timestamptz,
    permissions text[] not null,
    rate_limit_per_minute int not null default 60,
    daily_limit int not null default 10000,
    expires_at timestamptz,
    allowed_ips text[] not null default '{}',
    active boolean not null default true,
    event_feed boolean not null default false,
    revoked_at timestamptz,
    suspended_at timestamptz,
    suspended_reason text,
    require_signature boolean not null default false,
    signing_secret text not null,
    previous_signing_secret text,
    previous_signing_expires_at timestamptz,
    older_signing_secret text,
    older_signing_expires_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (account_id, name)
  )`,
  `create unique index api_keys_digest on api_keys (digest)`,
  `create unique index api_keys_previous_digest on api_keys (previous_digest)
    where previous_digest is not null`,
  `create unique index api_keys_older_digest on api_keys (older_digest)
    where older_digest is not null`,

  /* Each change of a message asks whether its key has a feed: most have none. */
  `create index api_keys_feed on api_keys (id) where event_feed`,

  /* Each key has one endpoint with its own id, made with the key: what webhook_url sets. */
  `create table webhook_endpoints (
    id uuid primary key,
    api_key_id uuid not null references api_keys (id) on delete cascade,
    account_id uuid not null,
    mode text not null,
    name text not null,
    url text,
    events text[],
    statuses text[],
    message_types text[],
    scope text not null default 'key' check (scope in ('key', 'account')),
    max_in_flight int not null default 64,
    secret text not null,
    previous_secret text,
    previous_expires_at timestamptz,
    older_secret text,
    older_expires_at timestamptz,
    disabled_at timestamptz,
    disabled_reason text,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `comment on column webhook_endpoints.url is 'Null: nowhere. An endpoint that was deleted has none.'`,
  /* Each change of a message asks who listens: most keys have no address, and few listen to their account. */
  `create index webhook_endpoints_key on webhook_endpoints (api_key_id)`,
  `create index webhook_endpoints_listening on webhook_endpoints (api_key_id) where url is not null`,
  `create index webhook_endpoints_account on webhook_endpoints (account_id, mode, scope)
    where url is not null`,

  /* Apart from api_keys, and without an index on the time: it changes all day and nothing searches by it. */
  `create table api_key_last_used (
    api_key_id uuid primary key,
    last_used_at timestamptz not null,
    address text
  ) with (fillfactor = 50)`,

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

  /* Logged: a signature that was used must still be known after a crash. */
  `create table replay_marks (
    api_key_id uuid not null,
    signature bytea not null,
    expires_at timestamptz not null,
    primary key (api_key_id, signature)
  )`,
  `create index replay_marks_expiry on replay_marks (expires_at)`,

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
];

/**
 * The guard takes units of the minute. Requests take their unit of the day when they are accepted, in the
 * transaction that accepts them. All windows are aligned to UTC.
 */
const limits = [
  /* The keys' counters of the minute are not worth a logged write. */
  `create unlogged table quota_counters (
    api_key_id uuid primary key,
    minute bigint not null,
    minute_used int not null
  ) with (fillfactor = 50)`,

  /* A key's row is updated with every group of its requests: room on its page keeps that cheap. */
  `create table api_key_usage (
    api_key_id uuid not null,
    day int not null,
    used int not null,
    primary key (api_key_id, day)
  ) with (fillfactor = 50)`,

  /*
   * Takes units of the minute for several keys at once, and reads their days and their accounts' versions.
   * A key gets as many units as its minute still holds, and none once its day is used up.
   */
  `create function take_minute_units(
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
      insert into quota_counters as q values (key_ids[i], this_minute, 0)
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
  end $$`,

  /* Takes units of a key's day, as many as it still holds, and tells how many that were. */
  `create function take_day_units(key_id uuid, day_limit int, units int)
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
  end $$`,

  /*
   * Takes the units of messages of one key that are about to be stored, the first ones first, and forgets the
   * idempotency keys of those that get none: the statement that stores the others has just inserted them.
   */
  `create function take_day_of_messages(
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
  end $$`,
];

/**
 * What a message went through is columns of its row and one log: see docs/adr/0010-lean-rows.md. "Queued" is
 * its created_at.
 */
const messages = [
  `create table messages (
    id uuid primary key,
    account_id uuid not null,
    api_key_id uuid not null,
    mode text not null,
    type text not null,
    recipient text,
    reference text,
    payload json not null,
    waiting boolean not null,
    origin uuid,
    resent_from uuid,
    traceparent text,
    status text not null default 'queued' check (status in
      ('queued', 'sending', 'unconfirmed', 'sent', 'failed', 'cancelled')),
    receipt text check (receipt in ('delivered', 'read')),
    entered smallint not null default 0,
    attempt smallint not null default 0,
    claim_token uuid,
    lease_until timestamptz,
    next_attempt_at timestamptz not null,
    give_up_at timestamptz not null,
    expires_at timestamptz,
    platform_message_id text,
    error jsonb,
    pricing jsonb,
    held boolean not null default false,
    created_at timestamptz not null,
    sending_at timestamptz,
    sent_at timestamptz,
    delivered_at timestamptz,
    read_at timestamptz,
    failed_at timestamptz,
    attempt_started_at timestamptz,
    attempt_ms int,
    attempt_outcome text,
    attempt_http_status int,
    attempt_error_code int,
    log jsonb,
    to_user_id text,
    address text,
    sent_as text check (sent_as in ('message', 'fallback')),
    fallback json,
    fallback_message_id uuid,
    fallback_for uuid,
    check (receipt is null or status = 'sent')
  ) partition by range (id)`,
  `comment on column messages.status is
    'Without receipts: what is shown is coalesce(receipt, status).'`,
  `comment on column messages.receipt is
    'In no index, so that receipts, which come last, need no new entries.'`,
  `comment on column messages.entered is
    'Which of sent (1), delivered (2) and read (4) it has entered and told; the log has those that came another way.'`,
  `comment on column messages.expires_at is
    'When the caller says that it is too late for a try; null: 15 minutes after its acceptance.'`,
  `comment on column messages.sending_at is
    'When the last try was claimed; null while the message waits for another one.'`,
  `comment on column messages.log is
    'What deviates from the usual way, in its order: statuses, tries that led to another, and their details.'`,
  `comment on column messages.to_user_id is 'The user id that the caller gave.'`,
  `comment on column messages.sent_as is
    'Which of a message and its fallback it is; null where the request had no fallback.'`,
  `comment on column messages.fallback is
    'The payload of the template that follows if the platform finds the window closed.'`,
  `comment on column messages.fallback_message_id is 'The fallback that took its place.'`,
  `comment on column messages.fallback_for is 'The message that this fallback took the place of.'`,
  `comment on column messages.address is
    'The user id that it was sent to, where the platform had replaced the one that the caller gave.'`,

  /*
   * There is no index of everything queued: once the statistics showed a backlog of one number, the planner
   * scanned that backlog for the due messages of other numbers.
   */
  `create index messages_due_of_number on messages (account_id, mode, waiting, next_attempt_at)
    where status = 'queued'`,
  `comment on index messages_due_of_number is
    'What is due, number by number, those with a waiting caller first; and first tries whose time is over.'`,
  `create index messages_retried on messages (give_up_at) where status = 'queued' and attempt > 0`,
  `comment on index messages_retried is 'Further tries whose time is over.'`,
  `create index messages_expiring on messages (expires_at)
    where status = 'queued' and expires_at is not null`,
  `comment on index messages_expiring is 'What has an end of its own, and has reached it.'`,
  `create index messages_lease on messages (lease_until) where status = 'sending'`,
  `comment on index messages_lease is 'Leases that are over, and what is being sent now.'`,
  `create index messages_unconfirmed on messages (account_id) where status = 'unconfirmed'`,
  `comment on index messages_unconfirmed is 'How many of an account are unconfirmed, and which.'`,
  `create index messages_failed on messages (id) where status = 'failed'`,
  `comment on index messages_failed is 'What failed, newest first: rare, and what people look for.'`,
  `create index messages_platform_id on messages (platform_message_id)
    where platform_message_id is not null`,
  `comment on index messages_platform_id is
    'The message that was answered, or that is reported on without our own id.'`,
  `create index messages_account on messages (account_id, id)`,
  `comment on index messages_account is 'The messages of an account, newest first.'`,
  `create index messages_recipient on messages (account_id, recipient)`,
  `comment on index messages_recipient is 'The messages to a recipient.'`,
  `create index messages_user_id on messages (account_id, to_user_id) where to_user_id is not null`,
  `comment on index messages_user_id is 'The messages to a user id.'`,
  `create index messages_reference on messages (account_id, reference text_pattern_ops)
    where reference is not null`,
  `comment on index messages_reference is
    'The messages with a caller''s own reference, or with its beginning.'`,
  `create index messages_resent on messages (resent_from) where resent_from is not null`,
  `comment on index messages_resent is 'What a message was sent again as.'`,
];

/** Users whom a business knows by phone number, user id or both. */
const contacts = [
  `create table contacts (
    id uuid primary key,
    account_id uuid not null,
    mode text not null,
    phone text,
    user_id text,
    parent_user_id text,
    username text,
    name text,
    last_inbound_at timestamptz,
    opted_out text check (opted_out in ('marketing', 'all')),
    merged_into uuid references contacts on delete cascade deferrable initially deferred,
    created_at timestamptz not null default now(),
    active_at timestamptz not null default now()
  )`,
  `comment on column contacts.merged_into is
    'The contact that this one turned out to be; it has no ids of its own then.'`,
  `comment on column contacts.active_at is 'When the platform last named it, to the day.'`,
  `create unique index contacts_phone on contacts (account_id, mode, phone text_pattern_ops)
    where phone is not null`,
  `comment on index contacts_phone is 'The contact with a number, and those whose number begins so.'`,
  /* Its condition follows from none of the others: plans are made while tables are empty, when all indexes seem alike. */
  `create index contacts_phone_end on contacts (account_id, mode, reverse(phone) text_pattern_ops)
    where length(phone) > 0`,
  `comment on index contacts_phone_end is
    'The contacts whose number ends so: people know numbers without the country code, or the last digits.'`,
  `create index contacts_name on contacts (account_id, mode, lower(name) text_pattern_ops)
    where name is not null`,
  `comment on index contacts_name is 'The contacts whose name begins so.'`,
  `create unique index contacts_user_id on contacts (account_id, mode, user_id)
    where user_id is not null`,
  `create index contacts_parent on contacts (account_id, mode, parent_user_id)
    where parent_user_id is not null`,
  `create index contacts_username on contacts (account_id, mode, lower(username) text_pattern_ops)
    where username is not null`,
  `create index contacts_merged on contacts (merged_into) where merged_into is not null`,
  `create index contacts_active on contacts (active_at)`,

  `comment on column contacts.opted_out is
    'What it does not want to get, by its consents; all includes marketing.'`,
  `create index contacts_opted_out_phone on contacts (account_id, mode, phone)
    where opted_out is not null`,
  `create index contacts_opted_out_user on contacts (account_id, mode, user_id)
    where opted_out is not null`,

  /* What a contact, or somebody for it, said about messages. Rows are added, never changed; those of a merged contact move. */
  `create table contact_consents (
    seq bigint generated always as identity primary key,
    contact_id uuid not null references contacts deferrable initially deferred,
    scope text not null check (scope in ('marketing', 'all')),
    state text not null check (state in ('opted_in', 'opted_out')),
    source text not null,
    evidence text,
    at timestamptz not null,
    created_at timestamptz not null default now()
  )`,
  `comment on column contact_consents.at is
    'When it was said, by the clock of whoever reports it: the latest second counts, then the order of arrival.'`,
  `create index contact_consents_contact on contact_consents (contact_id, seq)`,

  `create table contact_former_ids (
    account_id uuid not null,
    mode text not null,
    user_id text not null,
    contact_id uuid not null references contacts on delete cascade deferrable initially deferred,
    primary key (account_id, mode, user_id)
  )`,
  `comment on table contact_former_ids is 'User ids that the platform has replaced by another one.'`,
  `create index contact_former_ids_contact on contact_former_ids (contact_id)`,

  /* Brazil: the platform knows mobile numbers from before the ninth digit without it. */
  `create function phone_forms(phone text) returns text[] language sql immutable as $$
    select case
      when phone not like '+55%' then array[phone]
      when phone ~ '^\\+55\\d\\d9[6-9]\\d{7}$' then array[phone, left(phone, 5) || right(phone, 8)]
      when phone ~ '^\\+55\\d\\d[6-9]\\d{7}$' then array[phone, left(phone, 5) || '9' || right(phone, 8)]
      else array[phone] end
  $$`,
];

/** Templates as last synced, the mappings of keys onto them, and how the syncs went. */
const templates = [
  /*
   * A template that the platform no longer has stays as a row, so that its mappings do: it often comes
   * back. Name and language are compared byte by byte, in the order in which lists page.
   */
  `create table templates (
    id uuid primary key,
    account_id uuid not null references accounts (id),
    mode text not null check (mode in ('live', 'test')),
    name text collate "C" not null,
    language text collate "C" not null,
    platform_id text,
    category text not null,
    status text not null,
    parameter_format text not null check (parameter_format in ('POSITIONAL', 'NAMED')),
    components jsonb not null,
    quality_score text,
    rejected_reason text,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (account_id, mode, name, language)
  )`,

  `create table template_mappings (
    api_key_id uuid not null references api_keys (id) on delete cascade,
    template_id uuid not null references templates (id),
    variables jsonb not null,
    broken_reason text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (api_key_id, template_id)
  )`,
  `create index template_mappings_template on template_mappings (template_id)`,
  `comment on column template_mappings.broken_reason is
    'Why the mapping does not fit the template as it is now; null while it does.'`,

  /* One sync at a time for each account and mode: the process with run_id runs it until running_until. */
  `create table template_syncs (
    account_id uuid not null references accounts (id),
    mode text not null check (mode in ('live', 'test')),
    run_id uuid,
    running_until timestamptz,
    started_at timestamptz,
    synced_at timestamptz,
    failed_at timestamptz,
    error jsonb,
    summary jsonb,
    primary key (account_id, mode)
  )`,

  /* Names that sends have asked the platform for; useless after a minute, so the table is unlogged. */
  `create unlogged table template_lookups (
    account_id uuid not null,
    mode text not null,
    name text collate "C" not null,
    expires_at timestamptz not null,
    primary key (account_id, mode, name)
  )`,
  `create index template_lookups_expiry on template_lookups (expires_at)`,
];

const notifications = [
  /* A request of the platform as it came. Stored as bytes, since a text column cannot hold every body. */
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

  /* Events seen, kept for longer than the platform repeats them (7 days). Not by month: a repetition may come later. */
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

  /* Files that callers have uploaded to the platform, which keeps them for 30 days. */
  `create table uploads (
    id uuid primary key,
    account_id uuid not null,
    mode text not null,
    sha256 bytea not null,
    mime_type text not null,
    kind text not null,
    size integer not null,
    platform_id text not null,
    expires_at timestamptz not null
  )`,
  `create index uploads_of_file on uploads (account_id, mode, sha256)`,
  `create index uploads_expiry on uploads (expires_at)`,
];

/**
 * What callers are told. Events wait in a small table that rows leave when they are delivered, and finished
 * ones are a log. A worker owns an endpoint for a few seconds at a time. See docs/adr/0009-open-events.md.
 */
const events = [
  /* Events on their way to an endpoint; a row leaves when it is delivered or given up. */
  `create table open_events (
    seq bigint generated always as identity,
    id uuid primary key,
    event_id uuid not null,
    endpoint_id uuid not null,
    due_at timestamptz not null default now(),
    account_id uuid not null,
    mode text not null,
    type text not null,
    message_id uuid,
    body text not null,
    traceparent text,
    attempts smallint not null default 0,
    attempts_before smallint not null default 0,
    error text,
    log jsonb,
    created_at timestamptz not null default now()
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
          autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000,
          autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000)`,
  `comment on column open_events.endpoint_id is
    'The endpoint that gets it; it may be gone.'`,
  `comment on column open_events.attempts_before is
    'Attempts made before the last redelivery: the schedule counts from there.'`,
  `comment on column open_events.log is 'The last failed attempts, oldest first, at most 40.'`,
  /* What an endpoint gets next. */
  `create index open_events_due on open_events (endpoint_id, due_at, seq)`,
  /* The log of an account, newest first, and what callers are to be told of one message. */
  `create index open_events_account on open_events (account_id, id)`,
  `create index open_events_message on open_events (message_id) where message_id is not null`,

  /* Delivered, or given up: what the dashboard shows, and what can be delivered again. */
  `create table done_events (
    id uuid primary key,
    event_id uuid not null,
    endpoint_id uuid not null,
    account_id uuid not null,
    mode text not null,
    type text not null,
    message_id uuid,
    body text not null,
    traceparent text,
    status text not null check (status in ('succeeded', 'failed')),
    attempts smallint not null,
    error text,
    log jsonb,
    last_at timestamptz,
    last_ms int,
    last_status int,
    last_response text,
    last_url text,
    created_at timestamptz not null,
    finished_at timestamptz not null default now()
  ) partition by range (id)`,
  `comment on column done_events.last_at is
    'When the last attempt started; null when none was made. The attempts before it are in the log.'`,
  /* The log of an account, and of one endpoint, newest first. */
  `create index done_events_account on done_events (account_id, id)`,
  `create index done_events_endpoint on done_events (endpoint_id, id)`,
  /* What callers were told of one message. */
  `create index done_events_message on done_events (message_id) where message_id is not null`,
  /* What failed is rare and is what people look for. */
  `create index done_events_failed on done_events (id) where status = 'failed'`,

  /*
   * The feeds of keys. An event may be committed after one with a later id: a reader gets those of
   * transactions before the oldest one that is still open, in the order (xid, id).
   */
  `create table feed_events (
    xid xid8 not null default pg_current_xact_id(),
    id uuid not null,
    api_key_id uuid not null,
    type text not null,
    body text not null
  ) partition by range (id)`,
  `create index feed_events_key on feed_events (api_key_id, xid, id)`,

  /* Which worker delivers to an endpoint now. Unlogged: after a crash leases are taken again. */
  `create unlogged table endpoint_leases (
    endpoint_id uuid primary key,
    term uuid not null,
    until timestamptz not null,
    busy uuid[] not null default '{}',
    busy_until timestamptz
  ) with (fillfactor = 50)`,
  `comment on column endpoint_leases.term is
    'Random each time a worker takes the lease: one that has lost it finds another term.'`,
  `comment on column endpoint_leases.busy is
    'Events that the worker before still had under way when it stopped, until busy_until.'`,

  /* Failures of an endpoint since its last success; a healthy one has no row. */
  `create table webhook_failures (
    endpoint_id uuid primary key,
    failures int not null,
    since timestamptz not null
  ) with (fillfactor = 50)`,
];

const statements = [
  ...installation,
  ...idsAndMonths,
  ...accounts,
  ...pace,
  ...users,
  ...apiKeys,
  ...limits,
  ...messages,
  ...contacts,
  ...templates,
  ...notifications,
  ...events,
  'select ensure_partitions(3)',
  // The planner assumes ten pages for a table that was never analysed.
  'analyze messages',
];
