import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The role viewer, and users who have not set a password yet. */
export class Viewers1798000015020 implements MigrationInterface {
  name = 'Viewers1798000015020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table users alter column password_hash drop not null,
         drop constraint users_role_check, add constraint users_role_check
           check (role in ('operator', 'administrator', 'viewer')) not valid`,
    );
    await runner.query('alter table users validate constraint users_role_check');
    await runner.query(
      `comment on column users.password_hash is
         'Null: the user was invited by a link and has not set a password; nobody signs in without one.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
