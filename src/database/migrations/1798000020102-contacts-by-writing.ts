import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index.js';

/** Contacts of an account: who wrote last first, then those who never wrote, the newest first. */
export class ContactsByWriting1798000020102 implements MigrationInterface {
  name = 'ContactsByWriting1798000020102';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'contacts_wrote',
      table: 'contacts',
      definition: '(account_id, mode, wrote_at desc nulls last, id desc) where merged_into is null',
    });
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
