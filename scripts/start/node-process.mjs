import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { StartError } from './console.mjs';
import { openLog, tailOf } from './log-file.mjs';
import { signalProcess } from './processes.mjs';
import { until } from './until.mjs';

const readyWithinMs = 60_000;
/** What a program run to its end gets to stop when it is no longer wanted. */
const stopWithinMs = 3_000;
const followParent = new URL('./follow-parent.mjs', import.meta.url).href;

/**
 * Starts one of our Node processes. It writes to its log file itself and stops when we are gone.
 *
 * @param options.options options of Node itself.
 * @param options.guard from `guardPostgres`: the database stays up until this process has ended too.
 * @returns what `Child` wants of a launch; `ready` resolves when `healthUrl` answers 200.
 */
export function launchNode({ name, script, options, root, env, logPath, healthUrl, guard }) {
  const log = openLog(logPath);
  const child = spawnNode(script, {
    options,
    root,
    env,
    stdio: ['ignore', log.fd, log.fd, 'ipc', guard ? guard.pipe : 'ignore'],
  });
  log.close();

  let ended;
  const exited = howItEnds(child).then((how) => {
    ended = how;
    return how;
  });

  async function becomesReady() {
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
export async function runNode({ name, script, root, env, logPath, input = '', signal }) {
  const log = openLog(logPath);
  const child = spawnNode(script, { root, env, stdio: ['pipe', 'pipe', log.fd, 'ipc'] });
  let timer;
  const stop = () => {
    child.kill('SIGTERM');
    timer = setTimeout(() => killGroup(child), stopWithinMs);
  };
  signal.addEventListener('abort', stop);
  try {
    const output = [];
    child.stdout.on('data', (chunk) => {
      output.push(chunk);
      log.write(chunk);
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
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

function spawnNode(script, { options = [], root, env, stdio }) {
  return spawn(process.execPath, [...options, '--import', followParent, join(root, script)], {
    cwd: root,
    env,
    stdio,
    // A session of its own: Ctrl-C reaches only the supervisor, which stops things in order.
    detached: true,
  });
}

function howItEnds(child, event = 'exit') {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once(event, (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

function killGroup(child) {
  if (child.pid) signalProcess(-child.pid, 'SIGKILL');
}

async function isHealthy(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
