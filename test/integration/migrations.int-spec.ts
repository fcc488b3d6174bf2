import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { newId } from '../../src/database/ids.js';
import { migrations as runnable } from '../../src/database/migrations/index.js';
import { entities } from '../../src/entities.js';
import { TestDatabase } from '../support/database.js';
import { readRow } from '../support/messages.js';
import { until } from '../support/npm-start.js';

const folder = 'src/database/migrations';

/** The last migration before old and new versions have to live on the same tables. */
const firstRelease = 1_797_200_000_000;

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
    expect(runnable.map((each) => new each().name)).toEqual(runnable.map(({ name }) => name));
  });

  it('take nothing from the version before, from the first release on', () => {
    for (const { file, at, up } of migrations) {
      expect(up).not.toBe('');
      if (at > firstRelease) expect([file, breaking.exec(up)?.[0]]).toEqual([file, undefined]);
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

  describe('to lean rows', () => {
    let database: TestDatabase;
    const before = runnable.filter(
      ({ name }) => Number(/\d+$/.exec(name)?.[0]) < 1_797_000_000_000,
    );

    const migrate = async (wanted: typeof runnable) => {
      const options = dataSourceOptions(database.url, entities);
      const extra = { ...options.extra, application_name: 'parley migrate' };
      const dataSource = new DataSource({ ...options, extra, migrations: wanted, logging: false });
      await dataSource.initialize();
      try {
        await dataSource.runMigrations({ transaction: 'each' });
      } finally {
        await dataSource.destroy();
      }
    };

    beforeAll(async () => {
      database = await TestDatabase.clone('template0');
      await migrate(before);
    });

    afterAll(() => database?.drop());

    const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 12, 0, second));
    type Line = [status: string, second: number, source: string];
    type Try = [number: number, second: number, outcome: string, detail: string | null];

    async function insertOld(
      status: string,
      attempt: number,
      timeline: Line[],
      attempts: Try[],
      times: Record<string, Date> = {},
    ): Promise<string> {
      const id = newId();
      await database.sql(
        `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting,
           status, changes, attempt, next_attempt_at, give_up_at, created_at, sent_at, delivered_at,
           read_at)
         values ($1, $1, $1, 'live', 'text', '+14155550123', '{}', true, $2, $3, $4, now(), now(),
           now(), $5, $6, $7)`,
        [id, status, timeline.length, attempt, times.sent, times.delivered, times.read],
      );
      for (const [index, [name, second, source]] of timeline.entries()) {
        await database.sql('insert into message_timeline values ($1, $2, $3, $4, $5)', [
          id,
          index + 1,
          name,
          at(second),
          source,
        ]);
      }
      for (const [number, second, outcome, detail] of attempts) {
        await database.sql('insert into message_attempts values ($1, $2, $3, 12, $4, 200, 4, $5)', [
          id,
          number,
          at(second),
          outcome,
          detail,
        ]);
      }
      return id;
    }

    it('refuses while a process is connected, and keeps every history', async () => {
      const sending: Line = ['sending', 1, 'worker'];
      const retry: Line[] = [sending, ['queued', 2, 'platform']];
      const cases = {
        read: {
          attempt: 1,
          timeline: [
            sending,
            ['sent', 2, 'platform'],
            ['delivered', 3, 'webhook'],
            ['read', 4, 'webhook'],
          ] as Line[],
          attempts: [[1, 1, 'accepted', null]] as Try[],
          times: { sent: at(2), delivered: at(3), read: at(4) },
        },
        delivered: {
          attempt: 1,
          timeline: [
            sending,
            ['unconfirmed', 2, 'recovery'],
            ['failed', 3, 'webhook'],
            ['delivered', 4, 'webhook'],
          ] as Line[],
          attempts: [] as Try[],
          times: { sent: at(3), delivered: at(4) },
        },
        sent: {
          attempt: 2,
          timeline: [...retry, ['sending', 3, 'worker'], ['sent', 4, 'platform']] as Line[],
          attempts: [
            [1, 1, 'refused', 'no'],
            [2, 3, 'accepted', null],
          ] as Try[],
          times: { sent: at(4) },
        },
        failed: {
          attempt: 1,
          timeline: [sending, ['failed', 2, 'platform']] as Line[],
          attempts: [[1, 1, 'refused', '{"error":{}}']] as Try[],
          times: {},
        },
        queued: {
          attempt: 1,
          timeline: retry,
          attempts: [[1, 1, 'not_written', null]] as Try[],
          times: {},
        },
        sending: { attempt: 1, timeline: [sending], attempts: [] as Try[], times: {} },
      };
      const ids = new Map<string, string>();
      for (const [status, { attempt, timeline, attempts, times }] of Object.entries(cases)) {
        ids.set(status, await insertOld(status, attempt, timeline, attempts, times));
      }
      const process = new Client({
        connectionString: database.url,
        application_name: 'parley hot',
      });
      await process.connect();
      await expect(migrate(runnable)).rejects.toThrow('Stop every API');
      await process.end();
      await until(async () => {
        const open = await database.sql(
          `select from pg_stat_activity where datname = current_database() and application_name = 'parley hot'`,
        );
        return open.length === 0;
      });
      await migrate(runnable);
      for (const [status, { timeline, attempts }] of Object.entries(cases)) {
        const row = await readRow(database, ids.get(status) ?? '');
        expect(row.status).toBe(status);
        expect(row.timeline).toEqual(
          timeline.map(([name, second, source]) => ({ status: name, at: at(second), source })),
        );
        expect(row.attempts).toEqual(
          attempts.map(([number, second, outcome, detail]) => ({
            number,
            startedAt: at(second),
            durationMs: 12,
            outcome,
            httpStatus: 200,
            errorCode: 4,
            detail,
          })),
        );
      }
      const parts = await database.sql(
        `select c.relname, c.reloptions from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'messages'::regclass`,
      );
      expect(parts.map(({ relname }) => relname)).toContain('messages_other');
      for (const { reloptions } of parts) expect(reloptions).toEqual(['fillfactor=70']);
    });
  });
});
