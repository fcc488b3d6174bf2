import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../src/start/postgres/server.js';
import { putInstallation } from './installation.js';
import { Link } from './link.js';
import { killServer, MortalPostgres, type Server } from './mortal-postgres.js';
import { freePort } from './server-process.js';
import { makeTemplates } from './services.mjs';
import { until } from './until.js';

/** Whether each commit waits until the standby has it, too. */
type Replication = 'synchronous' | 'asynchronous';

/** So much log stays for a standby that falls behind. */
const moreSettings = { wal_keep_size: '1GB', wal_retrieve_retry_interval: '100ms' };

/** Where a server has its files, and where it listens. */
interface Place {
  readonly directory: string;
  readonly port: number;
}

/** Two servers, of which one follows the other. `url` names both, and `sql` finds the one that takes writes. */
export class ReplicatedPostgres extends MortalPostgres {
  private standby: Server | null = null;
  /** A primary that was left running when the standby took over. */
  private unfenced: Server | null = null;
  /** The way on which the standby hears of changes. */
  private wire: Link | null = null;

  private constructor(
    primary: { directory: string; server: Server },
    /** Where the standby is, or the next one will be. */
    private other: Place,
    private readonly replication: Replication,
  ) {
    const { directory, server } = primary;
    // The standby comes first: it has to be passed over.
    const hosts = [other, server].map(({ port }) => `127.0.0.1:${port}`).join(',');
    super(directory, server, `postgres://parley:parley@${hosts}/seeded`);
  }

  static async startPair(replication: Replication): Promise<ReplicatedPostgres> {
    const directory = makeDirectory();
    const server = await startPostgres({ directory, durable: true, moreSettings });
    await makeTemplates(server.url);
    const other = { directory: makeDirectory(), port: await freePort() };
    const pair = new ReplicatedPostgres({ directory, server }, other, replication);
    await putInstallation(pair);
    await pair.addStandby();
    return pair;
  }

  /** From now on nothing reaches the standby, though it is connected. */
  holdReplication(): void {
    this.wire?.hold();
  }

  /**
   * Kills the primary with all its backends, and makes the standby the primary.
   * @param isFenced false leaves the old primary running, as when the network between them is cut.
   */
  async failOver({ isFenced = true } = {}): Promise<void> {
    const { server, standby, directory } = this;
    if (!standby) throw new Error('there is no standby');
    if (isFenced) await killServer(server);
    else this.unfenced = server;
    await asAdministrator(standby.port, (client) => client.query('select pg_promote(true, 30)'));
    this.cutWire();
    this.server = standby;
    this.standby = null;
    this.directory = this.other.directory;
    this.other = { directory, port: server.port };
  }

  /** Puts a new standby where the server was that is gone. */
  async addStandby(): Promise<void> {
    if (this.unfenced) await killServer(this.unfenced);
    this.unfenced = null;
    const { directory, port } = this.other;
    await copyCluster(this.server.port, this.directory, directory);
    this.wire = new Link(await freePort());
    this.wire.target = this.server.port;
    await this.wire.join();
    this.standby = await startPostgres({
      directory,
      port,
      durable: true,
      moreSettings: {
        ...moreSettings,
        primary_conninfo: `host=127.0.0.1 port=${this.wire.port} user=parley password=parley`,
      },
    });
    if (this.replication === 'synchronous') {
      await asAdministrator(this.server.port, async (client) => {
        await client.query(`alter system set synchronous_standby_names = '*'`);
        await client.query('select pg_reload_conf()');
        // The checkpointer tells the others that they have to wait, and does so when no checkpoint is under way.
        await client.query('checkpoint');
      });
    }
    const state = this.replication === 'synchronous' ? 'sync' : 'async';
    await until(async () => {
      const [row] = await this.sql<{ sync_state: string }>(
        `select sync_state from pg_stat_replication where state = 'streaming'`,
      );
      return row?.sync_state === state;
    });
  }

  override async stop(): Promise<void> {
    for (const server of [this.standby, this.unfenced]) if (server) await killServer(server);
    this.cutWire();
    await super.stop();
    rmSync(this.other.directory, { recursive: true, force: true });
  }

  private cutWire(): void {
    this.wire?.release();
    this.wire?.cut();
  }
}

function makeDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'parley-pair-'));
}

async function asAdministrator<T>(port: number, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'parley',
    password: 'parley',
    database: 'parley',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Copies the files of a running server, as a backup does, so that the copy can follow it. */
async function copyCluster(port: number, from: string, to: string): Promise<void> {
  const source = join(from, 'postgres');
  const target = join(to, 'postgres');
  rmSync(target, { recursive: true, force: true });
  await asAdministrator(port, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    // Files may go while they are copied: the log has what became of them.
    const leftOut = [
      'postmaster.pid',
      'postmaster.opts',
      'pg_wal/*',
      'pg_replslot/*',
      'standby.signal',
    ];
    spawnSync('sh', [
      '-c',
      `mkdir -p "$2" && tar -C "$1" ${leftOut.map((name) => `--exclude='./${name}'`).join(' ')} -cf - . | tar -C "$2" -xpf -`,
      'sh',
      source,
      target,
    ]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(target, 'backup_label'), rows[0].labelfile);
    writeFileSync(join(target, 'standby.signal'), '');
  });
  const { uid, gid } = statSync(source);
  for (const name of ['backup_label', 'standby.signal']) chownSync(join(target, name), uid, gid);
}
