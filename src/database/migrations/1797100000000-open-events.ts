import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events wait in a small table that rows leave when they are delivered, and finished ones are a log.
 * A worker owns an endpoint for a few seconds at a time. See docs/adr/0009-open-events.md.
 */
export class OpenEvents1797100000000 implements MigrationInterface {
  name = 'OpenEvents1797100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The tables of events before this version are gone; restore a backup instead.');
  }
}

const attemptOf = (attempt: string) => `jsonb_build_object('number', ${attempt}.number,
  'at', ${attempt}.started_at, 'duration_ms', ${attempt}.duration_ms,
  'status_code', ${attempt}.status_code, 'response', ${attempt}.response, 'error', ${attempt}.error)`;

const statements = [
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
    'Whose webhook gets it: the id of the API key, which has one endpoint.'`,
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

  /* Which worker delivers to an endpoint now. Unlogged: after a crash leases are taken again. */
  `create unlogged table endpoint_leases (
    endpoint_id uuid primary key,
    term uuid not null,
    until timestamptz not null,
    busy uuid[] not null default '{}',
    busy_until timestamptz
  ) with (fillfactor = 50)`,
  `comment on column endpoint_leases.term is 'Random for each taking: whoever has lost a lease finds another one.'`,
  `comment on column endpoint_leases.busy is
    'Events that the worker before still had under way when it stopped, until busy_until.'`,

  `alter table webhook_failures rename column api_key_id to endpoint_id`,

  `create or replace function growing_tables() returns text[] language sql immutable as $$
    select array['messages', 'platform_notifications', 'notification_events', 'done_events']
  $$`,
  `select ensure_partitions(3)`,

  `insert into open_events (id, event_id, endpoint_id, due_at, account_id, mode, type, message_id,
     body, traceparent, attempts, attempts_before, error, log, created_at)
   select d.id, d.event_id, d.api_key_id, coalesce(d.next_attempt_at, now()), d.account_id, d.mode,
     d.type, d.message_id, e.body, e.traceparent, d.attempts, d.attempts_before, d.error,
     (select jsonb_agg(${attemptOf('a')} order by a.number) from webhook_attempts a
      where a.delivery_id = d.id), d.created_at
   from webhook_deliveries d join webhook_events e on e.id = d.event_id
   where d.status in ('pending', 'retrying')
   order by d.next_attempt_at, d.id`,
  `insert into done_events (id, event_id, endpoint_id, account_id, mode, type, message_id, body,
     traceparent, status, attempts, error, log, last_at, last_ms, last_status, last_response,
     created_at, finished_at)
   select d.id, d.event_id, d.api_key_id, d.account_id, d.mode, d.type, d.message_id, e.body,
     e.traceparent, d.status, d.attempts, d.error,
     (select jsonb_agg(${attemptOf('a')} order by a.number) from webhook_attempts a
      where a.delivery_id = d.id and a.number < l.number),
     l.started_at, l.duration_ms, l.status_code, l.response,
     d.created_at, coalesce(d.finished_at, d.created_at)
   from webhook_deliveries d join webhook_events e on e.id = d.event_id
   left join lateral (select * from webhook_attempts a where a.delivery_id = d.id
     order by a.number desc limit 1) l on true
   where d.status in ('succeeded', 'failed')`,
  `drop table webhook_attempts, webhook_deliveries, webhook_events`,
];
