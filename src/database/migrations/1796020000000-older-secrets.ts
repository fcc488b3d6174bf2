import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A second rotation within an overlap leaves what the first one kept alive until its own end. */
export class OlderSecrets1796020000000 implements MigrationInterface {
  name = 'OlderSecrets1796020000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table api_keys
         add column older_digest bytea,
         add column older_expires_at timestamptz,
         add column older_signing_secret text,
         add column older_signing_expires_at timestamptz,
         add column older_webhook_secret text,
         add column older_webhook_expires_at timestamptz`,
    );
    await queryRunner.query(
      `create unique index api_keys_older_digest on api_keys (older_digest)
       where older_digest is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table api_keys
         drop column older_digest, drop column older_expires_at,
         drop column older_signing_secret, drop column older_signing_expires_at,
         drop column older_webhook_secret, drop column older_webhook_expires_at`,
    );
  }
}
