import type { MigrationInterface, QueryRunner } from 'typeorm';

const batchSize = 5_000;

/** The hours of those who wrote before, in small steps, so that no message of theirs waits for long. */
export class WrittenHours1798000020101 implements MigrationInterface {
  name = 'WrittenHours1798000020101';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    let last: string | null = '00000000-0000-0000-0000-000000000000';
    while (last !== null) {
      // In the order in which all writers of contacts lock them.
      const [step]: { last: string | null }[] = await runner.query(
        `with step as materialized (
          select id, last_inbound_at from contacts where id > $1 order by id limit $2 for no key update
        ), written as (
          update contacts c set wrote_at = date_bin('1 hour', c.last_inbound_at, 'epoch')
          from step where c.id = step.id and c.last_inbound_at is not null
        )
        select max(id::text) as last from step`,
        [last, batchSize],
      );
      last = step?.last ?? null;
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
