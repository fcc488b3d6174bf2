import type { MigrationInterface, QueryRunner } from 'typeorm';

const columns: readonly [name: string, fallback: number | null, comment: string][] = [
  ['keys_max', 100, 'How many keys that are not revoked the account may have; null: any.'],
  ['endpoints_max', 100, 'How many endpoints with an address the account may have; null: any.'],
  ['rate_per_minute_max', null, 'How high the rate limit of a key may be; null: any.'],
  ['daily_limit_max', null, 'How high the daily limit of a key may be; null: any.'],
];

/** How much an account may have. What is there already stays, even if it is more. */
export class AccountLimits1798000014040 implements MigrationInterface {
  name = 'AccountLimits1798000014040';

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, fallback, comment] of columns) {
      await runner.query(`alter table accounts add column ${name} integer default ${fallback}`);
      await runner.query(`comment on column accounts.${name} is '${comment}'`);
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
