import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  `alter table database_histories
     add column witnessed_at timestamptz, add column held_at timestamptz, add column held jsonb`,
  `comment on column database_histories.witnessed_at is
    'When a worker that knew the history before found nothing missing. Where nobody did, it may be a restored copy.'`,
  `comment on column database_histories.held_at is
    'When everything was held that may have been sent since the copy. Nothing is sent before.'`,
  `comment on column database_histories.held is 'How many messages were held so far, by account.'`,
  // Workers of the version before have gone on with these.
  'update database_histories set witnessed_at = now()',
];

/** A history that no worker vouches for is a restored copy: what it may have sent is held. */
export class RestoredHistories1798000012000 implements MigrationInterface {
  name = 'RestoredHistories1798000012000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
