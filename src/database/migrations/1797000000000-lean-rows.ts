import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a message went through is columns of its row and one log, in place of a row for each status and
 * each try. Everything is copied into a new table, while no process of Parley runs.
 */
export class LeanRows1797000000000 implements MigrationInterface {
  name = 'LeanRows1797000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const [others]: { count: number }[] = await queryRunner.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and application_name like 'parley%' and application_name <> 'parley migrate'`,
    );
    if (others && others.count > 0) {
      throw new Error(
        `Processes of Parley are still connected (${others.count} connections). Stop every API and ` +
          'worker, migrate, and start the new version: this migration rewrites the messages.',
      );
    }
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The tables of before are gone; restore a backup.');
  }
}

/** Of the timeline `t`: entries that the columns of the row do not tell, and the tries `a` likewise. */
const statusLog = `(
  select jsonb_agg(jsonb_build_object('status', t.status, 'at', t.at, 'source', t.source)
    order by t.position)
  from message_timeline t where t.message_id = m.id
    and t.position is distinct from l.sending_position
    and (t.status, t.source) not in (('sent', 'platform'), ('delivered', 'webhook'), ('read', 'webhook')))`;

const attemptLog = `(
  select jsonb_agg(jsonb_build_object('number', a.number, 'started_at', a.started_at,
    'duration_ms', a.duration_ms, 'outcome', a.outcome, 'http_status', a.http_status,
    'error_code', a.error_code, 'detail', a.detail) order by a.number)
  from message_attempts a where a.message_id = m.id
    and (a.detail is not null or a.number is distinct from l.number))`;

const statements = [
  `create table lean_messages (
    id uuid not null,
    account_id uuid not null,
    api_key_id uuid not null,
    mode text not null,
    type text not null,
    recipient text not null,
    reference text,
    payload json not null,
    waiting boolean not null,
    origin uuid,
    resent_from uuid,
    traceparent text,
    status text not null default 'queued' check (status in
      ('queued', 'sending', 'unconfirmed', 'sent', 'failed')),
    receipt text check (receipt in ('delivered', 'read')),
    entered smallint not null default 0,
    attempt smallint not null default 0,
    claim_token uuid,
    lease_until timestamptz,
    next_attempt_at timestamptz not null,
    give_up_at timestamptz not null,
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
    check (receipt is null or status = 'sent')
  ) partition by range (id)`,
  `comment on column lean_messages.status is
    'Without receipts: what is shown is coalesce(receipt, status).'`,
  `comment on column lean_messages.receipt is
    'In no index, so that receipts, which come last, need no new entries.'`,
  `comment on column lean_messages.entered is
    'Which of sent (1), delivered (2) and read (4) it has entered and told; the log has those that came another way.'`,
  `comment on column lean_messages.sending_at is
    'When the last try was claimed; null while another one is waited for.'`,
  `comment on column lean_messages.log is
    'What deviates from the usual way, in its order: statuses, tries that led to another, and their details.'`,

  /* The same months, with room on each page for the receipts of its messages. */
  `do $$
  declare part record;
  begin
    for part in
      select c.relname, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'messages'::regclass
    loop
      execute format('create table %I partition of lean_messages %s with (fillfactor = 70)',
        'lean_' || part.relname, part.bounds);
    end loop;
  end $$`,
  `insert into lean_messages (id, account_id, api_key_id, mode, type, recipient, reference, payload,
     waiting, origin, resent_from, traceparent, status, receipt, entered, attempt, claim_token,
     lease_until, next_attempt_at, give_up_at, platform_message_id, error, pricing, held, created_at,
     sending_at, sent_at, delivered_at, read_at, failed_at, attempt_started_at, attempt_ms,
     attempt_outcome, attempt_http_status, attempt_error_code, log)
   select m.id, m.account_id, m.api_key_id, m.mode, m.type, m.recipient, m.reference, m.payload,
     m.waiting, m.origin, m.resent_from, m.traceparent,
     case when m.status in ('delivered', 'read') then 'sent' else m.status end,
     case when m.status in ('delivered', 'read') then m.status end,
     (select coalesce(bit_or(case t.status when 'sent' then 1 when 'delivered' then 2 else 4 end), 0)
      from message_timeline t where t.message_id = m.id and (t.status, t.source) in
        (('sent', 'platform'), ('delivered', 'webhook'), ('read', 'webhook'))),
     m.attempt, m.claim_token, m.lease_until, m.next_attempt_at, m.give_up_at,
     m.platform_message_id, m.error, m.pricing, m.held, m.created_at, l.sending_at, m.sent_at,
     m.delivered_at, m.read_at, m.failed_at, l.started_at, l.duration_ms, l.outcome, l.http_status,
     l.error_code, nullif(coalesce(${statusLog}, '[]') || coalesce(${attemptLog}, '[]'), '[]')
   from messages m left join lateral (
     select s.position as sending_position, s.at as sending_at, a.* from
       (select max(t.position) as position, max(t.at) as at from message_timeline t
        where t.message_id = m.id and t.status = 'sending' and not exists (
          select from message_timeline q
          where q.message_id = m.id and q.status = 'queued' and q.position > t.position)) s
       left join message_attempts a
         on a.message_id = m.id and a.number = m.attempt and m.status <> 'queued'
   ) l on true`,
  `drop table messages, message_timeline, message_attempts`,
  `alter table lean_messages rename to messages`,
  `do $$
  declare part record;
  begin
    for part in
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'messages'::regclass
    loop
      execute format('alter table %I rename to %I', part.relname, substr(part.relname, 6));
    end loop;
  end $$`,

  `alter table messages add primary key (id)`,
  `create index messages_due_of_number on messages (account_id, mode, waiting, next_attempt_at)
    where status = 'queued'`,
  `comment on index messages_due_of_number is
    'What is due, number by number, whoever waits first; and first tries whose time is over.'`,
  `create index messages_retried on messages (give_up_at) where status = 'queued' and attempt > 0`,
  `comment on index messages_retried is 'Further tries whose time is over.'`,
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
  `create index messages_reference on messages (account_id, reference) where reference is not null`,
  `comment on index messages_reference is 'The messages with a caller''s own reference.'`,
  `create index messages_resent on messages (resent_from) where resent_from is not null`,
  `comment on index messages_resent is 'What a message was sent again as.'`,

  `create or replace function growing_tables() returns text[] language sql immutable as $$
    select array['messages', 'platform_notifications', 'notification_events', 'webhook_events',
      'webhook_deliveries', 'webhook_attempts']
  $$`,
  `create or replace function ensure_partitions(months_ahead int) returns void language plpgsql as $$
  declare
    parent text;
    options text;
    first_day date;
    lower_id uuid;
    upper_id uuid;
  begin
    perform pg_advisory_xact_lock(7241, 1);
    foreach parent in array growing_tables() loop
      options := case when parent = 'messages' then 'with (fillfactor = 70)' else '' end;
      execute format('create table if not exists %I partition of %I default %s',
        parent || '_other', parent, options);
      for ahead in 0..months_ahead loop
        first_day := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead))::date;
        lower_id := (rpad(lpad(to_hex((extract(epoch from first_day::timestamp) * 1000)::bigint), 12, '0'), 32, '0'))::uuid;
        upper_id := (rpad(lpad(to_hex((extract(epoch from (first_day + interval '1 month')::timestamp) * 1000)::bigint), 12, '0'), 32, '0'))::uuid;
        execute format('create table if not exists %I partition of %I for values from (%L) to (%L) %s',
          parent || '_' || to_char(first_day, 'YYYY_MM'), parent, lower_id, upper_id, options);
      end loop;
    end loop;
  end $$`,
  `analyze messages`,

  /* Most notifications leave no row of their own. */
  `create table account_notifications (
    account_id uuid primary key,
    last_at timestamptz not null
  ) with (fillfactor = 50)`,
  `comment on table account_notifications is 'When the platform last told of an account, to the minute.'`,
];
