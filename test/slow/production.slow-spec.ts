import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { temporaryFolder } from '../support/npm-start.js';
import { imageCommands, layOutImage, runInImage } from '../support/production.js';
import { freePort } from '../support/server-process.js';
import { buttonMessage, newRecipient } from '../support/stack.js';
import { until } from '../support/until.js';

/** The image's files and commands, without a container around them. */
describe('what the image holds', () => {
  const { environment, start, health } = imageCommands();
  const folder = temporaryFolder();
  const children: ChildProcess[] = [];
  let database: TestDatabase;
  let env: Record<string, string>;
  let simulatorPort: number;

  const launch = (
    [program = '', ...args]: readonly string[],
    more: Record<string, string> = {},
  ) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env, ...more },
      stdio: 'ignore',
    });
    children.push(child);
    return child;
  };
  const answers = (port: string | number | undefined) => async () =>
    (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null))?.ok;

  beforeAll(async () => {
    layOutImage(folder);
    database = await TestDatabase.clone('seeded');
    simulatorPort = await freePort();
    env = {
      ...environment,
      PORT: String(await freePort()),
      WORKER_PORT: String(await freePort()),
      DATABASE_URL: database.url,
      SECRET_KEY: installation.secretKey,
      PLATFORM_BASE_URL: `http://127.0.0.1:${simulatorPort}/v25.0`,
      SIMULATOR_URL: `http://127.0.0.1:${simulatorPort}`,
    };
  });

  afterAll(async () => {
    await Promise.all(
      children.map(async (child) => {
        const ended = new Promise((done) => child.once('exit', done));
        if (child.exitCode === null && child.signalCode === null && child.kill()) await ended;
      }),
    );
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs for production, on all addresses, as an unprivileged user', () => {
    expect(environment).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' });
    expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^USER node$/m);
  });

  it('migrates, with the packages of production alone', () => {
    const { code, output } = runInImage(folder, ['node', 'dist/src/migrate.js'], env);
    expect(output).toContain('the database is up to date');
    expect(code).toBe(0);
  });

  it('is not healthy before anything runs', () => {
    expect(runInImage(folder, health, env).code).toBe(1);
  });

  it('sends a message as API and worker, which say that they are healthy', async () => {
    launch(['node', 'dist/libs/simulator/main.js'], { SIMULATOR_PORT: String(simulatorPort) });
    const worker = launch(['node', 'dist/src/worker.js']);
    await until(answers(env.WORKER_PORT));
    expect(runInImage(folder, health, env).code).toBe(0);
    const api = launch(start);
    await until(answers(env.PORT));
    await until(answers(simulatorPort));
    const response = await fetch(
      `http://127.0.0.1:${env.PORT}/api/v1/external/messages/interactive/button`,
      {
        method: 'POST',
        headers: { 'X-API-Key': installation.apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(buttonMessage({ to: newRecipient() })),
      },
    );
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { data: { status: 'sent' } },
    ]);
    const page = await fetch(`http://127.0.0.1:${env.PORT}/dashboard`);
    expect(page.status).toBe(200);
    // Both stop on request, and do not end by a signal.
    for (const child of [api, worker]) {
      const ended = new Promise((done) =>
        child.once('exit', (code, signal) => done(code ?? signal)),
      );
      child.kill('SIGTERM');
      expect([0, 'SIGTERM']).toContain(await ended);
    }
  });
});

describe('npm run migrate', () => {
  const operators = (database: TestDatabase) =>
    database.sql(`select email from users where role = 'operator'`);
  const migrate = (database: TestDatabase, env: Record<string, string> = {}) =>
    runInImage(join(import.meta.dirname, '../..'), ['node', 'dist/src/migrate.js'], {
      DATABASE_URL: database.url,
      SECRET_KEY: installation.secretKey,
      ...env,
    });

  it('makes the first operator once, and never without a password', async () => {
    const database = await TestDatabase.clone('migrated');
    const without = migrate(database);
    expect(without.code).toBe(0);
    expect(without.output).toContain('no user can sign in yet');
    expect(await operators(database)).toEqual([]);

    const first = { ADMIN_EMAIL: 'mia@example.com', ADMIN_PASSWORD: 'correct horse battery' };
    expect(migrate(database, first).code).toBe(0);
    expect(await operators(database)).toEqual([{ email: 'mia@example.com' }]);

    const second = { ADMIN_EMAIL: 'eve@example.com', ADMIN_PASSWORD: 'another password' };
    expect(migrate(database, second).code).toBe(0);
    expect(await operators(database)).toEqual([{ email: 'mia@example.com' }]);
    await database.drop();
  });
});
