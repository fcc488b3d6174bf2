import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the platform last told of each account: most of its notifications leave no row of their own. */
export class LeanRows1797000000000 implements MigrationInterface {
  name = 'LeanRows1797000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table if exists account_notifications');
  }
}

const statements = [
  `create table account_notifications (
    account_id uuid primary key,
    last_at timestamptz not null
  ) with (fillfactor = 50)`,
];
