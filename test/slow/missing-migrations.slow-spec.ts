import { migrations } from '../../src/database/migrations/index.js';
import { migrationSource, runMigrations } from '../../src/database/migrations/run.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { freePort, ServerProcess } from '../support/server-process.js';
import { buttonMessage } from '../support/stack.js';
import { until } from '../support/until.js';

const silent = { info: () => {}, warn: () => {} };

/** Those of 0.1.0: the baseline alone. */
const firstRelease = migrations.slice(0, 1);

describe.each([
  ['an empty database', []],
  ['a database of 0.1.0', firstRelease],
])('on %s', (_, applied) => {
  let database: TestDatabase;
  let api: ServerProcess;
  let worker: ServerProcess;
  const all = () => [api, worker];

  const program = async (script: string) => {
    const port = await freePort();
    const server = new ServerProcess(script, `dist/src/${script}.js`, port, {
      DATABASE_URL: database.url,
      SECRET_KEY: installation.secretKey,
      PORT: String(port),
      WORKER_PORT: String(port),
    });
    server.launch();
    return server;
  };

  const readiness = async (server: ServerProcess) => {
    const response = await fetch(`${server.url}/health/ready`);
    return [response.status, await response.json()];
  };

  const send = () =>
    fetch(`${api.url}/api/v1/external/messages/interactive/button`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'none' },
      body: JSON.stringify(buttonMessage()),
    });

  const missing = [
    503,
    {
      status: 'unavailable',
      process: 'up',
      database: 'up',
      redis: 'off',
      migrations: 'missing',
      hint: 'run npm run migrate',
    },
  ];
  const ready = [
    200,
    { status: 'ok', process: 'up', database: 'up', redis: 'off', migrations: 'up' },
  ];

  beforeAll(async () => {
    database = await TestDatabase.clone('template0');
    if (applied.length > 0) {
      const source = await migrationSource(database.url, [], applied).initialize();
      await runMigrations(source, silent);
      await source.destroy();
    }
    [api, worker] = [await program('main'), await program('worker')];
    for (const server of all()) await until(async () => (await server.health('live')) === 200);
  });

  afterAll(async () => {
    for (const server of all()) await server?.stop();
    await database?.drop();
  });

  it('both are live and not ready, and say what to do', async () => {
    for (const server of all()) expect(await readiness(server)).toEqual(missing);
  });

  it('everything else is answered 503 in the envelope', async () => {
    for (const url of [
      `${api.url}/api/v1/external/messages`,
      `${api.url}/dashboard`,
      `${api.url}/nowhere`,
      `${worker.url}/metrics`,
    ]) {
      const response = await fetch(url);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await response.json()).toEqual({
        success: false,
        error: {
          code: 'SERVICE_UNAVAILABLE',
          message: 'The database lacks migrations of this version; nothing was sent.',
          details: { reason: 'migrations_missing' },
        },
        meta: { request_id: expect.stringMatching(/^req_/) },
      });
    }
    expect((await send()).status).toBe(503);
  });

  it('a process that is asked to stop stops', async () => {
    const another = await program('worker');
    await until(async () => (await another.health('live')) === 200);
    expect(await another.stop()).toBe('SIGTERM');
  });

  it('both go on by themselves when the migrations are there', async () => {
    const pids = all().map(({ pid }) => pid);
    const migrate = await program('migrate');
    expect(await migrate.exited).toBe(0);
    for (const server of all()) {
      await server.ready();
      expect(await readiness(server)).toEqual(ready);
    }
    expect((await send()).status).toBe(401);
    // The worker has begun its work.
    await until(async () => {
      const rows = await database.sql('select from periodic_work where last_run_at is not null');
      return rows.length > 0;
    });
    expect(all().map(({ pid, isRunning }) => isRunning && pid)).toEqual(pids);
  });

  it('neither has said more than one line about it', () => {
    for (const server of all()) {
      const lines = server.output.split('\n').filter((line) => /"level":"(warn|error)"/.test(line));
      expect(lines).toEqual([expect.stringContaining('run npm run migrate')]);
    }
  });

  it('migrations of a newer version do not matter', async () => {
    await database.sql(
      `insert into migrations (timestamp, name) values (1999000000000, 'Newer1999000000000')`,
    );
    for (const server of all()) expect(await readiness(server)).toEqual(ready);
  });

  it('a process whose migrations disappear is not ready any more', async () => {
    await database.sql('delete from migrations where name = $1', [migrations.at(-1)?.name]);
    for (const server of all()) expect(await readiness(server)).toEqual(missing);
  });
});
