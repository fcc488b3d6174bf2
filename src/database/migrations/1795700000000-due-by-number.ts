import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Due messages are found by their number, however many of other numbers wait for their hold or their pace. */
export class DueByNumber1795700000000 implements MigrationInterface {
  name = 'DueByNumber1795700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create index messages_due_of_number on messages (account_id, mode, waiting, next_attempt_at)
       where status = 'queued'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index if exists messages_due_of_number');
  }
}
