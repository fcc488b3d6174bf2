import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The log of requests: partitioned by UTC day, by range of its id, because it is kept for days. Rows are only added, and
 * go with their day, so that neither costs an index.
 */
export class RequestLog1798000004000 implements MigrationInterface {
  name = 'RequestLog1798000004000';

  async up(queryRunner: QueryRunner): Promise<void> {
    /*
     * The id is that of the request, a UUIDv7 of the time at which it came. Requests without a key that Parley knows
     * share a row by minute, address and result: there, the id is made of these, and `calls` counts them.
     */
    await queryRunner.query(`create table request_log (
      id uuid primary key,
      account_id uuid,
      api_key_id uuid,
      mode text,
      method text,
      route text,
      status int not null,
      code text,
      fields text[],
      address text,
      latency_ms int,
      message_id uuid,
      calls int not null default 1
    ) partition by range (id)`);
    await queryRunner.query(
      'create index request_log_account on request_log (account_id, id) where account_id is not null',
    );
    await queryRunner.query(
      'create index request_log_key on request_log (api_key_id, id) where api_key_id is not null',
    );
    await queryRunner.query(
      'create index request_log_refused on request_log (id) where code is not null',
    );
    await queryRunner.query(
      `create index request_log_account_refused on request_log (account_id, id)
       where code is not null and account_id is not null`,
    );
    /* Makes the partitions from yesterday on. Safe to call at any time, from any process. */
    await queryRunner.query(`create function ensure_request_days(days_ahead int) returns void
    language plpgsql as $$
    declare
      part text;
      first_moment timestamptz;
    begin
      perform pg_advisory_xact_lock(7241, 3);
      for ahead in -1..days_ahead loop
        first_moment := (date_trunc('day', now() at time zone 'UTC') + make_interval(days => ahead))
          at time zone 'UTC';
        part := 'request_log_' || to_char(first_moment at time zone 'UTC', 'YYYY_MM_DD');
        continue when to_regclass(quote_ident(part)) is not null;
        execute format('create table %I partition of request_log for values from (%L) to (%L)', part,
          first_id_of(first_moment), first_id_of(first_moment + interval '24 hours'));
      end loop;
    end $$`);
    await queryRunner.query('select ensure_request_days(2)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table request_log');
    await queryRunner.query('drop function ensure_request_days(int)');
  }
}
