import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killIfThere } from './kill.js';
import { until } from './until.js';

export const checkout = resolve(import.meta.dirname, '../..');

/** What `run.json` holds. */
export interface Run {
  api_url: string;
  dashboard_url: string;
  simulator_url: string;
  admin_email: string;
  admin_password: string;
  api_key: string;
  account_id: string;
}

/** A folder as `mktemp -d` makes it: only its owner may enter. */
export function temporaryFolder(): string {
  return execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
}

/** A checkout of its own with stubs in place of the product, neither installed nor built. */
export function stubCheckout(parent = temporaryFolder()): string {
  const root = join(parent, 'checkout');
  cpSync(join(checkout, 'test/support/stub-app'), root, { recursive: true });
  return root;
}

/** The pids of all processes, other than this one's, that have to do with a data folder. */
export function processesOn(dataDirectory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const facts = [
          readFileSync(`/proc/${pid}/environ`, 'latin1'),
          readFileSync(`/proc/${pid}/cmdline`, 'latin1'),
          readlinkSync(`/proc/${pid}/cwd`),
        ];
        return facts.some((fact) => fact.includes(dataDirectory));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** One `npm start` on one data folder, seen from outside. */
export class NpmStart {
  readonly process: ChildProcess;
  readonly exited: Promise<number | string>;
  output = '';

  constructor(
    readonly root: string,
    readonly dataDirectory: string,
    env: Record<string, string> = {},
    command: readonly string[] = [process.execPath, join(checkout, 'scripts/up.mjs'), root],
  ) {
    const [program = '', ...args] = command;
    const { PATH = '', HOME = '' } = process.env;
    this.process = spawn(program, args, {
      cwd: root,
      env: { PATH, HOME, DATA_DIR: dataDirectory, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (text: Buffer) => {
      this.output += text.toString();
    };
    this.process.stdout?.on('data', keep);
    this.process.stderr?.on('data', keep);
    this.exited = new Promise((done) => {
      this.process.once('close', (code, signal) => done(code ?? signal ?? 'unknown'));
    });
  }

  /** Waits for the banner. */
  async ready(timeoutMs = 60_000): Promise<Run> {
    await until(() => this.output.includes('curl') || this.process.exitCode !== null, timeoutMs);
    if (this.process.exitCode !== null) throw new Error(`it ended:\n${this.output}`);
    return this.readRun();
  }

  readRun(): Run {
    return JSON.parse(readFileSync(join(this.dataDirectory, 'run.json'), 'utf8')) as Run;
  }

  /** The pid of a child: by its script, or of PostgreSQL's first process. */
  pidOf(name: 'API' | 'Worker' | 'Simulator' | 'PostgreSQL'): number {
    if (name === 'PostgreSQL') {
      const path = join(this.dataDirectory, 'postgres/postmaster.pid');
      return Number(readFileSync(path, 'utf8').split('\n')[0]);
    }
    const path = join(this.dataDirectory, 'processes.json');
    const entries = JSON.parse(readFileSync(path, 'utf8')) as { name: string; pid: number }[];
    return entries.find((entry) => entry.name === name)?.pid ?? 0;
  }

  /** Sends a signal to the supervisor. */
  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }

  /** Stops it, by force if it must be, and removes its data. For the end of a test. */
  async destroy(): Promise<void> {
    this.signal('SIGTERM');
    await Promise.race([this.exited, pause(10_000, undefined, { ref: false })]);
    for (const pid of processesOn(this.dataDirectory)) killIfThere(pid);
    await until(() => processesOn(this.dataDirectory).length === 0);
    rmSync(this.dataDirectory, { recursive: true, force: true });
    if (this.root !== checkout) rmSync(dirname(this.root), { recursive: true, force: true });
  }
}
