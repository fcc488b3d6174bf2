import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the platform held a message to assess its quality when it accepted it. */
export class Held1796100000000 implements MigrationInterface {
  name = 'Held1796100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages add column held boolean not null default false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages drop column held');
  }
}
