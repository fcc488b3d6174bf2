import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What governing an installation needs: sessions, the audit log, limits on attempts, last uses. */
export class Dashboard1795100000000 implements MigrationInterface {
  name = 'Dashboard1795100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'drop table if exists sessions, audit_log, attempt_counters, api_key_last_used',
    );
    await queryRunner.query('drop function if exists refuse_audit_change');
  }
}

const statements = [
  /* A session is known by the digest of its id: who reads the table cannot sign in with it. */
  `create table sessions (
    digest bytea primary key,
    user_id uuid not null references users (id) on delete cascade,
    created_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  `create index sessions_user on sessions (user_id)`,
  `create index sessions_expiry on sessions (expires_at)`,

  /* Keeps the actor's address of that time: users may be deleted, what they did stays. */
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

  /* Attempts by address; worth nothing after their minute, so nothing is logged. */
  `create unlogged table attempt_counters (
    key text primary key,
    hits int not null,
    expires_at timestamptz not null
  ) with (fillfactor = 50)`,

  /* Apart from api_keys, and without an index on the time: it changes all day and nothing looks for it. */
  `create table api_key_last_used (
    api_key_id uuid primary key,
    last_used_at timestamptz not null,
    address text
  ) with (fillfactor = 50)`,
];
