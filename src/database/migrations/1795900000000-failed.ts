import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What failed is rare and is what people look for: it is found however long the history is. */
export class Failed1795900000000 implements MigrationInterface {
  name = 'Failed1795900000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create index messages_failed on messages (id) where status = 'failed'`,
    );
    await queryRunner.query(
      `create index webhook_deliveries_failed on webhook_deliveries (id) where status = 'failed'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index if exists webhook_deliveries_failed');
    await queryRunner.query('drop index if exists messages_failed');
  }
}
