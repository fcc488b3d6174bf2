import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How fast a number sends: what the platform has taught us, and the tokens of the moment. */
export class Pacing1795450000000 implements MigrationInterface {
  name = 'Pacing1795450000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop function if exists take_pace, pace_of');
    await queryRunner.query('drop table if exists pace_buckets');
    await queryRunner.query(
      'alter table accounts drop column if exists learnt_per_second, drop column if exists learnt_at',
    );
  }
}

const statements = [
  `alter table accounts add column learnt_per_second real, add column learnt_at timestamptz`,
  `comment on column accounts.messages_per_second is
    'How many messages a second the number may send; null: unlimited.'`,
  `comment on column accounts.learnt_per_second is
    'How many it was let through at learnt_at, after the platform had refused more; see pace_of.'`,

  /* A tenth of the limit comes back each minute. */
  `create function pace_of(per_second int, learnt_per_second real, learnt_at timestamptz)
   returns real language sql stable as $$
    select least(per_second, coalesce(learnt_per_second
      + per_second * extract(epoch from clock_timestamp() - learnt_at) / 600, per_second))::real
  $$`,

  /* Unlogged: a bucket that is lost is a full one. */
  `create unlogged table pace_buckets (
    account_id uuid primary key,
    tokens double precision not null,
    at timestamptz not null
  ) with (fillfactor = 50)`,

  `create function take_pace(account uuid, per_second double precision, burst double precision,
    wanted int) returns table (granted int, wait_ms int) language plpgsql as $$
  declare
    now_at timestamptz;
    here double precision;
  begin
    insert into pace_buckets values (account, burst, clock_timestamp()) on conflict do nothing;
    select tokens, at into here, now_at from pace_buckets where account_id = account for update;
    here := least(burst, here
      + per_second * greatest(0, extract(epoch from clock_timestamp() - now_at)));
    granted := least(wanted, floor(here));
    here := least(burst, here - granted);
    update pace_buckets set tokens = here, at = clock_timestamp() where account_id = account;
    wait_ms := case when here >= 1 then 0 else ceil((1 - here) / per_second * 1000) end;
    return next;
  end $$`,
];
