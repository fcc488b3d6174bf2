import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { Client, Pool } from 'pg';
import { putInstallation, type Sql } from './installation.js';

function serverUrl(): string {
  const url = process.env.PARLEY_TEST_DATABASE_URL;
  if (!url) throw new Error('the services of the tests do not run; see global-setup.mjs');
  return url;
}

async function onServer(sql: string): Promise<void> {
  const client = new Client(serverUrl());
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A database of a test's own. */
export class TestDatabase implements Sql {
  private readonly pool: Pool;

  private constructor(
    readonly url: string,
    private readonly name: string,
  ) {
    this.pool = new Pool({ connectionString: url, max: 3, application_name: 'test' });
    this.pool.on('error', () => {});
  }

  /**
   * Clones a database in some fifty milliseconds.
   * @param template `template0` has nothing, `migrated` tables only, `seeded` what `installation` says.
   */
  static async clone(template: 'migrated' | 'seeded' | 'template0'): Promise<TestDatabase> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    // Copying files is a tenth of the work of logging their contents, while they are small.
    await onServer(`create database ${name} template ${template} strategy file_copy`);
    const database = TestDatabase.at(Object.assign(new URL(serverUrl()), { pathname: name }).href);
    if (template === 'seeded') await putInstallation(database);
    return database;
  }

  /** A copy of this one, as a restored dump is. Ends all connections to this one. */
  async copy(): Promise<TestDatabase> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await onServer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${this.name}'`,
    );
    await onServer(`create database ${name} template ${this.name} strategy file_copy`);
    return TestDatabase.at(Object.assign(new URL(this.url), { pathname: name }).href);
  }

  /** A database that already exists. */
  static at(url: string): TestDatabase {
    return new TestDatabase(url, new URL(url).pathname.slice(1));
  }

  /** Runs one statement. */
  async sql<Row = any>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query(text, values);
    return rows as Row[];
  }

  /**
   * Empties tables. Locking them all can meet a lock of the server's own vacuum in the other order, and
   * then PostgreSQL ends one of the two: this is tried again.
   */
  async empty(tables: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.pool.query(`truncate ${tables}`);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== '40P01' || tries === 5) throw error;
      }
    }
  }

  /** Its clock. */
  async now(): Promise<string> {
    const [row] = await this.sql<{ now: string }>('select clock_timestamp()::text as now');
    return row?.now ?? '';
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  async drop(): Promise<void> {
    await this.close();
    await onServer(`drop database if exists ${this.name} with (force)`);
  }
}

/** The URL of an empty Redis database that no other test uses. */
export async function redisDatabase(): Promise<string> {
  const url = process.env.PARLEY_TEST_REDIS_URL;
  if (!url) throw new Error('there is no Redis on this machine; choose the tests by `stores`');
  const redis = new Redis(url);
  const number = await redis.incr('test-databases');
  redis.disconnect();
  return `${url}/${number}`;
}
