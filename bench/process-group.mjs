import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STOP_TIMEOUT_MS = 10_000;
const READY_TIMEOUT_MS = 60_000;

/**
 * Everything one benchmark run starts, so that it can be taken down again whatever happens. Each child writes to
 * a file of its own: a pipe to this process would make it do work while it measures.
 */
export class ProcessGroup {
  #directory;
  #children = new Map();
  #cleanups = [];
  #isClosing = false;
  #fail;

  /** Rejects when a child ends by itself or when the run is interrupted; never resolves. */
  failure;

  /** `directory` holds the children's output; `close` removes it. */
  constructor(directory) {
    this.#directory = directory;
    this.failure = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    // Whoever waits for something races it against this promise; between two waits nobody listens.
    this.failure.catch(() => {});
  }

  /** Ends whatever is being waited for, with this error. */
  interrupt(error) {
    this.#fail(error);
  }

  /** Waits for the promise, but no longer than the run is sound. */
  orFailure(promise) {
    return Promise.race([promise, this.failure]);
  }

  /** Runs at `close`, after the children are gone, last registered first. */
  onClose(cleanup) {
    this.#cleanups.push(cleanup);
  }

  /** Starts a process that stays until `close`. Only the given variables and PATH are in its environment. */
  start(name, command, args, env = {}) {
    const child = this.#spawn(name, command, args, env, 'ignore');
    this.#children.set(name, child);
    child.once('exit', async (code, signal) => {
      this.#children.delete(name);
      if (this.#isClosing) return;
      this.#fail(new Error(`${name} ended (${signal ?? code})\n${await this.#readLogTail(name)}`));
    });
    return child.pid;
  }

  /** Runs a command to its end with this text on its standard input and returns the last line it wrote. */
  async run(name, command, args, env = {}, input = '') {
    const child = this.#spawn(name, command, args, env, 'pipe');
    this.#children.set(name, child);
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const code = await this.orFailure(
      new Promise((resolve) => {
        child.once('exit', (exitCode, signal) => resolve(signal ?? exitCode));
      }),
    );
    this.#children.delete(name);
    if (code !== 0) throw new Error(`${name} failed (${code})\n${await this.#readLogTail(name)}`);
    return this.#readLogTail(name, 1);
  }

  /** Waits until the address answers 200. */
  async waitUntilReady(name, url) {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (Date.now() < deadline) {
      const isReady = await this.orFailure(
        fetch(url).then(
          (response) => response.ok,
          () => false,
        ),
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`${name} was not ready within a minute\n${await this.#readLogTail(name)}`);
  }

  /**
   * Stops the children one by one, the youngest first so that none loses what it stands on while it drains, then runs
   * the cleanups and removes the directory.
   */
  async close() {
    this.#isClosing = true;
    for (const child of [...this.#children.values()].reverse()) await stopChild(child);
    for (const cleanup of this.#cleanups.reverse()) await cleanup();
    await rm(this.#directory, { recursive: true, force: true });
  }

  #spawn(name, command, args, env, stdin) {
    const log = openSync(this.#logPath(name), 'w');
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: [stdin, log, log],
    });
    closeSync(log);
    child.once('error', (error) => this.#fail(new Error(`${name}: ${error.message}`)));
    return child;
  }

  #logPath(name) {
    return join(this.#directory, `${name}.log`);
  }

  async #readLogTail(name, lines = 15) {
    const log = await readFile(this.#logPath(name), 'utf8').catch(() => '');
    return log.trimEnd().split('\n').slice(-lines).join('\n');
  }
}

/** Ports nobody listens on, found together so that they differ. */
export async function findFreePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve, reject) => {
          const server = createServer().once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Processor time of a process so far, all its threads, in milliseconds; null where there is no /proc. */
export async function readCpuMs(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The second field is the program's name and may hold spaces. Linux counts in hundredths of a second here.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process in MiB; null where there is no /proc. */
export async function readRssMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  const match = /^VmRSS:\s+(\d+) kB/m.exec(status ?? '');
  return match === null ? null : Number(match[1]) / 1024;
}

async function stopChild(child) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
