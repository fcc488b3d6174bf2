import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which message another one was sent again for. */
export class Resends1795460000000 implements MigrationInterface {
  name = 'Resends1795460000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages add column resent_from uuid');
    await queryRunner.query(
      'create index messages_resent on messages (resent_from) where resent_from is not null',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages drop column if exists resent_from');
  }
}
