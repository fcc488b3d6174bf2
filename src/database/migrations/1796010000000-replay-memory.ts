import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tells a store of replay marks that lost them from one that never had any: the first holds a mark of its birth no
 * more, though the installation has used signatures up.
 */
export class ReplayMemory1796010000000 implements MigrationInterface {
  name = 'ReplayMemory1796010000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table replay_marks add column born_at timestamptz');
    await queryRunner.query(
      `create table installation_facts (name text primary key, noted_at timestamptz not null default now())`,
    );
    // An installation that is in use may have used signatures up, and PostgreSQL still has its own marks.
    await queryRunner.query(
      `insert into installation_facts (name)
       select 'signatures_used' where exists (select 1 from api_keys)`,
    );
    await queryRunner.query(
      `insert into replay_marks (api_key_id, signature, expires_at, born_at)
       select '00000000-0000-0000-0000-000000000000', '', 'infinity', '-infinity'
       where exists (select 1 from replay_marks)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table if exists installation_facts');
    await queryRunner.query('delete from replay_marks where born_at is not null');
    await queryRunner.query('alter table replay_marks drop column born_at');
  }
}
