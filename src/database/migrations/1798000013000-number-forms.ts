import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  `create table number_forms (
    account_id uuid not null,
    mode text not null,
    phone text not null,
    form text not null,
    learnt_at timestamptz not null default now(),
    primary key (account_id, mode, phone, form)
  )`,
  `comment on table number_forms is
    'Numbers that are one to the platform, each with each: what it told, and what follows from phone_forms.'`,

  /*
   * Brazil: the platform knows mobile numbers from before the ninth digit without it. Mexico: the 1 that mobile numbers
   * had until 2019. Argentina: the 9 of mobile numbers.
   */
  `create or replace function phone_forms(phone text) returns text[] language sql immutable as $$
    select case
      when phone !~ '^\\+5[245]' then array[phone]
      when phone ~ '^\\+55\\d\\d9[6-9]\\d{7}$' then array[phone, left(phone, 5) || right(phone, 8)]
      when phone ~ '^\\+55\\d\\d[6-9]\\d{7}$' then array[phone, left(phone, 5) || '9' || right(phone, 8)]
      when phone ~ '^\\+521[2-9]\\d{9}$' then array[phone, '+52' || right(phone, 10)]
      when phone ~ '^\\+52[2-9]\\d{9}$' then array[phone, '+521' || right(phone, 10)]
      when phone ~ '^\\+549(11|2\\d|3\\d)\\d{8}$' then array[phone, '+54' || right(phone, 10)]
      when phone ~ '^\\+54(11|2\\d|3\\d)\\d{8}$' then array[phone, '+549' || right(phone, 10)]
      else array[phone] end
  $$`,
];

/** Numbers that the platform knows by another form, in every country. */
export class NumberForms1798000013000 implements MigrationInterface {
  name = 'NumberForms1798000013000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
