import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an uploader called a file: people see it as the name of a document. */
export class UploadNames1798000014030 implements MigrationInterface {
  name = 'UploadNames1798000014030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table uploads add column file_name text`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
