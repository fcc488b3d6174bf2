import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the first notification of an account arrived, and when the platform last verified the callback URL. */
export class WebhookFacts1798000007001 implements MigrationInterface {
  name = 'WebhookFacts1798000007001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table account_notifications add column first_at timestamptz');
    await queryRunner.query(
      `comment on column account_notifications.first_at is
        'When the first report arrived; null: before this column was there.'`,
    );
    await queryRunner.query(`create table platform_handshakes (
      is_only boolean primary key default true check (is_only),
      confirmed_at timestamptz not null
    )`);
    await queryRunner.query(
      `comment on table platform_handshakes is
        'When a caller that knew the verify token last got its challenge back.'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table platform_handshakes');
    await queryRunner.query('alter table account_notifications drop column first_at');
  }
}
