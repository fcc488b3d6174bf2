import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bodies of the requests of a key, kept for an hour where somebody asked for it. */
export class KeptBodies1798000009000 implements MigrationInterface {
  name = 'KeptBodies1798000009000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table api_keys add column bodies_kept_until timestamptz');
    await queryRunner.query(
      `comment on column api_keys.bodies_kept_until is
        'Until when the bodies of its requests are kept, redacted; null or past: they are not.'`,
    );
    /* Unlogged: what is deleted after an hour must not live on in archives of the write-ahead log. */
    await queryRunner.query(`create unlogged table request_bodies (
      request_id uuid primary key,
      account_id uuid not null,
      sealed_body text not null,
      expires_at timestamptz not null
    )`);
    await queryRunner.query(
      'create index request_bodies_expires_at on request_bodies (expires_at)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table request_bodies');
    await queryRunner.query('alter table api_keys drop column bodies_kept_until');
  }
}
