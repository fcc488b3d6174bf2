import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from './redis.mjs';
import { until } from './until.js';

const name = 'parley';

/** Replicas are filled at once, and one that is away keeps nobody from writing. */
const settings = ['--repl-diskless-sync-delay', 0, '--min-replicas-to-write', 0];

const replicaOf = ({ port }: RedisServer) => ['--replicaof', `127.0.0.1 ${port}`];

/** A Redis and its replica, watched by three sentinels that take a silence of a second for its end. */
export class RedisPair {
  private frozen: RedisServer[] = [];

  private constructor(
    private readonly directory: string,
    private master: RedisServer,
    private other: RedisServer,
    private readonly sentinels: readonly RedisServer[],
  ) {}

  static async start(): Promise<RedisPair> {
    const directory = mkdtempSync(join(tmpdir(), 'parley-sentinels-'));
    const master = await startRedis({ more: settings });
    const replica = await startRedis({ more: [...settings, ...replicaOf(master)] });
    // A sentinel that finds the replica at once need not look again for ten seconds.
    await until(() => isReplica(replica), 30_000);
    const sentinels: RedisServer[] = [];
    for (const number of [1, 2, 3]) {
      const sentinelFile = join(directory, `${number}.conf`);
      writeFileSync(
        sentinelFile,
        [
          `sentinel monitor ${name} 127.0.0.1 ${master.port} 2`,
          `sentinel down-after-milliseconds ${name} 1000`,
          `sentinel failover-timeout ${name} 3000`,
        ].join('\n'),
      );
      sentinels.push(await startRedis({ sentinelFile }));
    }
    const pair = new RedisPair(directory, master, replica, sentinels);
    await pair.isWhole();
    return pair;
  }

  get url(): string {
    const hosts = this.sentinels.map(({ port }) => `127.0.0.1:${port}`);
    return `redis+sentinel://${hosts.join(',')}/${name}`;
  }

  async killMaster(): Promise<void> {
    await this.master.stop('SIGKILL');
  }

  /** The master and the sentinel of its machine answer nothing and close nothing, until `thaw`. */
  freezeMaster(): void {
    this.frozen = [this.master, ...this.sentinels.slice(0, 1)];
    for (const { pid } of this.frozen) process.kill(pid, 'SIGSTOP');
  }

  /** What was frozen goes on as a master, until the sentinels notice. */
  thaw(): void {
    for (const { pid } of this.frozen) process.kill(pid, 'SIGCONT');
    this.frozen = [];
  }

  /** Waits until all sentinels that answer name the other one as the master. */
  async isPromoted(): Promise<void> {
    await until(() => this.isMaster(this.other), 60_000);
    [this.master, this.other] = [this.other, this.master];
  }

  /** Starts an empty replica where the killed master was. */
  async addReplica(): Promise<void> {
    const { port } = this.other;
    this.other = await startRedis({ port, more: [...settings, ...replicaOf(this.master)] });
  }

  /** Waits until there is a replica that every sentinel could promote. */
  async isWhole(): Promise<void> {
    await until(async () => {
      // On a starved machine the sentinels may have taken a slow master for a dead one.
      if (await this.isMaster(this.other)) [this.master, this.other] = [this.other, this.master];
      if (!(await isReplica(this.other))) return false;
      return this.allSay(async (sentinel) => {
        const master = factsOf(await sentinel.call('SENTINEL', 'MASTER', name));
        const [replica] = (await sentinel.call('SENTINEL', 'REPLICAS', name)) as unknown[];
        return (
          master.get('flags') === 'master' &&
          master.get('num-other-sentinels') === '2' &&
          factsOf(replica).get('flags') === 'slave'
        );
      });
    }, 60_000);
  }

  /** The connections to the master, those of sentinels and replicas apart. */
  clients(): Promise<number> {
    return ask(this.master, async (client) => {
      const lines = String(await client.client('LIST'))
        .trim()
        .split('\n');
      return lines.filter((line) => !/ name=sentinel-| flags=S | cmd=client/.test(line)).length;
    });
  }

  async stop(): Promise<void> {
    const servers = [...this.sentinels, this.master, this.other];
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    rmSync(this.directory, { recursive: true, force: true });
  }

  private isMaster({ port }: RedisServer): Promise<boolean> {
    return this.allSay(async (sentinel) => {
      const address = await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
      return (address as string[])[1] === String(port);
    });
  }

  private async allSay(question: (sentinel: Redis) => Promise<boolean>): Promise<boolean> {
    const awake = this.sentinels.filter((sentinel) => !this.frozen.includes(sentinel));
    const answers = await Promise.all(awake.map((sentinel) => ask(sentinel, question)));
    return answers.every(Boolean);
  }
}

/** Whether it follows a master and has everything from it. */
function isReplica(server: RedisServer): Promise<boolean> {
  return ask(server, async (client) =>
    (await client.info('replication')).includes('master_link_status:up'),
  );
}

async function ask<Answer>(
  { url }: RedisServer,
  question: (client: Redis) => Promise<Answer>,
): Promise<Answer> {
  const client = new Redis(url, { enableReadyCheck: false });
  client.on('error', () => {});
  try {
    return await question(client);
  } finally {
    client.disconnect();
  }
}

function factsOf(answer: unknown): Map<string, string> {
  const words = (answer ?? []) as string[];
  return new Map(
    words.flatMap((word, index): [string, string][] =>
      index % 2 === 0 ? [[word, words[index + 1] ?? '']] : [],
    ),
  );
}
