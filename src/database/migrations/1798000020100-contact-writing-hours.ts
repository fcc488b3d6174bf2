import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The hour in which a contact last wrote, by which the dashboard lists them. */
export class ContactWritingHours1798000020100 implements MigrationInterface {
  name = 'ContactWritingHours1798000020100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table contacts add column wrote_at timestamptz');
    await runner.query(
      `comment on column contacts.wrote_at is
        'last_inbound_at, to the hour: more messages within the hour change no index.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
