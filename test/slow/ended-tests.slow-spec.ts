import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../support/npm-start.js';
import { until } from '../support/until.js';

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** When it started; with the pid it names one process and no later one. */
  readonly startedAt: string;
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return [];
        return [{ pid: Number(name), parent: Number(parent), startedAt: rest[17] ?? '' }];
      } catch {
        return [];
      }
    });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

function descendantsOf(pid: number, all = processes()): Process[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
}

describe('npm test', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('that is ended by %s leaves no process behind', async (signal, code) => {
    const { PARLEY_TEST_PROJECTS: _, PARLEY_TEST_LEASES_URL: __, ...env } = process.env;
    const script = join(checkout, 'scripts/test.mjs');
    const run = spawn(process.execPath, [script, '--projects=e2e', 'test/e2e/client'], {
      cwd: checkout,
      env,
      stdio: 'ignore',
    });
    const exited = new Promise((done) => run.once('exit', done));
    const started = await until(() => {
      const found = descendantsOf(run.pid ?? 0);
      return found.some(({ pid }) => commandOf(pid).includes('dist/src/worker.js')) && found;
    }, 100_000);
    run.kill(signal);
    expect(await exited).toBe(code);
    const isThere = ({ pid, startedAt }: Process) =>
      processes().some((other) => other.pid === pid && other.startedAt === startedAt);
    const left = () => started.filter(isThere).map(({ pid }) => commandOf(pid));
    await until(() => left().length === 0).catch(() => expect(left()).toEqual([]));
  });
});
