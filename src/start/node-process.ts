import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Launched } from './children.js';
import { StartError } from './console.js';
import type { Environment } from './environment.js';
import { openLog, tailOf } from './log-file.js';
import { signalProcess } from './processes.js';
import { until } from './until.js';

const readyWithinMs = 60_000;
/** What a program run to its end gets to stop when it is no longer wanted. */
const stopWithinMs = 3_000;
const followParent = new URL('./follow-parent.js', import.meta.url).href;

/** A script of the checkout, and what it is run with. */
export interface Program {
  name: string;
  script: string;
  root: string;
  env: Environment;
  logPath: string;
}

/**
 * Starts one of our Node processes. It writes to its log file itself and stops when we are gone.
 *
 * @param options.options options of Node itself.
 * @param options.guard from `guardPostgres`: the database stays up until this process has ended too.
 * @returns `ready` resolves when `healthUrl` answers 200.
 */
export function launchNode(
  program: Program & { options?: readonly string[]; healthUrl: string; guard?: { pipe: Socket } },
): Launched & { logStartsAt: number } {
  const { name, logPath, healthUrl, guard } = program;
  const log = openLog(logPath);
  const child = spawnNode(program, ['ignore', log.fd, log.fd, 'ipc', guard?.pipe ?? 'ignore']);
  log.close();

  let ended: string | undefined;
  const exited = howItEnds(child).then((how) => {
    ended = how;
    return how;
  });

  async function becomesReady(): Promise<void> {
    const answer = await until(async () => ended !== undefined || (await isHealthy(healthUrl)), {
      timeoutMs: readyWithinMs,
    });
    if (answer && ended === undefined) return;
    const how = ended ?? `not ready after ${readyWithinMs / 1000} s`;
    throw new StartError(`${name} does not start (${how}):\n${tailOf(logPath, log.startsAt)}`);
  }

  return {
    pid: child.pid,
    logPath,
    logStartsAt: log.startsAt,
    ready: becomesReady(),
    exited,
    async stop({ withinMs }) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => killGroup(child), withinMs);
      await exited;
      clearTimeout(timer);
    },
    kill: () => killGroup(child),
  };
}

/**
 * Runs one of our Node programs to its end.
 *
 * @param options.input goes to its standard input.
 * @returns what it wrote to its standard output.
 * @throws StartError with its last lines when it fails.
 */
export async function runNode(
  program: Program & { input?: string; signal: AbortSignal },
): Promise<string> {
  const { name, logPath, input = '', signal } = program;
  const log = openLog(logPath);
  const child = spawnNode(program, ['pipe', 'pipe', log.fd, 'ipc']);
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    timer = setTimeout(() => killGroup(child), stopWithinMs);
  };
  signal.addEventListener('abort', stop);
  try {
    const output: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => {
      output.push(chunk);
      log.write(chunk);
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    const how = await howItEnds(child, 'close');
    signal.throwIfAborted();
    if (how !== 'exit code 0') {
      throw new StartError(`${name} failed (${how}):\n${tailOf(logPath, log.startsAt)}`);
    }
    return Buffer.concat(output).toString('utf8');
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(timer);
    log.close();
  }
}

function spawnNode(
  { script, options = [], root, env }: Program & { options?: readonly string[] },
  stdio: StdioOptions,
): ChildProcess {
  return spawn(process.execPath, [...options, '--import', followParent, join(root, script)], {
    cwd: root,
    env,
    stdio,
    // A session of its own: Ctrl-C reaches only the supervisor, which stops things in order.
    detached: true,
  });
}

function howItEnds(child: ChildProcess, event: 'exit' | 'close' = 'exit'): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once(event, (code: number | null, signal: string | null) =>
      resolve(signal ?? `exit code ${code}`),
    );
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid) signalProcess(-child.pid, 'SIGKILL');
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
