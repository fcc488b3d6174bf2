import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index.js';

/** The failed deliveries of one account, newest first, are found without reading those of others. */
export class FailedDeliveriesOfAccount1798000020301 implements MigrationInterface {
  name = 'FailedDeliveriesOfAccount1798000020301';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'done_events_failed_of_account',
      table: 'done_events',
      definition: `(account_id, id) where status = 'failed'`,
    });
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
