import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many of the replies came for one mode alone, so that the first page can show the outcomes of one. */
export class ReplyModes1798000018500 implements MigrationInterface {
  name = 'ReplyModes1798000018500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table replies_by_minute
      add column live int not null default 0, add column test int not null default 0`);
    for (const mode of ['live', 'test']) {
      await runner.query(`comment on column replies_by_minute.${mode} is
        'How many of the replies came for ${mode} mode alone. The rest came for both, or before this was counted.'`);
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
