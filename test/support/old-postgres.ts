import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { choosePostgresUser } from '../../src/start/postgres/user.js';
import { freePort } from './server-process.js';
import { until } from './until.js';

/** Its program to make a cluster, which scripts/test.mjs finds; empty where the machine has none. */
const initdb = process.env.PARLEY_TEST_OLD_POSTGRES ?? '';

/** Whether this machine has a PostgreSQL that is too old for Parley. */
export const hasOldPostgres = initdb !== '';

/** Runs the machine's own PostgreSQL, on data and a port of its own. */
export async function startOldPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = dirname(initdb);
  const home = mkdtempSync(join(tmpdir(), 'parley-old-postgres-'));
  chmodSync(home, 0o711);
  const data = join(home, 'data');
  const user = choosePostgresUser([folder, home], data);
  mkdirSync(data, { mode: 0o700 });
  if (user.owner) chownSync(data, user.owner.uid, user.owner.gid);
  const run = (program: string, args: readonly string[]) => {
    const [command, commandArgs, identity] = user.command(join(folder, program), args);
    return spawn(command, commandArgs, { ...identity, cwd: home, stdio: 'ignore' });
  };
  const cluster = ['-D', data, '--username=parley', '--auth=trust', '--locale=C', '--no-sync'];
  await once(run('initdb', cluster), 'exit');
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  const server = run('postgres', ['-D', data, ...settings.flatMap((one) => ['-c', one])]);
  const exited = once(server, 'exit');
  const url = `postgres://parley@127.0.0.1:${port}/postgres`;
  await until(() => answers(url));
  return {
    url,
    async stop() {
      server.kill('SIGQUIT');
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client(url);
  client.on('error', () => {});
  return await client.connect().then(
    async () => {
      await client.end();
      return true;
    },
    () => false,
  );
}
