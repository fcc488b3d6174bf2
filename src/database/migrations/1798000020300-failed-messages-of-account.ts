import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index.js';

/** The failed messages of one account, newest first, are found without reading those of others. */
export class FailedMessagesOfAccount1798000020300 implements MigrationInterface {
  name = 'FailedMessagesOfAccount1798000020300';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'messages_failed_of_account',
      table: 'messages',
      definition: `(account_id, id) where status = 'failed'`,
    });
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
