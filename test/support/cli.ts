import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkout } from './npm-start.js';
import { until } from './until.js';

/** One run of the command, seen from outside. */
export class Cli {
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;

  /** @param program what is run; default: the command of this checkout. */
  constructor(
    args: readonly string[],
    env: Record<string, string> = {},
    input = '',
    program = join(checkout, 'clients/cli/parley.mjs'),
  ) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = spawn(process.execPath, [program, ...args], {
      // Nothing comes from a `npm start` of this checkout, or from a `parley login` of this user.
      env: { PATH, HOME, DATA_DIR: '/nowhere', XDG_CONFIG_HOME: '/nowhere', ...env },
    });
    this.child.stdout?.on('data', (text: Buffer) => {
      this.stdout += text.toString();
    });
    this.child.stderr?.on('data', (text: Buffer) => {
      this.stderr += text.toString();
    });
    this.child.stdin?.end(input);
    this.ended = new Promise((done) => this.child.once('close', done));
  }

  get lines(): string[] {
    return this.stdout.split('\n').slice(0, -1);
  }

  get events(): any[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  /** Waits until it listens. */
  async listens(): Promise<this> {
    await until(() => this.stderr.includes('Listening') || this.hasEnded);
    expect(this.stderr).toContain('Listening');
    return this;
  }

  async has(lines: number): Promise<void> {
    await until(() => this.lines.length >= lines || this.hasEnded);
    expect(this.lines).toHaveLength(lines);
  }

  async interrupt(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.ended;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}
