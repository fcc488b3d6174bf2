import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index.js';

/** Contacts by any word of their name: people look for surnames. */
export class ContactsByWords1798000020103 implements MigrationInterface {
  name = 'ContactsByWords1798000020103';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'contacts_words',
      table: 'contacts',
      // A list of pending entries would be worked off by the request that fills it, a webhook of WhatsApp.
      definition: `using gin (to_tsvector('simple', name)) with (fastupdate = off)`,
    });
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
