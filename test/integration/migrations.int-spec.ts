import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations as runnable } from '../../src/database/migrations/index.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { findBreaking } from '../support/migration-rules.js';

const folder = 'src/database/migrations';

/** The baseline: from then on, old and new versions have to live on the same tables. */
const firstRelease = 1_798_000_000_000;

const files = readdirSync(folder).filter((file) => /^\d/.test(file));

const migrations = files.map((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const [, down = ''] = /async down\([^]*?\{\n([^]*?)\n {2}\}\n/.exec(text) ?? [];
  return { file, at: Number(file.split('-')[0]), up: text.replace(down, '') };
});

describe('migrations', () => {
  it('are all in the list that runs, oldest first', () => {
    const listed = [...readFileSync(join(folder, 'index.ts'), 'utf8').matchAll(/'\.\/(.+)\.js'/g)];
    expect(listed.map(([, name]) => `${name}.ts`)).toEqual(files);
    expect(runnable.map(({ name }) => /\d+$/.exec(name)?.[0])).toEqual(
      files.map((file) => file.split('-')[0]),
    );
    expect(runnable.map((each) => new each().name)).toEqual(runnable.map(({ name }) => name));
  });

  it('break nothing that the previous version uses, since the first release', () => {
    for (const { file, at, up } of migrations) {
      expect(up).toContain('async up(');
      if (at > firstRelease) expect([file, findBreaking(up)]).toEqual([file, undefined]);
    }
  });

  it.each([
    'alter table messages drop column origin',
    'drop table alerts',
    'alter table messages rename column waiting to waits',
    'alter table messages add column kind text not null',
    'alter table messages add column if not exists tags text[] not null',
    'alter table messages add column kind text, add column price numeric(10, 2) not null',
    'alter table messages add column token uuid default gen_random_uuid()',
    'alter table messages add column number bigserial',
    'alter table messages add column kind_length int generated always as (length(kind)) stored',
    'alter table messages add column key_id uuid references api_keys (id)',
    'alter table messages alter column type type int',
    'alter table messages alter type set data type int',
    `alter table messages add constraint known_kind check (kind in ('text', 'list'))`,
    'create index messages_kind on messages (kind)',
    'create unique index messages_kind on only messages (kind)',
    'create index concurrently messages_kind on messages (kind)',
    'lock table messages',
    'alter table messages add column kind text; alter table done_events add column kind text',
    'alter table messages alter column reference set not null',
  ])('would be caught: %s', (statement) => {
    expect(findBreaking(statement)).toEqual(expect.any(String));
  });

  it.each([
    'alter table messages add column kind text',
    `alter table messages add column kind text not null default 'text'`,
    `alter table messages add column kind text default 'text' not null, add column at timestamptz default now()`,
    `alter table messages add constraint known_kind check (kind in ('text', 'list')) not valid`,
    'alter table messages validate constraint known_kind',
    'create table things (id uuid primary key, name text not null)',
    'create table things (id uuid primary key, name text not null); create index things_name on things (name)',
  ])('may do this: %s', (statement) => {
    expect(findBreaking(statement)).toBeUndefined();
  });

  describe('and databases from before the first release', () => {
    let database: TestDatabase;

    beforeEach(async () => {
      database = await TestDatabase.clone('migrated');
    });

    afterEach(() => database.drop());

    const insertName = (name: string) =>
      database.sql('insert into migrations (name, timestamp) values ($1, $2)', [
        name,
        name.slice(-13),
      ]);

    const migrate = () =>
      spawnSync(process.execPath, ['dist/src/migrate.js'], {
        env: { DATABASE_URL: database.url, SECRET_KEY: installation.secretKey },
        encoding: 'utf8',
      });

    it.each(['Spine1795000000000', `Contacts${firstRelease}`])(
      'refuse them, and say what to do: %s',
      async (name) => {
        await database.sql('delete from migrations');
        await insertName(name);
        const { status, stderr } = migrate();
        expect(status).toBe(1);
        expect(stderr).toMatch(
          /^The database is .+ Begin with a new database: .+ DATA_DIR .+ DATABASE_URL .+\.\n$/,
        );
        expect(stderr).toContain(`from before the first release (${name})`);
        expect(await database.sql('select name from migrations')).toEqual([{ name }]);
      },
    );

    it('accept one from a newer version', async () => {
      await insertName('Newer1999000000000');
      expect(migrate()).toMatchObject({ status: 0, stderr: '' });
    });
  });
});
