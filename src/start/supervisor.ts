import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { banner, type Run } from './banner.js';
import { Child } from './children.js';
import { codeOf, complain, StartError, say, textOf } from './console.js';
import {
  type Addresses,
  addressesOf,
  type ChildEnvironment,
  childEnvironment,
  type Environment,
  operatorOf,
} from './environment.js';
import { ProcessRecord } from './left-behind.js';
import { takeLock } from './lock.js';
import { watchErrors } from './log-file.js';
import { launchNode } from './node-process.js';
import { type HeldPort, type PortName, reservePorts } from './ports.js';
import { readClusterId } from './postgres/cluster.js';
import { type Guard, guardPostgres } from './postgres/guard.js';
import { launchPostgres, type Postgres } from './postgres/server.js';
import { migrate, Preparation, readValues, setUp, setUpInput } from './prepare.js';
import { writePrivateFile } from './private-file.js';
import { loadSecrets, type Operator, rememberOperator, type Secrets } from './secrets.js';
import { orAbort } from './until.js';

/** Together they stay below 30 s. The worker alone takes up to 20 s for sends that run. */
const stopWithinMs = { apiAndWorker: 24_000, simulator: 2_000, postgres: 2_500 };
const startEndsWithinMs = 5_000;
const errorsShownEveryMs = 2_000;
interface Script {
  script: string;
  /** Of Node itself. */
  options?: readonly string[];
}

interface Options {
  /** The checkout: package.json, src and dist. */
  root: string;
  env: Environment;
  /** Other scripts and options for the API and the worker; see `npm run dev`. */
  programs?: { api: Script; worker: Script };
  /** `signal` aborts on the first wish to stop; `onInsist` is called on the second, right before the process exits. */
  stop: { signal: AbortSignal; onInsist: () => void };
}

interface Facts {
  addresses: Addresses;
  operator: Operator;
  secrets: Secrets;
}

type NodeChild = Child<ReturnType<typeof launchNode>>;

const startedPrograms = {
  api: { script: 'dist/src/main.js' },
  worker: { script: 'dist/src/worker.js' },
};

/**
 * Runs Parley until a signal stops it.
 *
 * @returns the exit code: 0 after a signal, 1 when it could not start.
 */
export async function run({
  root,
  env,
  programs = startedPrograms,
  stop,
}: Options): Promise<number> {
  const supervisor = new Supervisor(root, env, programs, stop.signal);
  stop.onInsist = () => supervisor.kill();
  let exitCode = 0;
  try {
    await orAbort(supervisor.start(), stop.signal);
    await orAbort(supervisor.showErrors(), stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) {
      exitCode = 1;
      complain(textOf(error));
    }
  }
  await supervisor.stop();
  return exitCode;
}

class Supervisor {
  private readonly stopping = new AbortController();
  /** Aborts as soon as we stop, on request or because the start has failed. */
  private readonly signal: AbortSignal;
  private readonly dataDirectory: string;
  private release: (() => void) | undefined;
  private readonly record: ProcessRecord;
  private guard: Guard | undefined;
  private postgres: Child<Postgres> | undefined;
  private children: Record<'simulator' | 'api' | 'worker', NodeChild> | undefined;
  private started: Promise<void> = Promise.resolve();
  private setUp: Promise<string> | undefined;

  constructor(
    private readonly root: string,
    private readonly env: Environment,
    private readonly programs: { api: Script; worker: Script },
    private readonly asked: AbortSignal,
  ) {
    this.signal = AbortSignal.any([asked, this.stopping.signal]);
    this.dataDirectory = resolve(root, env.DATA_DIR || '.parley');
    this.record = new ProcessRecord(this.dataDirectory);
  }

  /** Brings everything up in order; resolves when all of it is ready. */
  start(): Promise<void> {
    const started = this.bringUp();
    this.started = started.catch(() => {});
    return started;
  }

  private async bringUp(): Promise<void> {
    this.signal.throwIfAborted();
    this.openDataDirectory();
    warnOfOldNode();
    await this.record.endLeftBehind(this.signal);

    const host = this.env.HOST || '127.0.0.1';
    const held = await reservePorts(this.env, host);
    const ports = {
      PORT: held.PORT.port,
      WORKER_PORT: held.WORKER_PORT.port,
      SIMULATOR_PORT: held.SIMULATOR_PORT.port,
    };
    const addresses = addressesOf(this.env, host, ports);
    const secrets = loadSecrets(this.dataDirectory);
    const facts = { addresses, operator: operatorOf(this.env, secrets), secrets };

    const environmentFor = (databaseUrl: string) =>
      childEnvironment(this.env, {
        host,
        ports,
        addresses,
        dataDirectory: this.dataDirectory,
        databaseUrl,
        secrets,
      });
    await readValues(environmentFor(this.env.DATABASE_URL || 'postgresql://127.0.0.1/parley'));
    const env = environmentFor(this.env.DATABASE_URL || (await this.startPostgres(secrets)));
    const accountId = await this.startProcesses(env, held, facts);
    rememberOperator(this.dataDirectory, facts.operator);
    this.announce(accountId, facts);
  }

  /** Prints what the processes log as errors, one line each at most every few seconds; never resolves. */
  async showErrors(): Promise<void> {
    const watches = Object.values(this.children ?? {}).map((child) => ({
      child,
      readErrors: watchErrors(child.process.logPath, child.process.logStartsAt),
    }));
    for (;;) {
      await pause(errorsShownEveryMs, undefined, { signal: this.signal });
      for (const { child, readErrors } of watches) {
        const { count, last } = readErrors();
        const more = count > 1 ? ` (and ${count - 1} more)` : '';
        if (count > 0) complain(`${child.name}: ${last}${more}. See ${child.process.logPath}`);
      }
    }
  }

  /** Stops everything, dependencies last. Safe at any point of the start. */
  async stop(): Promise<void> {
    if (this.asked.aborted) say('Stopping …');
    this.stopping.abort();
    if (this.release) rmSync(this.runFile, { force: true });
    await Promise.all([
      this.children?.api.stop({ withinMs: stopWithinMs.apiAndWorker }),
      this.children?.worker.stop({ withinMs: stopWithinMs.apiAndWorker }),
    ]);
    // A start that was cut short, or has failed, ends what it was running just then.
    const startEnds = Promise.allSettled([this.started, this.setUp]);
    await Promise.race([startEnds, pause(startEndsWithinMs)]);
    await this.children?.simulator.stop({ withinMs: stopWithinMs.simulator });
    await this.postgres?.stop({ withinMs: stopWithinMs.postgres });
    await this.guard?.release();
    if (this.release) this.record.clear();
    this.release?.();
    if (this.asked.aborted) say(`Stopped. Your data stays in ${this.dataDirectory}`);
  }

  /** Ends everything at once. */
  kill(): void {
    for (const child of Object.values(this.children ?? {})) child.kill();
    this.postgres?.kill();
    void this.guard?.release();
    if (this.release) rmSync(this.runFile, { force: true });
    this.release?.();
  }

  private get runFile(): string {
    return join(this.dataDirectory, 'run.json');
  }

  private openDataDirectory(): void {
    try {
      makeDirectory(join(this.dataDirectory, 'logs'));
    } catch (error) {
      throw new StartError(`DATA_DIR ${this.dataDirectory} cannot be made (${codeOf(error)}).`);
    }
    // If we are root, PostgreSQL runs as another user: it must be able to enter the folder, but not list it.
    if (process.getuid?.() === 0) chmodSync(this.dataDirectory, 0o711);
    const lock = takeLock(join(this.dataDirectory, 'supervisor.lock'));
    if ('owner' in lock) {
      throw new StartError(
        `Parley already runs on ${this.dataDirectory} (pid ${lock.owner}). Stop it, or set another DATA_DIR.`,
      );
    }
    this.release = lock.release;
    rmSync(this.runFile, { force: true });
  }

  private async startPostgres(secrets: Secrets): Promise<string> {
    this.signal.throwIfAborted();
    say('Starting PostgreSQL …');
    this.guard = guardPostgres(this.dataDirectory);
    if (this.guard.pid) this.record.addProcess('guard', this.guard.pid);
    let port: number | undefined;
    this.postgres = new Child('PostgreSQL', (signal) =>
      launchPostgres({
        directory: this.dataDirectory,
        password: secrets.postgres_password,
        port,
        signal,
      }),
    );
    await this.postgres.start();
    // Those who connect know only this port: a restart has to come back on it.
    port = this.postgres.process.port;
    return this.postgres.process.url;
  }

  /**
   * Prepares the database and starts the processes, in parallel where one does not need the other:
   * at this point each of them mostly loads its code.
   *
   * @returns the demo account's id, when all of them are ready.
   */
  private async startProcesses(
    env: ChildEnvironment,
    held: Record<PortName, HeldPort>,
    { addresses, operator, secrets }: Facts,
  ): Promise<string> {
    this.signal.throwIfAborted();
    const children = this.makeChildren(env, held, addresses);
    this.children = children;
    const context = { root: this.root, env, signal: this.signal };
    const input = setUpInput(env, operator, secrets);
    const preparation = this.postgres && this.preparationOf(input);
    const preparedAccountId = preparation?.takePrepared();

    const simulator = children.simulator.start();
    simulator.catch(() => {});
    if (!preparedAccountId) {
      say('Preparing the database …');
      await migrate(context);
    }
    this.signal.throwIfAborted();
    say('Starting the API, the worker and the simulator …');
    this.setUp = preparedAccountId ? Promise.resolve(preparedAccountId) : setUp(context, input);
    const [accountId] = await Promise.all([
      this.setUp,
      children.api.start(),
      children.worker.start(),
      simulator,
    ]);
    preparation?.keep(accountId);
    return accountId;
  }

  private preparationOf(input: string): Preparation {
    // Written by scripts/start/install.mjs; the same sources give the same.
    const buildId = readFileSync(join(this.root, 'dist', '.built-from'), 'utf8');
    const cluster = readClusterId(this.dataDirectory);
    return new Preparation(this.dataDirectory, [buildId, cluster, input]);
  }

  private makeChildren(
    env: ChildEnvironment,
    held: Record<PortName, HeldPort>,
    addresses: Addresses,
  ): Record<'simulator' | 'api' | 'worker', NodeChild> {
    const child = (name: string, program: Script, port: HeldPort, address: string): NodeChild =>
      new Child(name, async () => {
        await port.release();
        const launched = launchNode({
          ...program,
          name,
          root: this.root,
          env,
          logPath: join(this.dataDirectory, 'logs', `${name.toLowerCase()}.log`),
          healthUrl: `${address}/health/ready`,
          guard: this.guard,
        });
        if (launched.pid) this.record.addProcess(name, launched.pid);
        return launched;
      });
    const simulator = { script: 'dist/libs/simulator/main.js' };
    return {
      api: child('API', this.programs.api, held.PORT, addresses.localApi),
      worker: child('Worker', this.programs.worker, held.WORKER_PORT, addresses.localWorker),
      simulator: child('Simulator', simulator, held.SIMULATOR_PORT, addresses.simulator),
    };
  }

  private announce(accountId: string, { addresses, operator, secrets }: Facts): void {
    const shown: Run = {
      api_url: addresses.api,
      dashboard_url: addresses.dashboard,
      simulator_url: addresses.simulator,
      admin_email: operator.email,
      admin_password: operator.password,
      api_key: secrets.api_key,
      account_id: accountId,
    };
    this.signal.throwIfAborted();
    writePrivateFile(this.runFile, `${JSON.stringify(shown, null, 2)}\n`);
    say(banner(shown, addresses.localApi, this.dataDirectory, !this.env.PLATFORM_BASE_URL));
  }
}

/** Makes a folder and those above it. Node's own way never ends where no folder can be made, as in /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Once it is sure that this run is the one that goes on. */
function warnOfOldNode(): void {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= 22) return;
  complain(
    `This is Node ${node}, which gets no security fixes any more. Parley runs on it; install Node 24 soon.`,
  );
}
