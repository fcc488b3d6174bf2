import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/database/ids.js';
import { migrations as runnable } from '../../src/database/migrations/index.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';

const folder = 'src/database/migrations';

/** The last migration before old and new versions had to live on the same tables. */
const firstRelease = 1_797_999_999_999;

/** What takes from the version before what it reads or writes, or locks a large table for long. */
const breaking =
  /\b(drop\s+(table|column|view|function|constraint)|rename\s+(to|column)|set\s+not\s+null|alter\s+column\s+\w+\s+(set\s+data\s+)?type|add\s+column\s+\w+\s+\w+\s+not\s+null(?!\s+default)|truncate)\b/i;

const files = readdirSync(folder).filter((file) => file !== 'index.ts');

const migrations = files.map((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const [, up = ''] = /async up\([^]*?\{\n([^]*?)\n {2}\}\n/.exec(text) ?? [];
  const [, statements = ''] = /\nconst statements = \[([^]*)\];/.exec(text) ?? [];
  return { file, at: Number(file.split('-')[0]), up: up + statements };
});

describe('migrations', () => {
  it('are all in the list that runs, oldest first', () => {
    const listed = [...readFileSync(join(folder, 'index.ts'), 'utf8').matchAll(/'\.\/(.+)\.js'/g)];
    expect(listed.map(([, name]) => `${name}.ts`)).toEqual(files);
    expect(runnable.map(({ name }) => /\d+$/.exec(name)?.[0])).toEqual(
      files.map((file) => file.split('-')[0]),
    );
  });

  it('take nothing from the version before', () => {
    for (const { file, up } of migrations.filter(({ at }) => at > firstRelease)) {
      expect({ file, isEmpty: up === '' }).toEqual({ file, isEmpty: false });
      expect({ file, breaks: breaking.exec(up)?.[0] }).toEqual({ file, breaks: undefined });
    }
  });

  it.each([
    'alter table messages drop column origin',
    'drop table alerts',
    'alter table messages rename column waiting to waits',
    'alter table messages add column kind text not null',
    'alter table messages alter column type type int',
    'alter table messages alter column reference set not null',
  ])('would be found out: %s', (statement) => {
    expect(breaking.test(statement)).toBe(true);
  });

  it.each([
    'alter table messages add column kind text',
    `alter table messages add column kind text not null default 'text'`,
    'create table things (id uuid primary key, name text not null)',
  ])('may do this: %s', (statement) => {
    expect(breaking.test(statement)).toBe(false);
  });

  describe('on today’s tables', () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await TestDatabase.clone('seeded');
    });

    afterAll(() => database?.drop());

    it('the first release stores, claims and tells of messages as it did', async () => {
      const id = newId();
      const [key] = await database.sql('select id from api_keys limit 1');
      await database.sql(
        `insert into messages (id, account_id, api_key_id, mode, type, recipient, reference, payload,
           waiting, origin, next_attempt_at, give_up_at, created_at)
         values ($1, $2, $3, 'live', 'text', '+14155550123', null, '{}', true, null, now(),
           now() + interval '9 s', now())`,
        [id, installation.accountId, key.id],
      );
      const [claimed] = await database.sql(
        `update messages set status = 'sending', attempt = attempt + 1, changes = changes + 1
         where id = $1 and status = 'queued' returning status`,
        [id],
      );
      expect(claimed).toEqual({ status: 'sending' });
      const event = newId();
      await database.sql(
        `insert into open_events (id, event_id, endpoint_id, account_id, mode, type, body)
         values ($1, $1, $3, $2, 'live', 'message.status', '{}')`,
        [event, installation.accountId, key.id],
      );
      const [told] = await database.sql('select body from open_events where id = $1', [event]);
      expect(told).toEqual({ body: '{}' });
    });
  });
});
