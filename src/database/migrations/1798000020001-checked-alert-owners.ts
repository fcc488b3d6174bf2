import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The owners of alerts are users, in the rows from before as well. */
export class CheckedAlertOwners1798000020001 implements MigrationInterface {
  name = 'CheckedAlertOwners1798000020001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table alerts validate constraint alerts_owner');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
