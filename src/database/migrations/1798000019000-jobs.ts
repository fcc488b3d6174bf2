import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people have done to everything that matches a filter: deliver again, send again, cancel. */
export class Jobs1798000019000 implements MigrationInterface {
  name = 'Jobs1798000019000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table jobs (
        id uuid primary key,
        account_id uuid,
        kind text not null,
        filter jsonb not null,
        state text not null,
        total int not null,
        done int not null default 0,
        failed int not null default 0,
        user_id uuid,
        user_name text not null,
        created_at timestamptz not null default now(),
        ended_at timestamptz,
        resume_at timestamptz not null default now()
      )`);
    await runner.query(`create index jobs_running on jobs (id) where state = 'running'`);
    await runner.query(`comment on column jobs.account_id is 'Null: of all accounts.'`);
    await runner.query(
      `comment on column jobs.resume_at is 'No process works on it before: one has it until then, or it waits for a quota.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
