import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows whose month had no partition when they came move into it, and go when they are too old. */
export class LateRows1797200000000 implements MigrationInterface {
  name = 'LateRows1797200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back: restore a backup.');
  }
}

const statements = [
  `create function first_id_of(at timestamptz) returns uuid language sql immutable as $$
    select rpad(lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
  $$`,

  /*
   * PostgreSQL refuses a partition while the default one holds rows of its range, as after a pause of
   * months. They leave it and come back in the same transaction.
   */
  `create or replace function ensure_partitions(months_ahead int) returns void language plpgsql as $$
  declare
    parent text;
    part text;
    options text;
    first_day timestamptz;
    lower_id uuid;
    upper_id uuid;
  begin
    perform pg_advisory_xact_lock(7241, 1);
    foreach parent in array growing_tables() loop
      options := case when parent = 'messages' then 'with (fillfactor = 70)' else '' end;
      execute format('create table if not exists %I partition of %I default %s',
        parent || '_other', parent, options);
      for ahead in 0..months_ahead loop
        first_day := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead))
          at time zone 'UTC';
        part := parent || '_' || to_char(first_day at time zone 'UTC', 'YYYY_MM');
        continue when to_regclass(quote_ident(part)) is not null;
        lower_id := first_id_of(first_day);
        upper_id := first_id_of((first_day at time zone 'UTC' + interval '1 month') at time zone 'UTC');
        execute format('lock table %I in access exclusive mode', parent || '_other');
        execute format('create temporary table late_rows as select * from %I where id >= %L and id < %L',
          parent || '_other', lower_id, upper_id);
        execute format('delete from %I where id >= %L and id < %L', parent || '_other', lower_id, upper_id);
        execute format('create table %I partition of %I for values from (%L) to (%L) %s',
          part, parent, lower_id, upper_id, options);
        execute format('insert into %I select * from late_rows', parent);
        drop table late_rows;
      end loop;
    end loop;
  end $$`,
];
