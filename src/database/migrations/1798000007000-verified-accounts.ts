import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when an account is known to work. Those that are there count as verified. */
export class VerifiedAccounts1798000007000 implements MigrationInterface {
  name = 'VerifiedAccounts1798000007000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table accounts add column verified_at timestamptz default now()',
    );
    await queryRunner.query('alter table accounts alter column verified_at drop default');
    await queryRunner.query(
      `comment on column accounts.verified_at is
        'When token, number and callback first held at one check; null: never yet.'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table accounts drop column verified_at');
  }
}
