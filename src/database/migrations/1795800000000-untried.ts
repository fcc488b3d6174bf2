import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages that nobody has tried are found by their age, and by that alone. An index of all that is queued
 * tempted the planner, once it had counted a backlog of one number, to read through it for what is due of others.
 */
export class Untried1795800000000 implements MigrationInterface {
  name = 'Untried1795800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create index messages_untried on messages (next_attempt_at) where status = 'queued' and attempt = 0`,
    );
    await queryRunner.query('drop index if exists messages_due');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create index messages_due on messages (next_attempt_at) where status = 'queued'`,
    );
    await queryRunner.query('drop index if exists messages_untried');
  }
}
