import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index.js';

/** Recipients of a campaign by a user id that was given besides a number. */
export class SecondNames1798000011001 implements MigrationInterface {
  name = 'SecondNames1798000011001';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'campaign_recipients_second',
      table: 'campaign_recipients',
      definition: `(campaign_id, ('user:' || to_user_id)) where recipient is not null and to_user_id is not null`,
    });
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
