import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  'alter table campaigns add column content_hash text',
  `comment on column campaigns.content_hash is
    'Of what of its template is sent, and of its mapping, when it was started or resumed. Null: template_hash counts.'`,
];

/** A hash of what is sent of a campaign's template, to see whether it has changed. */
export class CampaignContent1798000011000 implements MigrationInterface {
  name = 'CampaignContent1798000011000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
