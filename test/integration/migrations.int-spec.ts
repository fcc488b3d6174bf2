import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission } from '../../src/access/permissions.js';
import { migrations as runnable } from '../../src/database/migrations/index.js';
import { addAccount, addApiKey } from '../support/api-keys.js';
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
    'alter table messages drop constraint known_kind',
    `alter table messages drop constraint known_kind, add constraint other_kind check (true) not valid`,
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
    `alter table messages drop constraint known_kind, add constraint known_kind check (kind in ('text', 'list')) not valid`,
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

    it('name the endpoints that lose events which their keys may not read', async () => {
      await database.drop();
      database = await TestDatabase.clone('seeded');
      const accountId = await addAccount(database);
      const add = async (permissions: Permission[], endpoints: object[]) => {
        const { id } = await addApiKey(database, { accountId, permissions });
        for (const endpoint of endpoints) {
          await database.sql(
            `insert into webhook_endpoints (id, api_key_id, account_id, mode, name, url, events, secret)
             select gen_random_uuid(), $1, $2, 'live', e.name, 'http://x', e.events, ''
             from jsonb_to_record($3) as e (name text, events text[])`,
            [id, accountId, JSON.stringify(endpoint)],
          );
        }
        return id;
      };
      const events = ['message.received', 'contact.changed', 'contact.consent'];
      const loser = await add(
        ['view_messages'],
        [
          { name: 'CRM', events },
          { name: 'Defaults' },
          { name: 'Alerts', events: ['alert.raised'] },
        ],
      );
      await add(['view_messages', 'manage_contacts'], [{ name: 'All', events }]);
      // The endpoint of webhook_url loses nothing.
      await database.sql(`update webhook_endpoints set url = 'http://x' where id = api_key_id`);
      await add(['send_text'], [{ name: 'Shop' }]);
      await database.sql(`delete from migrations where name = 'WithheldEvents1798000014000'`);
      expect(migrate()).toMatchObject({ status: 0, stderr: '' });
      const alerts = await database.sql('select account_id, kind, message, details from alerts');
      expect(alerts).toMatchObject([{ account_id: accountId, kind: 'events_withheld' }]);
      expect(alerts[0]?.message).toMatch(
        /^Endpoints no longer .+: “CRM” of the key “.+” loses contact\.changed, contact\.consent \(needs manage_contacts\); “Shop” of the key “.+” loses message\.received \(needs view_messages\)\.$/,
      );
      expect(alerts[0]?.details.endpoints).toMatchObject([
        { api_key_id: loser, permission: 'manage_contacts' },
        { permission: 'view_messages', events: ['message.received'] },
      ]);
    });

    it('note the hour in which each contact wrote, however many there are', async () => {
      await database.sql(
        `insert into contacts (id, account_id, mode, phone, last_inbound_at)
         select new_id(), new_id(), 'live', '+49' || n, case when n > 1 then now() - n * interval '1 minute' end
         from generate_series(1, 12000) n`,
      );
      await database.sql(`delete from migrations where name = 'WrittenHours1798000020101'`);
      expect(migrate()).toMatchObject({ status: 0, stderr: '' });
      const [row] = await database.sql(
        `select count(*)::int as contacts, count(wrote_at)::int as writers from contacts
         where wrote_at is not distinct from date_trunc('hour', last_inbound_at, 'UTC')`,
      );
      expect(row).toEqual({ contacts: 12_000, writers: 11_999 });
    });

    it('accept one from a newer version', async () => {
      await insertName('Newer1999000000000');
      expect(migrate()).toMatchObject({ status: 0, stderr: '' });
    });
  });
});
