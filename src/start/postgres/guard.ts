import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { signalProcess } from '../processes.js';

export interface Guard {
  pid: number | undefined;
  pipe: Socket;
  release(): Promise<void>;
}

/**
 * Starts a watch that shuts down the server in `directory` once this process is gone, however it ended, and
 * so is every child that was given `guard.pipe`: those may still need the database to finish. The
 * watch is a shell that waits for the end of its standard input.
 * `release` resolves when the watch has gone.
 */
export function guardPostgres(directory: string): Guard {
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
  // A pipe of a child is a socket.
  const pipe = guard.stdin as unknown as Socket;
  pipe.unref();
  return {
    pid: guard.pid,
    pipe,
    release: async () => {
      guard.ref();
      if (guard.pid) signalProcess(guard.pid, 'SIGKILL');
      await gone;
    },
  };
}
