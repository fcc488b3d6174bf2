import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { KeyWatch } from './keys-in-texts.js';
import { checkout } from './npm-start.js';
import { until } from './until.js';

const followParent = join(checkout, 'dist/modules/src/start/follow-parent.js');

/** Below the range that the system gives to outgoing connections, apart for each run and each of its processes. */
let nextPort =
  Number(process.env.PARLEY_TEST_PORTS ?? 20_000) +
  Number(process.env.JEST_WORKER_ID ?? 0) * 400 +
  (process.pid % 200);

/** A port that is free and that no connection will take by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    nextPort += 1;
    const port = nextPort;
    const isFree = await new Promise<boolean>((done) => {
      const server = createServer();
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
    });
    if (isFree) return port;
  }
}

/** Ports for one `npm start`: on the usual ones, starts of other suites come between its own. */
export async function ownPorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const name of ['PORT', 'WORKER_PORT', 'SIMULATOR_PORT']) {
    ports[name] = String(await freePort());
  }
  return ports;
}

const outputMax = 1_000_000;

/** Asking more often would take processor time from the processes that are starting. */
const askEveryMs = 100;

/** One of the product's processes, run from `dist/`. It ends with the test process. */
export class ServerProcess {
  readonly url: string;
  exited: Promise<number | NodeJS.Signals> = Promise.resolve(0);
  private child: ChildProcess | null = null;
  private written = '';
  private readonly keys = new KeyWatch();

  /**
   * @param script relative to the checkout.
   * @param port where its health answers.
   * @param env everything that it gets besides PATH and NODE_ENV.
   * @param root the checkout that it is run from.
   */
  constructor(
    readonly name: string,
    private readonly script: string,
    readonly port: number,
    readonly env: Readonly<Record<string, string>>,
    private root: string = checkout,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /** What it has written so far, both streams. */
  get output(): string {
    return this.written;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Starts it, again after it has ended; see `ready`. */
  launch(): void {
    const child = spawn(
      process.execPath,
      ['--import', followParent, join(this.root, this.script)],
      {
        cwd: this.root,
        // So that it refuses what could wait for itself; see docs/adr/0018-one-connection.md.
        env: { PATH: process.env.PATH ?? '', NODE_ENV: 'test', ...this.env },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    const keep = (text: Buffer) => {
      this.keys.read(text.toString());
      this.written = (this.written + text.toString()).slice(-outputMax);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    this.exited = new Promise((done) => {
      child.once('close', (code, signal) => done(code ?? signal ?? 'SIGKILL'));
    });
    this.child = child;
  }

  /** Waits until it can do its work. */
  async ready(): Promise<void> {
    let isReady = false;
    const isOver = async () => {
      isReady = (await this.health('ready')) === 200;
      return isReady || !this.isRunning;
    };
    await until(isOver, 60_000, askEveryMs).catch(() => {});
    if (!isReady) {
      throw new Error(`${this.name} is not ready:\n${this.output.slice(-3_000)}`);
    }
  }

  /** The HTTP status of a health route; 0 when nothing answers. */
  async health(route: 'live' | 'ready'): Promise<number> {
    return await fetch(`${this.url}/health/${route}`, { signal: AbortSignal.timeout(5_000) }).then(
      async (response) => {
        await response.body?.cancel();
        return response.status;
      },
      () => 0,
    );
  }

  signal(name: NodeJS.Signals): void {
    if (this.isRunning) this.child?.kill(name);
  }

  /**
   * Asks it to stop, kills it after `withinMs`, and returns how it ended.
   * @throws Error if it has written a whole API key.
   */
  async stop(withinMs = 10_000): Promise<number | NodeJS.Signals> {
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), withinMs);
    const how = await this.exited;
    clearTimeout(timer);
    this.keys.end(this.name);
    return how;
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited;
  }

  /** @param root the checkout that it is run from then; default the same one. */
  async restart(root = this.root): Promise<void> {
    await this.stop();
    this.root = root;
    this.launch();
    await this.ready();
  }
}

/** What a test knows about a process that it has on lease. */
export interface LeasedFacts {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  readonly env: Readonly<Record<string, string>>;
}

/** A process of a standing stack. Other tests use it afterwards, so no test may end it. */
export class LeasedProcess extends ServerProcess {
  constructor(private readonly facts: LeasedFacts) {
    super(facts.name, '', facts.port, facts.env);
  }

  override get pid(): number {
    return this.facts.pid;
  }

  override get isRunning(): boolean {
    return true;
  }

  override get output(): string {
    throw this.notOurs('read the output of');
  }

  override launch(): void {
    throw this.notOurs('start');
  }

  override signal(): void {
    throw this.notOurs('stop');
  }

  private notOurs(action: string): Error {
    return new Error(`you cannot ${action} a process on lease: use Stack.start({ own: true })`);
  }
}
