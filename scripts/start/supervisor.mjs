import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { banner } from './banner.mjs';
import { Child } from './children.mjs';
import { complain, StartError, say } from './console.mjs';
import { addressesOf, childEnvironment, operatorOf } from './environment.mjs';
import { installAndBuild, readBuildId } from './install.mjs';
import { ProcessRecord } from './left-behind.mjs';
import { takeLock } from './lock.mjs';
import { watchErrors } from './log-file.mjs';
import { launchNode } from './node-process.mjs';
import { reservePorts } from './ports.mjs';
import { guardPostgres, launchPostgres, readClusterId } from './postgres.mjs';
import { migrate, Preparation, setUp, setUpInput } from './prepare.mjs';
import { writePrivateFile } from './private-file.mjs';
import { loadSecrets, rememberOperator } from './secrets.mjs';
import { StopSignals } from './stop-signals.mjs';

/** Together they stay below 30 s. The worker alone takes up to 20 s for sends that run. */
const stopWithinMs = { apiAndWorker: 24_000, simulator: 2_000, postgres: 2_500 };
const startEndsWithinMs = 5_000;
const errorsShownEveryMs = 2_000;
const startedPrograms = {
  api: { script: 'dist/src/main.js' },
  worker: { script: 'dist/src/worker.js' },
};

/**
 * Runs Parley until a signal stops it.
 *
 * @param options.root the checkout: package.json, src and dist.
 * @param options.env what `process.env` holds.
 * @param options.programs other scripts and Node options for the API and the worker; see `npm run dev`.
 * @returns the exit code: 0 after a signal, 1 when it could not start.
 */
export async function run({ root, env, programs = startedPrograms }) {
  const signals = new StopSignals();
  const supervisor = new Supervisor({ root, env, programs, signal: signals.signal });
  signals.onInsist = () => supervisor.kill();
  let exitCode = 0;
  try {
    await signals.orStop(supervisor.start());
    await signals.orStop(supervisor.showErrors());
  } catch (error) {
    if (!signals.signal.aborted) {
      exitCode = 1;
      complain(error instanceof StartError ? error.message : error.stack);
    }
  }
  await supervisor.stop();
  return exitCode;
}

class Supervisor {
  #root;
  #env;
  #programs;
  #asked;
  #stopping = new AbortController();
  /** Aborts as soon as we stop, on request or because the start has failed. */
  #signal;
  #dataDirectory;
  #lock;
  #record;
  #guard;
  #ports = {};
  #postgres;
  #simulator;
  #api;
  #worker;
  #started = Promise.resolve();
  #setUp;

  constructor({ root, env, programs, signal }) {
    this.#root = root;
    this.#env = env;
    this.#programs = programs;
    this.#asked = signal;
    this.#signal = AbortSignal.any([signal, this.#stopping.signal]);
    this.#dataDirectory = resolve(root, env.DATA_DIR || '.parley');
  }

  /** Brings everything up in order; resolves when all of it is ready. */
  start() {
    const started = this.#bringUp();
    this.#started = started.catch(() => {});
    return started;
  }

  async #bringUp() {
    await installAndBuild(this.#root, { signal: this.#signal });
    this.#openDataDirectory();
    await this.#record.endLeftBehind(this.#signal);

    const host = this.#env.HOST || '127.0.0.1';
    this.#ports = await reservePorts(this.#env, host);
    const ports = mapValues(this.#ports, ({ port }) => port);
    const addresses = addressesOf({ env: this.#env, host, ports });
    const secrets = loadSecrets(this.#dataDirectory);

    const operator = operatorOf({ env: this.#env, secrets });

    const databaseUrl = this.#env.DATABASE_URL || (await this.#startPostgres(secrets));
    const env = childEnvironment({
      env: this.#env,
      host,
      ports,
      addresses,
      dataDirectory: this.#dataDirectory,
      databaseUrl,
      secrets,
    });
    const accountId = await this.#startProcesses(env, { addresses, operator, secrets });
    rememberOperator(this.#dataDirectory, operator);
    this.#announce({ accountId, addresses, operator, secrets });
  }

  /** Prints what the processes log as errors, one line each at most every few seconds; never resolves. */
  async showErrors() {
    const watches = [this.#api, this.#worker, this.#simulator].map((child) => ({
      child,
      readErrors: watchErrors(child.process.logPath, child.process.logStartsAt),
    }));
    for (;;) {
      await pause(errorsShownEveryMs, undefined, { signal: this.#signal });
      for (const { child, readErrors } of watches) {
        const { count, last } = readErrors();
        const more = count > 1 ? ` (and ${count - 1} more)` : '';
        if (count > 0) complain(`${child.name}: ${last}${more}. See ${child.process.logPath}`);
      }
    }
  }

  /** Stops everything, dependencies last. Safe at any point of the start. */
  async stop() {
    if (this.#asked.aborted) say('Stopping …');
    this.#stopping.abort();
    if (this.#lock) rmSync(this.#runFile, { force: true });
    await Promise.all([
      this.#api?.stop({ withinMs: stopWithinMs.apiAndWorker }),
      this.#worker?.stop({ withinMs: stopWithinMs.apiAndWorker }),
    ]);
    // A start that was cut short, or has failed, ends what it was running just then.
    const startEnds = Promise.allSettled([this.#started, this.#setUp]);
    await Promise.race([startEnds, pause(startEndsWithinMs)]);
    await this.#simulator?.stop({ withinMs: stopWithinMs.simulator });
    await this.#postgres?.stop({ withinMs: stopWithinMs.postgres });
    await this.#guard?.release();
    if (this.#lock) this.#record.clear();
    this.#lock?.release();
    if (this.#asked.aborted) say(`Stopped. Your data stays in ${this.#dataDirectory}`);
  }

  /** Ends everything at once. */
  kill() {
    for (const child of [this.#api, this.#worker, this.#simulator, this.#postgres]) child?.kill();
    this.#guard?.release();
    if (this.#lock) rmSync(this.#runFile, { force: true });
    this.#lock?.release();
  }

  get #runFile() {
    return join(this.#dataDirectory, 'run.json');
  }

  #openDataDirectory() {
    try {
      mkdirSync(join(this.#dataDirectory, 'logs'), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new StartError(`DATA_DIR ${this.#dataDirectory} cannot be made (${error.code}).`);
    }
    // If we are root, PostgreSQL runs as another user: it must be able to enter the folder, but not list it.
    if (process.getuid?.() === 0) chmodSync(this.#dataDirectory, 0o711);
    const lock = takeLock(join(this.#dataDirectory, 'supervisor.lock'));
    if (!lock.release) {
      throw new StartError(
        `Parley already runs on ${this.#dataDirectory} (pid ${lock.owner}). Stop it, or set another DATA_DIR.`,
      );
    }
    this.#lock = lock;
    this.#record = new ProcessRecord(this.#dataDirectory);
    rmSync(this.#runFile, { force: true });
  }

  async #startPostgres(secrets) {
    this.#signal.throwIfAborted();
    say('Starting PostgreSQL …');
    this.#guard = guardPostgres(this.#dataDirectory);
    this.#record.add('guard', this.#guard.pid);
    let port;
    this.#postgres = new Child({
      name: 'PostgreSQL',
      launch: ({ signal }) =>
        launchPostgres({
          directory: this.#dataDirectory,
          password: secrets.postgres_password,
          port,
          signal,
        }),
    });
    await this.#postgres.start();
    // Those who connect know only this port: a restart has to come back on it.
    port = this.#postgres.process.port;
    return this.#postgres.process.url;
  }

  /**
   * Prepares the database and starts the processes, in parallel where one does not need the other:
   * at this point each of them mostly loads its code.
   *
   * @returns the demo account's id, when all of them are ready.
   */
  async #startProcesses(env, { addresses, operator, secrets }) {
    this.#signal.throwIfAborted();
    this.#makeChildren(env, addresses);
    const context = { root: this.#root, env, signal: this.#signal };
    const input = setUpInput({ env, operator, secrets });
    const preparation = this.#postgres && this.#preparationOf(input);
    const preparedAccountId = preparation?.take();

    const simulator = this.#simulator.start();
    simulator.catch(() => {});
    if (!preparedAccountId) {
      say('Preparing the database …');
      await migrate(context);
    }
    this.#signal.throwIfAborted();
    say('Starting the API, the worker and the simulator …');
    this.#setUp = preparedAccountId ?? setUp(context, input);
    const [accountId] = await Promise.all([
      this.#setUp,
      this.#api.start(),
      this.#worker.start(),
      simulator,
    ]);
    preparation?.keep(accountId);
    return accountId;
  }

  #preparationOf(input) {
    const cluster = readClusterId(this.#dataDirectory);
    return new Preparation(this.#dataDirectory, [readBuildId(this.#root), cluster, input]);
  }

  #makeChildren(env, addresses) {
    const child = (name, { script, options }, portName, address) =>
      new Child({
        name,
        launch: async () => {
          await this.#ports[portName].release();
          return launchNode({
            name,
            script,
            options,
            root: this.#root,
            env,
            logPath: join(this.#dataDirectory, 'logs', `${name.toLowerCase()}.log`),
            healthUrl: `${address}/health/ready`,
            guard: this.#guard,
          });
        },
        onLaunch: ({ pid }) => this.#record.add(name, pid),
      });
    this.#simulator = child(
      'Simulator',
      { script: 'dist/libs/simulator/main.js' },
      'SIMULATOR_PORT',
      addresses.simulator,
    );
    this.#api = child('API', this.#programs.api, 'PORT', addresses.localApi);
    this.#worker = child('Worker', this.#programs.worker, 'WORKER_PORT', addresses.localWorker);
  }

  #announce({ accountId, addresses, operator, secrets }) {
    const run = {
      api_url: addresses.api,
      dashboard_url: addresses.dashboard,
      simulator_url: addresses.simulator,
      admin_email: operator.email,
      admin_password: operator.password,
      api_key: secrets.api_key,
      account_id: accountId,
    };
    this.#signal.throwIfAborted();
    writePrivateFile(this.#runFile, `${JSON.stringify(run, null, 2)}\n`);
    say(
      banner({
        run,
        localApi: addresses.localApi,
        dataDirectory: this.#dataDirectory,
        simulatorLives: !this.#env.PLATFORM_BASE_URL,
      }),
    );
  }
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
