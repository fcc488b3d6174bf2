import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which message of ours a delivery is about, so that a message's deliveries are found. */
export class WebhookMessage1795400000000 implements MigrationInterface {
  name = 'WebhookMessage1795400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`alter table webhook_deliveries add column message_id uuid`);
    await queryRunner.query(
      `comment on column webhook_deliveries.message_id is
        'The message whose status changed, or that the user answered; null where there is none.'`,
    );
    await queryRunner.query(
      `create index webhook_deliveries_message on webhook_deliveries (message_id, id)
        where message_id is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`drop index if exists webhook_deliveries_message`);
    await queryRunner.query(`alter table webhook_deliveries drop column if exists message_id`);
  }
}
