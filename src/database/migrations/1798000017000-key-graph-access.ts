import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of programs that speak WhatsApp's own API. */
export class KeyGraphAccess1798000017000 implements MigrationInterface {
  name = 'KeyGraphAccess1798000017000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table api_keys add column graph_access boolean not null default false',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
