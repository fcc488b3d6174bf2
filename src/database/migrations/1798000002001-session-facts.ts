import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a list of sessions tells of each: a name that is no secret, and where it was begun. */
export class SessionFacts1798000002001 implements MigrationInterface {
  name = 'SessionFacts1798000002001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table sessions
         add column id uuid,
         add column address text,
         add column user_agent text`,
    );
    await runner.query(
      `comment on column sessions.id is
         'Names the session in lists; null until then where the version before began it.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('The previous version runs on these tables: leave them as they are.');
  }
}
