import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users may have a second factor, and get a link under which they set a new password. */
export class SecondFactor1798000002000 implements MigrationInterface {
  name = 'SecondFactor1798000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table users
         add column last_sign_in_at timestamptz,
         add column totp_secret text,
         add column totp_confirmed_at timestamptz,
         add column totp_used_step bigint`,
    );
    await runner.query(
      `comment on column users.totp_confirmed_at is
         'Since when a sign-in needs a code; null while the second factor is off or being set up.'`,
    );
    await runner.query(
      `comment on column users.totp_used_step is
         'The time step of the last code that was accepted: it and those before it count no more.'`,
    );
    // Each takes the place of one code; a used one is deleted.
    await runner.query(
      `create table recovery_codes (
         user_id uuid not null references users (id) on delete cascade,
         digest bytea not null,
         primary key (user_id, digest)
       )`,
    );
    // One for each user: a new link takes the place of the one before.
    await runner.query(
      `create table reset_links (
         user_id uuid primary key references users (id) on delete cascade,
         digest bytea not null unique,
         expires_at timestamptz not null
       )`,
    );
  }

  async down(): Promise<void> {
    throw new Error('The previous version runs on these tables: leave them as they are.');
  }
}
