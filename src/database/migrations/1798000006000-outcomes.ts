import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of messages, by hour, so that a look at 30 days does not read each of them. */
export class Outcomes1798000006000 implements MigrationInterface {
  name = 'Outcomes1798000006000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`create table outcomes_hourly (
      account_id uuid,
      hour timestamptz not null,
      accepted int not null,
      delivered int not null,
      read int not null,
      failed int not null,
      concluded int not null,
      replies int not null,
      delivery_times jsonb not null,
      counted_at timestamptz not null default now(),
      unique nulls not distinct (account_id, hour)
    )`);
    await queryRunner.query(
      `comment on column outcomes_hourly.account_id is 'Null: all accounts together. An hour that was counted has this row.'`,
    );
    await queryRunner.query(
      `comment on column outcomes_hourly.delivery_times is
        'How many messages were delivered after so many milliseconds, which are rounded to two digits.'`,
    );
    await queryRunner.query(`create table replies_by_minute (
      account_id uuid not null,
      minute timestamptz not null,
      replies int not null,
      primary key (minute, account_id)
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table replies_by_minute');
    await queryRunner.query('drop table outcomes_hourly');
  }
}
