import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of the messages of each mode, by hour. */
export class OutcomeModes1798000018501 implements MigrationInterface {
  name = 'OutcomeModes1798000018501';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table outcomes_hourly add column by_mode jsonb');
    await runner.query(
      `comment on column outcomes_hourly.by_mode is
        'The same figures for live and for test; null where they were not counted: the hour is counted again.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
