import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the callers of WhatsApp's own API want to have back with the statuses of a message. */
export class MessageCallbackData1798000018000 implements MigrationInterface {
  name = 'MessageCallbackData1798000018000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table messages add column callback_data text');
    await runner.query(
      `comment on column messages.callback_data is
         'What the caller gave as biz_opaque_callback_data: statuses in the form of WhatsApp bring it back.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
