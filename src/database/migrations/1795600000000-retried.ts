import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that wait for another try are found by the end of theirs, however many wait for their first. */
export class Retried1795600000000 implements MigrationInterface {
  name = 'Retried1795600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create index messages_retried on messages (give_up_at) where status = 'queued' and attempt > 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index if exists messages_retried');
  }
}
