import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';

/** Whether this machine has a Redis to test with. */
export function hasRedis() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, 'redis-server')));
}

/**
 * Starts a Redis that keeps nothing on disk. A shell runs between it and us: when this
 * process ends, however it ends, the shell's standard input ends and it stops Redis.
 *
 * @param sentinelFile the configuration of a sentinel, which takes the place of Redis.
 * @param more further arguments.
 * @returns `{ url, port, pid, stop(signal) }`
 */
export async function startRedis({ port, sentinelFile, more = [] } = {}) {
  // Only now: this file is read before there is a build.
  const { freePort } = await import('../../dist/modules/src/start/ports.js');
  const { until } = await import('../../dist/modules/src/start/until.js');
  const chosen = port ?? (await freePort());
  const kind = sentinelFile
    ? [sentinelFile, '--sentinel']
    : ['--databases', 1024, '--save', '', ...more];
  const flags = [...kind, '--port', chosen, '--bind', '127.0.0.1'];
  const script = 'redis-server "$@" & echo $!; read -r _; kill $! 2>/dev/null; wait';
  const shell = spawn('/bin/sh', ['-c', script, 'parley-redis', ...flags], {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: '/tmp',
    detached: true,
  });
  shell.unref();
  shell.stdin.on('error', () => {});
  const exited = once(shell, 'exit');
  let output = '';
  shell.stdout.on('data', (text) => {
    output += output.length < 10_000 ? text : '';
  });
  const pid = await until(() => Number.parseInt(output, 10), { timeoutMs: 5_000, everyMs: 5 });
  const isUp = await until(() => takesConnections(chosen), { timeoutMs: 10_000, everyMs: 20 });
  if (!pid || !isUp) throw new Error(`redis-server does not start:\n${output}`);
  shell.stdin.unref();
  shell.stdout.unref();
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    pid,
    async stop(signal = 'SIGTERM') {
      if (shell.exitCode !== null) return;
      process.kill(pid, signal);
      // The shell reaps it now and goes; before that the pid is still ours.
      shell.stdin.end();
      await exited;
    },
  };
}

async function takesConnections(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
