import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a job is about, one row each: what matched when the job was made. */
export class JobItems1798000019010 implements MigrationInterface {
  name = 'JobItems1798000019010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table job_items (
        job_id uuid not null references jobs (id) on delete cascade,
        position int not null,
        subject_id uuid not null,
        is_done boolean,
        code text,
        retry_at timestamptz,
        primary key (job_id, position)
      )`);
    await runner.query(
      `create index job_items_waiting on job_items (job_id, retry_at nulls first, position) where is_done is null`,
    );
    await runner.query(
      `create index job_items_failed on job_items (job_id, code) where not is_done`,
    );
    await runner.query(
      `comment on column job_items.retry_at is 'It was refused for now, and is not tried before.'`,
    );
    await runner.query(
      `comment on column job_items.is_done is 'Null: nothing has happened yet. False: it failed, and code says why.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
