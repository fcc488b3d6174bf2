import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index.js';

/** The messages of a campaign that a pause leaves and a cancellation takes back. */
export class CampaignMessages1798000005001 implements MigrationInterface {
  name = 'CampaignMessages1798000005001';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'messages_campaign',
      table: 'messages',
      definition: `(campaign_id) where campaign_id is not null and status = 'queued'`,
    });
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
