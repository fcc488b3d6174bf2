import { Client } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { buildIndex } from '../../src/database/migrations/build-index.js';
import { migrationSource, runMigrations } from '../../src/database/migrations/run.js';
import { TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const rows = 2_000_000;

class AddsColumns1999000000000 {
  name = 'AddsColumns1999000000000';
  async up(runner: QueryRunner) {
    await runner.query(`alter table feed_events add column path text not null default 'none'`);
  }
  async down() {}
}

class BuildsIndexes1999000000001 {
  name = 'BuildsIndexes1999000000001';
  transaction = false;
  async up(runner: QueryRunner) {
    await buildIndex(runner, {
      name: 'feed_events_path',
      table: 'feed_events',
      definition: '(path, body, id)',
    });
  }
  async down() {}
}

/** Locks of tables that an `insert` waits for. */
const keepsOut = [
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
] as const;

describe(`a migration of a table with ${rows} rows`, () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let writer: Client;

  beforeAll(async () => {
    database = await TestDatabase.clone('migrated');
    await database.sql(
      `insert into feed_events (id, api_key_id, type, body)
       select new_id(), first_id_of(now()), 'test', md5(n::text) from generate_series(1, ${rows}) n`,
    );
    writer = new Client({ connectionString: database.url, lock_timeout: 1_000 });
    await writer.connect();
    dataSource = migrationSource(
      database.url,
      [],
      [AddsColumns1999000000000, BuildsIndexes1999000000001],
    );
    await dataSource.initialize();
  });

  afterAll(async () => {
    await writer?.end();
    await dataSource?.destroy();
    await database?.drop();
  });

  it('lets everyone write while it adds a column and builds an index', async () => {
    let isOver = false;
    const migrating = runMigrations(dataSource, {
      info: () => {},
      warn: () => {},
    } as never).finally(() => {
      isOver = true;
    });
    let written = 0;
    let seenBuilding = 0;
    const held = new Set<string>();
    await until(async () => {
      // It would wait for a second at most.
      await writer.query(
        `insert into feed_events (id, api_key_id, type, body) values (new_id(), new_id(), 'test', '{}')`,
      );
      written += 1;
      const [build] = await database.sql(
        'select 1 from pg_stat_progress_create_index where tuples_done > 0',
      );
      if (!build) return isOver;
      seenBuilding += 1;
      const locks = await database.sql(
        `select mode from pg_locks join pg_class c on c.oid = relation
         where granted and c.relname like 'feed_events%' and relkind in ('r', 'p') and mode = any ($1)`,
        [keepsOut],
      );
      for (const { mode } of locks) held.add(mode);
      return isOver;
    }, 100_000);
    await migrating;

    expect(seenBuilding).toBeGreaterThan(0);
    expect([...held]).toEqual([]);
    const [row] = await database.sql(
      `select count(*)::int as count,
         (select indisvalid from pg_index where indexrelid = 'feed_events_path'::regclass) as is_valid
       from feed_events where path = 'none'`,
    );
    expect(row).toEqual({ count: rows + written, is_valid: true });
  });
});
