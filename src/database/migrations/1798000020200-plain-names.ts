import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names as people type them who look for one: without accents, and whatever the case of any script. */
export class PlainNames1798000020200 implements MigrationInterface {
  name = 'PlainNames1798000020200';

  async up(runner: QueryRunner): Promise<void> {
    // In the locale C, `lower` would leave all letters but the English ones as they are. Unicode takes accents off, but no
    // strokes.
    await runner.query(
      `create function plain_name(name text) returns text language sql immutable strict parallel safe
       return translate(
         regexp_replace(casefold(normalize(name, NFKD) collate pg_unicode_fast), '[\\u0300-\\u036f]', '', 'g'),
         'łøđħŧı', 'lodhti')`,
    );
    await runner.query(
      `comment on function plain_name is 'Without accents and in one case: names are compared by it in searches.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
