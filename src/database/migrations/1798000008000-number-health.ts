import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What WhatsApp says of numbers and their tokens, and what changed of it. */
export class NumberHealth1798000008000 implements MigrationInterface {
  name = 'NumberHealth1798000008000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`create table number_health (
      account_id uuid primary key,
      read_at timestamptz not null,
      quality text,
      messaging_limit text,
      name_status text,
      verified_name text,
      token_valid boolean,
      token_expires_at timestamptz
    )`);
    await queryRunner.query(
      `comment on column number_health.token_valid is 'Null: WhatsApp was not asked about the token yet.'`,
    );
    await queryRunner.query(
      `comment on column number_health.token_expires_at is 'Null also for a token without an end.'`,
    );
    await queryRunner.query(`create table number_health_changes (
      id uuid primary key,
      account_id uuid not null,
      at timestamptz not null default now(),
      field text not null,
      before text,
      after text not null
    )`);
    await queryRunner.query(
      'create index number_health_changes_list on number_health_changes (account_id, id)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table number_health_changes');
    await queryRunner.query('drop table number_health');
  }
}
