import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stopTimeoutMs = 10_000;
const readyTimeoutMs = 60_000;
const memorySampleMs = 250;

/**
 * Everything one benchmark run starts, so that it can be taken down again whatever happens. Each child writes to
 * a file of its own: a pipe to this process would make it do work while it measures.
 */
export class ProcessGroup {
  #directory;
  #children = new Map();
  #cleanups = [];
  #isClosing = false;
  #failure;
  #fail;

  /** `directory` holds the children's output; `close` removes it. */
  constructor(directory) {
    this.#directory = directory;
    this.#failure = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    // Every wait is raced against this promise; between two waits nothing listens.
    this.#failure.catch(() => {});
  }

  /** Ends whatever is being waited for, with this error. */
  interrupt(error) {
    this.#fail(error);
  }

  /** Waits for the promise; throws as soon as a child ends by itself or the run is interrupted. */
  orFailure(promise) {
    return Promise.race([promise, this.#failure]);
  }

  /** Runs at `close`, after the children are gone, last registered first. */
  onClose(cleanup) {
    this.#cleanups.push(cleanup);
  }

  /**
   * Starts a process that stays until `close`, with nothing but these variables, PATH and HOME, and returns its id.
   * `cwd` is this checkout by default.
   */
  start(name, command, args, env = {}, cwd = root) {
    const child = this.#spawn(name, command, args, env, 'ignore', cwd);
    child.once('exit', (code, signal) => {
      if (!this.#isClosing) this.#fail(this.#describe(name, `ended (${signal ?? code})`));
    });
    return child.pid;
  }

  /** Runs a command to its end with this text on its standard input and returns the last line it wrote. */
  async run(name, command, args, env = {}, input = '', cwd = root) {
    const child = this.#spawn(name, command, args, env, 'pipe', cwd);
    // A command that never reads its input breaks the pipe; how it ends is what counts.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const result = await this.orFailure(
      new Promise((resolve) => {
        child.once('exit', (code, signal) => resolve(signal ?? code));
      }),
    );
    if (result !== 0) throw this.#describe(name, `failed (${result})`);
    return this.#readLogTail(name, 1);
  }

  /** Waits until the address answers with success. */
  async waitUntilReady(name, url) {
    const deadline = performance.now() + readyTimeoutMs;
    const isReady = () =>
      fetch(url).then(
        (response) => response.ok,
        () => false,
      );
    while (!(await this.orFailure(isReady()))) {
      if (performance.now() > deadline) throw this.#describe(name, 'was not ready in a minute');
      await pause(10);
    }
  }

  /**
   * Stops the children one by one, the youngest first so that none loses what it depends on while it drains, then runs
   * the cleanups and removes the directory.
   */
  async close() {
    this.#isClosing = true;
    for (const child of [...this.#children.values()].toReversed()) await stopChild(child);
    for (const cleanup of this.#cleanups.toReversed()) await cleanup();
    await rm(this.#directory, { recursive: true, force: true });
  }

  #spawn(name, command, args, env, stdin, cwd) {
    const log = openSync(this.#logPath(name), 'w');
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: [stdin, log, log],
      // A session of its own: Ctrl-C reaches this process alone, which stops the others in order.
      detached: true,
    });
    closeSync(log);
    this.#children.set(name, child);
    child.once('exit', () => this.#children.delete(name));
    child.once('error', (error) => this.#fail(new Error(`${name}: ${error.message}`)));
    return child;
  }

  #describe(name, event) {
    return new Error(`${name} ${event}\n${this.#readLogTail(name, 15)}`);
  }

  #readLogTail(name, lines) {
    return readFileSync(this.#logPath(name), 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }

  #logPath(name) {
    return join(this.#directory, `${name}.log`);
  }
}

/** Free ports, found together so that they differ. */
export async function findFreePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, listenAnywhere));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listenAnywhere() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Processor time of a process so far, all its threads, in milliseconds; null where there is no /proc. */
export function readCpuMs(pid) {
  return readTimes(pid)?.ownMs ?? null;
}

/** Processor time of a process and its children so far, those that have ended included; null where there is no /proc. */
export function readFamilyCpuMs(pid) {
  const parent = readTimes(pid);
  if (parent === null) return null;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readTimes)
    .filter((times) => times?.parentPid === pid)
    .reduce((sum, times) => sum + times.ownMs, parent.ownMs + parent.endedChildrenMs);
}

function readTimes(pid) {
  const stat = readProc(pid, 'stat');
  if (stat === null) return null;
  // The second field is the program's name and may hold spaces. The unit is a hundredth of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ms = (first) => (Number(fields[first]) + Number(fields[first + 1])) * 10;
  return { parentPid: Number(fields[1]), ownMs: ms(11), endedChildrenMs: ms(13) };
}

/** Looks at these processes' memory until `stop`, which returns the highest value of each in MiB. */
export function watchMemory(pids) {
  const peak = Object.fromEntries(Object.keys(pids).map((name) => [name, null]));
  const sample = () => {
    for (const [name, pid] of Object.entries(pids)) {
      const rssMb = pid === undefined ? null : readRssMb(pid);
      if (rssMb !== null) peak[name] = Math.max(peak[name], Math.round(rssMb));
    }
  };
  const timer = setInterval(sample, memorySampleMs);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Resident memory of a process in MiB; null where there is no /proc. */
function readRssMb(pid) {
  const status = readProc(pid, 'status');
  const match = /^VmRSS:\s+(\d+) kB/m.exec(status ?? '');
  return match === null ? null : Number(match[1]) / 1024;
}

function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

async function stopChild(child) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}
