import { Client } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { buildIndex } from '../../src/database/migrations/build-index.js';
import { alone, migrationSource, runMigrations } from '../../src/database/migrations/run.js';
import { TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const byPath = { name: 'feed_events_path', table: 'feed_events', definition: '(type, id)' };
const byName = { name: 'things_name', table: 'things', definition: '(name)' };

class BuildsIndexes1999000000001 {
  name = 'BuildsIndexes1999000000001';
  transaction = false;
  async up(runner: QueryRunner) {
    await buildIndex(runner, byPath);
    await buildIndex(runner, byName);
  }
  async down() {}
}

class AddsColumns1999000000000 {
  name = 'AddsColumns1999000000000';
  async up(runner: QueryRunner) {
    await runner.query('alter table things add column kind text');
    await runner.query('alter table feed_events add column kind text');
  }
  async down() {}
}

describe('migrations beside processes that write', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  /** Somebody whose transaction stays open. */
  let other: Client;

  beforeEach(async () => {
    database = await TestDatabase.clone('migrated');
    await database.sql('create table things (name text)');
    dataSource = migrationSource(
      database.url,
      [],
      [AddsColumns1999000000000, BuildsIndexes1999000000001],
    );
    await dataSource.initialize();
    other = new Client({ connectionString: database.url, application_name: 'other' });
    await other.connect();
  });

  afterEach(async () => {
    await other.end();
    await dataSource.destroy();
    await database.drop();
  });

  const write = () =>
    database.sql(
      `with feed as (insert into feed_events (id, api_key_id, type, body) values (new_id(), new_id(), 'test', '{}'))
       insert into things values ('new')`,
    );

  const openTransaction = async () => {
    await other.query('begin');
    await other.query(`insert into things values ('open')`);
    await other.query(
      `insert into feed_events (id, api_key_id, type, body) values (new_id(), new_id(), 'test', '{}')`,
    );
  };

  const isWaiting = (statement: string) =>
    until(async () => {
      const rows = await database.sql(
        `select 1 from pg_stat_activity where application_name = 'parley migrate'
           and wait_event_type = 'Lock' and query like $1`,
        [`${statement}%`],
      );
      return rows.length === 1;
    });

  const validity = (name: string) =>
    database
      .sql('select indisvalid as is from pg_index where indexrelid = to_regclass($1)', [name])
      .then(([row]) => row?.is);

  const quietly = { info: () => {}, warn: () => {} };

  const build = async (index: typeof byName) => {
    const runner = dataSource.createQueryRunner();
    try {
      await buildIndex(runner, index);
    } finally {
      await runner.release();
    }
  };

  it('build an index that waits for an open transaction, while nobody waits for the index', async () => {
    await openTransaction();
    const building = build(byName);
    await isWaiting('create index concurrently things_name');
    await write();
    await other.query('commit');
    await building;
    expect(await validity('things_name')).toBe(true);
  });

  it('build an index again whose building was interrupted', async () => {
    await openTransaction();
    const interrupted = build(byName).catch((error: Error) => error.message);
    await isWaiting('create index concurrently things_name');
    await database.sql(
      `select pg_cancel_backend(pid) from pg_stat_activity where query like 'create index concurrently%'`,
    );
    expect(await interrupted).toContain('canceling statement');
    await other.query('commit');
    expect(await validity('things_name')).toBe(false);
    await build(byName);
    expect(await validity('things_name')).toBe(true);
  });

  it('build an index on each partition, go on after an interruption, and reach partitions that come later', async () => {
    await other.query('begin');
    // It waits for what writes to the last partition; the others have their indexes.
    await other.query(
      `insert into feed_events_other (id, api_key_id, type, body)
       values (first_id_of('2020-01-01'), new_id(), 'test', '{}')`,
    );
    const interrupted = build(byPath).catch((error: Error) => error.message);
    await isWaiting('create index concurrently feed_events_path_other');
    await write();
    await database.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'create index concurrently%'`,
    );
    expect(await interrupted).toContain('terminating connection');
    await other.query('commit');
    expect(await validity('feed_events_path')).toBe(false);

    await build(byPath);
    await build(byPath);
    await database.sql('select ensure_partitions(6)');
    const partitions = await database.sql(
      `select p.inhrelid, bool_and(x.indisvalid) as is_valid from pg_inherits p
       join pg_index x on x.indrelid = p.inhrelid
       join pg_inherits i on i.inhrelid = x.indexrelid and i.inhparent = 'feed_events_path'::regclass
       where p.inhparent = 'feed_events'::regclass group by 1`,
    );
    expect(partitions.map((row) => row.is_valid)).toEqual(Array(8).fill(true));
    expect(await validity('feed_events_path')).toBe(true);
  });

  it('refuse to build an index in a transaction', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await expect(buildIndex(runner, byName)).rejects.toThrow('`transaction = false`');
    await runner.rollbackTransaction();
    await runner.release();
  });

  it('make room for others when they get no lock, and try again', async () => {
    await openTransaction();
    const warnings: unknown[] = [];
    const warn = (warning: unknown) => warnings.push(warning);
    const migrating = runMigrations(dataSource, { ...quietly, warn } as never, { pauseMs: 50 });
    await until(() => warnings.length > 0);
    // Between two tries, or behind the next one until that gives up.
    await write();
    await other.query('commit');
    await migrating;
    expect(warnings[0]).toMatchObject({ blockers: expect.stringContaining('(other, since') });
    expect(await validity('feed_events_path')).toBe(true);
    const names = await database.sql('select name from migrations order by id desc limit 2');
    expect(names).toEqual([
      { name: 'BuildsIndexes1999000000001' },
      { name: 'AddsColumns1999000000000' },
    ]);
  });

  it('give up after some tries, say who is in the way, and leave nothing half done', async () => {
    await openTransaction();
    await expect(
      runMigrations(dataSource, quietly as never, { tries: 2, pauseMs: 0 }),
    ).rejects.toThrow(
      /got no lock in 2 tries\. .+ run the migration again: pid \d+ \(other, since/,
    );
    await write();
    expect(await database.sql(`select 1 from migrations where name like 'Adds%'`)).toEqual([]);
    await other.query('commit');
    await runMigrations(dataSource, quietly as never);
  });

  it('build an index while another migration waits for its turn', async () => {
    const second = migrationSource(database.url, [], []);
    await second.initialize();
    const steps: string[] = [];
    let waiting: Promise<void> = Promise.resolve();
    await alone(dataSource, quietly as never, async () => {
      const info = () => steps.push('waits');
      waiting = alone(second, { info } as never, async () => {
        steps.push('second');
      });
      await until(() => steps.length > 0);
      await build(byName);
      steps.push('built');
    });
    await waiting;
    await second.destroy();
    expect(steps).toEqual(['waits', 'built', 'second']);
  });
});
