import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { Client, Pool } from 'pg';

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
export class TestDatabase {
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
   * @param template `template0` has nothing, `migrated` tables only, `seeded` an account and an API key too.
   */
  static async clone(template: 'migrated' | 'seeded' | 'template0'): Promise<TestDatabase> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await onServer(`create database ${name} template ${template}`);
    const url = new URL(serverUrl());
    url.pathname = name;
    return new TestDatabase(url.href, name);
  }

  /** Runs one statement. */
  async sql<Row = any>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query(text, values);
    return rows as Row[];
  }

  async drop(): Promise<void> {
    await this.pool.end();
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
