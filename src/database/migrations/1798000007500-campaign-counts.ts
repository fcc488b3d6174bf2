import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of the recipients of campaigns that have ended, so that a list of many does not count each of them. */
export class CampaignCounts1798000007500 implements MigrationInterface {
  name = 'CampaignCounts1798000007500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table campaigns add column counts json, add column counted_at timestamptz',
    );
    await queryRunner.query(
      `comment on column campaigns.counts is
        'Recipients by status at counted_at, once it has ended; for lists. Null: not counted yet.'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table campaigns drop column counts, drop column counted_at');
  }
}
