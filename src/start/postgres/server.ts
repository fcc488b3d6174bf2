import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Launched } from '../children.js';
import { codeOf, StartError } from '../console.js';
import { openLog, tailOf } from '../log-file.js';
import { freePort } from '../ports.js';
import { findProcessesIn, processIdentity, signalProcess } from '../processes.js';
import { until } from '../until.js';
import { createCluster, findPrograms, serverEnvironment } from './cluster.js';
import { guardPostgres } from './guard.js';
import { choosePostgresUser } from './user.js';

/** Long enough to replay `max_wal_size` of log after a crash on a slow disk. */
const readyWithinMs = 120_000;
const oldServerStopsWithinMs = 20_000;

type Settings = Record<string, string | number>;

const serverSettings: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  random_page_cost: 1.1,
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
};
const durableSettings: Settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const throwaway: Settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

interface PostgresOptions {
  /** Made when missing. As root it becomes 0711: PostgreSQL runs as another user. */
  directory: string;
  /** Default: the port of the last run if it is free, else any free one. */
  port?: number;
  /** An existing cluster keeps its first password. */
  password?: string;
  /** False gives up safety against power cuts, not against SIGKILL; for disposable data. */
  durable?: boolean;
  /** Settings of PostgreSQL, by name. They replace ours or are added to them. */
  moreSettings?: Settings;
  signal?: AbortSignal;
}

export interface Postgres extends Launched {
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  /** Aborts open transactions and writes a checkpoint; if `withinMs` is too short, the next start recovers. */
  stop(options?: { withinMs: number }): Promise<void>;
}

/**
 * Runs a PostgreSQL 18 of our own and waits until it accepts connections. Its files go below
 * `directory`: `postgres/` (data), `postgres.log`, `postgres.port`. It goes away with the process
 * that started it.
 *
 * @throws StartError when it does not start; the message ends with its last words.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const guard = guardPostgres(options.directory);
  const server = await launchPostgres(options);
  const stop = async (stopOptions?: { withinMs: number }) => {
    await server.stop(stopOptions);
    await guard.release();
  };
  try {
    await server.ready;
    return { ...server, stop };
  } catch (error) {
    await stop({ withinMs: 0 });
    throw error;
  }
}

/** Where the database of a cluster of ours is reached. */
export function databaseUrl(password: string, port: number): string {
  return `postgres://parley:${encodeURIComponent(password)}@127.0.0.1:${port}/parley`;
}

/**
 * As `startPostgres`, and returns as soon as the server process runs: `ready` resolves when it takes
 * connections, and rejects when it ends before.
 */
export async function launchPostgres({
  directory,
  port,
  password = 'parley',
  durable = true,
  moreSettings = {},
  signal,
}: PostgresOptions): Promise<Postgres> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const home = realpathSync(directory);
  if (process.getuid?.() === 0) chmodSync(home, 0o711);
  const data = join(home, 'postgres');
  const programs = await findPrograms();
  const user = choosePostgresUser([programs.postgres, home], data);

  if (existsSync(data)) await stopOldServer(data, signal);
  else await createCluster({ home, data, programs, user, password, durable, signal });
  signal?.throwIfAborted();

  const portFile = join(home, 'postgres.port');
  const chosen = port ?? (await freePort(readNumber(portFile)));
  writeFileSync(portFile, `${chosen}\n`);

  const safety = durable ? durableSettings : throwaway;
  const settings = { ...serverSettings, ...safety, ...moreSettings, port: chosen };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logPath = join(home, 'postgres.log');
  const log = openLog(logPath);
  const [command, args, identity] = user.command(programs.postgres, ['-D', data, ...flags]);
  const server = spawn(command, args, {
    ...identity,
    cwd: data,
    env: serverEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
    // A session of its own: Ctrl-C reaches only the supervisor, and PostgreSQL stops last.
    detached: true,
  });
  log.close();
  // -1 when it could not be started: `exited` says why.
  const pid = server.pid ?? -1;
  const exited = new Promise<string>((resolve) => {
    server.once('error', (error) => resolve(codeOf(error) ?? error.message));
    server.once('exit', (code, exitSignal) => resolve(exitSignal ?? `exit code ${code}`));
  });

  return {
    pid,
    logPath,
    port: chosen,
    url: databaseUrl(password, chosen),
    ready: waitUntilReady(join(data, 'postmaster.pid'), pid, exited).catch((error: Error) => {
      throw new StartError(`${error.message}:\n${tailOf(logPath, log.startsAt)}`);
    }),
    exited: exited.then(async (how) => {
      await killOrphans(data);
      return how;
    }),
    async stop({ withinMs } = { withinMs: 15_000 }) {
      if (withinMs > 0) {
        server.kill('SIGINT');
        if (await endsWithin(exited, withinMs)) return;
      }
      server.kill('SIGQUIT');
      if (!(await endsWithin(exited, 3_000))) server.kill('SIGKILL');
      await exited;
      await killOrphans(data);
    },
    kill: () => void server.kill('SIGQUIT'),
  };
}

/**
 * Stops what a killed supervisor has left running on these data, and removes its pid file: the pid
 * in it may belong to another process by now, and PostgreSQL would not start.
 */
async function stopOldServer(data: string, signal: AbortSignal | undefined): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const pid = readNumber(pidFile);
  const servers = () => findProcessesIn(data, 'postgres');
  if (pid && (servers().includes(pid) || (!existsSync('/proc') && processIdentity(pid)))) {
    signalProcess(pid, 'SIGINT');
    await until(() => !processIdentity(pid), { timeoutMs: oldServerStopsWithinMs, signal });
  }
  await killOrphans(data);
  rmSync(pidFile, { force: true });
}

/** Ends what a killed postmaster has left behind; a new one cannot start while its backends run. */
async function killOrphans(data: string): Promise<void> {
  await until(
    () => {
      const orphans = findProcessesIn(data, 'postgres');
      for (const pid of orphans) signalProcess(pid, 'SIGKILL');
      return orphans.length === 0;
    },
    { timeoutMs: 10_000, everyMs: 20 },
  );
}

/** In the eighth line of the pid file the server says whether it accepts connections. */
async function waitUntilReady(
  pidFile: string,
  pid: number,
  exited: Promise<string>,
): Promise<void> {
  let ended: string | undefined;
  void (async () => {
    ended = await exited;
  })();
  const isReady = () => {
    if (ended !== undefined) return true;
    const lines = readLines(pidFile);
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  };
  const ready = await until(isReady, { timeoutMs: readyWithinMs, everyMs: 20 });
  if (ready && ended === undefined) return;
  const how = ended === undefined ? 'it is not ready after two minutes' : ended;
  throw new Error(`PostgreSQL does not start (${how})`);
}

async function endsWithin(exited: Promise<string>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const ended = await Promise.race([exited.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}

function readNumber(path: string): number | undefined {
  const number = Number.parseInt(readLines(path)[0] ?? '', 10);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}
