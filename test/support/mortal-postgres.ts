import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { DatabaseClient } from '../../src/database/database-client.js';
import { startPostgres } from '../../src/start/postgres/server.js';
import { putInstallation } from './installation.js';
import { killIfThere } from './kill.js';
import { makeTemplates } from './services.mjs';

export type Server = Awaited<ReturnType<typeof startPostgres>>;

const growingTables = ['messages', 'platform_notifications'];

/** Ends a server and every one of its backends by SIGKILL. */
export async function killServer({ pid, exited }: Server): Promise<void> {
  const backends = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const one of [pid, ...backends.map(Number)]) killIfThere(one);
  await exited;
}

/** A PostgreSQL of a test's own, as durable as in production, that can be killed and started again. */
export class MortalPostgres {
  private readonly pool: Pool;

  protected constructor(
    protected directory: string,
    protected server: Server,
    /** Of a database with an account and an API key. */
    readonly url: string,
  ) {
    this.pool = new Pool({
      Client: DatabaseClient,
      connectionString: url,
      max: 2,
      application_name: 'test',
    });
    this.pool.on('error', () => {});
  }

  /** @param root the checkout whose migrations make its tables; default this one. */
  static async start(root?: string): Promise<MortalPostgres> {
    const directory = mkdtempSync(join(tmpdir(), 'parley-mortal-'));
    const server = await startPostgres({ directory, durable: true });
    await makeTemplates(server.url, root);
    const url = Object.assign(new URL(server.url), { pathname: 'seeded' }).href;
    const postgres = new MortalPostgres(directory, server, url);
    await putInstallation(postgres);
    return postgres;
  }

  async sql<Row = any>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query(text, values);
    return rows as Row[];
  }

  /** Ends the server and every one of its backends by SIGKILL. */
  async kill(): Promise<void> {
    await killServer(this.server);
  }

  /** Starts it again on the same folder and port. */
  async restart(): Promise<void> {
    this.server = await startPostgres({
      directory: this.directory,
      port: this.server.port,
      durable: true,
    });
  }

  /** Stops it and starts it on a new timeline, as a standby that is promoted or a restore to a point in time. */
  async startNewTimeline(): Promise<void> {
    await this.server.stop();
    const signalFile = join(this.directory, 'postgres', 'recovery.signal');
    writeFileSync(signalFile, '');
    chmodSync(signalFile, 0o666);
    this.server = await startPostgres({
      directory: this.directory,
      port: this.server.port,
      durable: true,
      moreSettings: { restore_command: 'false' },
    });
  }

  /** Copies the database as it is now. Ends all connections to it. */
  async copy(): Promise<void> {
    await this.onServer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${this.name}'`,
      `create database copy template ${this.name} strategy file_copy`,
    );
  }

  /** Puts the copy in the place of the database, as somebody does who restores a dump. */
  async restoreCopy(): Promise<void> {
    await this.onServer(
      `drop database ${this.name} with (force)`,
      `alter database copy rename to ${this.name}`,
    );
  }

  /** Ends every connection of the product, as an operator or a failing network may. */
  async terminateBackends(): Promise<number> {
    const rows = await this.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name <> 'test'`,
    );
    return rows.length;
  }

  /** From now on no row can be added, as when there is no room left on the disk. */
  async fillDisk(): Promise<void> {
    await this.sql(
      `create or replace function disk_is_full() returns trigger language plpgsql as $$
       begin raise sqlstate '53100' using message = 'could not extend file'; end $$`,
    );
    for (const table of growingTables) {
      await this.sql(
        `create trigger disk_is_full before insert on ${table} execute function disk_is_full()`,
      );
    }
  }

  async emptyDisk(): Promise<void> {
    for (const table of growingTables) await this.sql(`drop trigger disk_is_full on ${table}`);
  }

  private get name(): string {
    return new URL(this.url).pathname.slice(1);
  }

  /** Runs statements that need a connection to another database. */
  private async onServer(...statements: string[]): Promise<void> {
    const client = new DatabaseClient({
      connectionString: Object.assign(new URL(this.url), { pathname: 'postgres' }).href,
    });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.pool.end();
    await this.server.stop({ withinMs: 2_000 });
    rmSync(this.directory, { recursive: true, force: true });
  }
}
