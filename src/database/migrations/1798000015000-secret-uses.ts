import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When each value of a key was used last: the key and the secret that signs its requests, present and former ones. */
export class SecretUses1798000015000 implements MigrationInterface {
  name = 'SecretUses1798000015000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table secret_last_used (
        api_key_id uuid not null,
        digest text not null,
        last_used_at timestamptz not null,
        address text,
        primary key (api_key_id, digest)
      ) with (fillfactor = 50)`);
    await runner.query(`comment on column secret_last_used.digest
      is 'Tells the values of a key apart, in base64: the stored digest of a key, the SHA-256 of a signing secret.'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
