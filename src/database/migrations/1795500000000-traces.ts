import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace that a message belongs to travels in its row, and in the events that tell of it. */
export class Traces1795500000000 implements MigrationInterface {
  name = 'Traces1795500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) {
      await queryRunner.query(`alter table ${table} add column traceparent text`);
      await queryRunner.query(
        `comment on column ${table}.traceparent is
          'W3C trace context of the request behind it; null where it is not traced.'`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) {
      await queryRunner.query(`alter table ${table} drop column if exists traceparent`);
    }
  }
}

const tables = ['messages', 'webhook_events'];
