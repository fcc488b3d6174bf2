import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index.js';

/** Contacts by any word of their name, in the form in which names are compared. */
export class ContactsByPlainWords1798000020201 implements MigrationInterface {
  name = 'ContactsByPlainWords1798000020201';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'contacts_plain_words',
      table: 'contacts',
      // A list of pending entries would be worked off by the request that fills it, a webhook of WhatsApp.
      definition: `using gin (to_tsvector('simple', plain_name(name))) with (fastupdate = off)`,
    });
    // Every change of a name would be written to both.
    await runner.query('drop index concurrently if exists contacts_words');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
