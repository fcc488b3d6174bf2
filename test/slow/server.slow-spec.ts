import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { Baseline1798000000000 } from '../../src/database/migrations/1798000000000-baseline.js';
import { migrationSource } from '../../src/database/migrations/run.js';
import { type Postgres, startPostgres } from '../../src/start/postgres/server.js';
import { addAccount } from '../support/api-keys.js';
import { installation } from '../support/installation.js';
import { checkout, temporaryFolder } from '../support/npm-start.js';
import { layOutImage } from '../support/production.js';
import { Proxy } from '../support/proxy.js';
import { freePort } from '../support/server-process.js';
import { until } from '../support/until.js';

/** What a unit of ops/systemd runs, and the variables that it sets itself. */
function unit(name: string): { command: string[]; environment: Record<string, string> } {
  const text = readFileSync(join(checkout, `ops/systemd/parley-${name}.service`), 'utf8');
  return {
    command: /^ExecStart=(.+)$/m.exec(text)?.[1]?.split(' ') ?? [],
    environment: Object.fromEntries(
      [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [
        key,
        value,
      ]),
    ),
  };
}

/**
 * What an operator does on a server without containers, as docs/self-hosting.md says it under systemd: a PostgreSQL
 * server with the tables of 0.1.0, the payload, the commands of the units, nginx with a certificate, the doctor, a message,
 * metrics, a backup and its restore. The tests are steps of one walk.
 */
describe('a server without containers', () => {
  const folder = temporaryFolder();
  const current = join(folder, 'current');
  const running = new Map<string, ChildProcess>();
  const email = 'mia@example.com';
  const password = 'correct horse battery';
  let postgres: Postgres | undefined;
  let proxy: Proxy | undefined;
  let variables: Record<string, string>;
  let oldMessage: string;
  let apiKey: string;
  let sentMessage: string;

  const dataOf = (name: string) => join(folder, name);
  const environment = () => ({ PATH: process.env.PATH, ...variables });

  async function sql<Row = Record<string, string>>(
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    const client = new Client(postgres?.url);
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Starts what a unit starts; the environment file takes precedence over the unit's own variables. */
  function launch(name: string): void {
    const { command, environment: own } = unit(name);
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      cwd: current,
      env: { ...own, ...environment() },
      stdio: 'ignore',
    });
    running.set(name, child);
  }

  async function stop(name: string): Promise<void> {
    const child = running.get(name);
    running.delete(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    await ended;
  }

  /** Runs one of the commands to its end. @returns how it ended and what it said. */
  function run(script: string, more: Record<string, string> = {}) {
    const { status, stdout, stderr } = spawnSync('node', [script], {
      cwd: current,
      env: { NODE_ENV: 'production', ...environment(), ...more },
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, output: `${stdout}${stderr}` };
  }

  const isOk = (url: string) => () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );

  async function startBoth(): Promise<void> {
    launch('worker');
    launch('api');
    await until(isOk(`http://127.0.0.1:${variables.WORKER_PORT}/health/ready`));
    await until(isOk(`http://127.0.0.1:${variables.PORT}/health/ready`));
  }

  const call = async (path: string, init: Record<string, unknown> = {}) => {
    const answer = await proxy?.fetch(`/api/v1${path}`, init);
    return { status: answer?.status, body: (await answer?.json()) as never, answer };
  };

  beforeAll(async () => {
    const [port, securePort, metricsPort, workerPort, simulatorPort] = await Promise.all(
      Array.from({ length: 5 }, freePort),
    );
    postgres = await startPostgres({ directory: dataOf('first'), password: 'of the database' });
    variables = {
      DATABASE_URL: postgres.url,
      PUBLIC_URL: `https://localhost:${securePort}`,
      TRUSTED_PROXIES: '127.0.0.1/32',
      SECRET_KEY: installation.secretKey,
      PLATFORM_VERIFY_TOKEN: 'the token of the handshake',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      WORKER_PORT: String(workerPort),
      // In place of WhatsApp.
      PLATFORM_BASE_URL: `http://127.0.0.1:${simulatorPort}/v25.0`,
      SIMULATOR_URL: `http://127.0.0.1:${simulatorPort}`,
    };
  }, 120_000);

  afterAll(async () => {
    await Promise.all([...running.keys()].map(stop));
    await proxy?.stop();
    await postgres?.stop({ withinMs: 0 });
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the database of 0.1.0, with a message', async () => {
    const source = migrationSource(variables.DATABASE_URL ?? '', [], [Baseline1798000000000]);
    await source.initialize();
    await source.runMigrations();
    await source.destroy();
    const accountId = await addAccount({ sql });
    const [row] = await sql(
      `insert into messages (id, account_id, api_key_id, mode, type, recipient, reference, payload, waiting, status,
         created_at, next_attempt_at, give_up_at, sent_at)
       values (uuidv7(), $1, gen_random_uuid(), 'live', 'text', '+14155550124', 'of 0.1.0', '{}', false, 'sent',
         now(), 'infinity', now(), now()) returning id`,
      [accountId],
    );
    oldMessage = row?.id ?? '';
  });

  it('gets the payload, which migrates the database and makes the first operator', async () => {
    layOutImage(join(folder, 'version'));
    symlinkSync('version', current);
    const { command } = unit('migrate');
    const { status, output } = run(command.at(-1) ?? '', {
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
    });
    expect(output).toContain('the database is up to date');
    expect(status).toBe(0);
    const [migrated] = await sql('select count(*) from migrations');
    const files = readdirSync(join(checkout, 'src/database/migrations'));
    expect(Number(migrated?.count)).toBe(files.filter((file) => /^\d/.test(file)).length);
  });

  it('is reached through nginx by its certificate', async () => {
    await startBoth();
    const { port } = new URL(variables.PUBLIC_URL ?? '');
    proxy = await Proxy.start('nginx', [`http://127.0.0.1:${variables.PORT}`], Number(port));
    expect((await proxy.fetch('/dashboard')).status).toBe(200);
    running.set(
      'simulator',
      spawn('node', ['dist/libs/simulator/main.js'], {
        cwd: current,
        env: {
          PATH: process.env.PATH,
          SIMULATOR_PORT: new URL(variables.SIMULATOR_URL ?? '').port,
          SIMULATOR_APP_SECRET: 'secret',
          SIMULATOR_WEBHOOK_URL: `${variables.PUBLIC_URL}/api/v1/platform/whatsapp/webhooks`,
          NODE_EXTRA_CA_CERTS: proxy.certificate,
        },
        stdio: 'ignore',
      }),
    );
    await until(isOk(`${variables.SIMULATOR_URL}/_simulator/stats`));
  });

  it('lets the operator sign in, read the message of 0.1.0, and make a key', async () => {
    const json = { 'Content-Type': 'application/json', Origin: variables.PUBLIC_URL };
    const session = await call('/dashboard/session', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email, password }),
    });
    expect(session.status).toBe(200);
    const [cookie = ''] = session.answer?.headers.get('set-cookie')?.split(';') ?? [];
    const headers = { ...json, Cookie: cookie };
    const old = await call(`/dashboard/messages/${oldMessage}`, { headers });
    expect(old.body).toMatchObject({ data: { reference: 'of 0.1.0', status: 'sent' } });
    const [account] = await sql('select id from accounts');
    const made = await call('/dashboard/api-keys', {
      method: 'POST',
      headers,
      body: JSON.stringify({
        name: 'shop',
        account_id: account?.id,
        permissions: ['send_text', 'view_messages'],
      }),
    });
    expect(made).toMatchObject({ status: 200, body: { data: { key: expect.any(String) } } });
    apiKey = (made.body as { data: { key: string } }).data.key;
  });

  it('sends a message, and hears that it was delivered', async () => {
    const sent = await call('/external/messages/text', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey },
      body: JSON.stringify({ to: '+14155550125', body: 'Your table is booked.' }),
    });
    expect(sent).toMatchObject({ status: 200, body: { data: { status: 'sent' } } });
    sentMessage = (sent.body as { data: { message_id: string } }).data.message_id;
    await until(async () => {
      const { body } = await call(`/external/messages/${sentMessage}`, {
        headers: { 'X-API-Key': apiKey },
      });
      return (body as { data: { status: string } }).data.status !== 'sent';
    });
  });

  it('shows its metrics to Prometheus and to nobody else', async () => {
    for (const port of [variables.METRICS_PORT, variables.WORKER_PORT]) {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(metrics).toMatch(/^parley_build_info\{.*version=/m);
    }
    expect((await proxy?.fetch('/metrics'))?.status).toBe(404);
  });

  it('has nothing to fix, says the doctor', () => {
    const { output } = run('dist/src/doctor.js', { NODE_EXTRA_CA_CERTS: proxy?.certificate ?? '' });
    expect(output).toMatch(/^OK +webhook .+ answers the handshake/m);
    expect(output).toMatch(/^\d+ passed, \d+ warnings, 0 to fix$/m);
  });

  it('runs on a copy of the database, and has what was sent', async () => {
    await Promise.all([stop('api'), stop('worker')]);
    await postgres?.stop();
    // With the owners: as root, PostgreSQL's files are another user's.
    execFileSync('cp', ['-a', dataOf('first'), dataOf('restored')]);
    rmSync(dataOf('first'), { recursive: true });
    postgres = await startPostgres({ directory: dataOf('restored'), password: 'of the database' });
    variables.DATABASE_URL = postgres.url;
    expect(run('dist/src/restored.js').output).toMatch(/^0 messages are unconfirmed/);
    await startBoth();
    const read = await call(`/external/messages/${sentMessage}`, {
      headers: { 'X-API-Key': apiKey },
    });
    expect(read.body).toMatchObject({ data: { to: '+14155550125' } });
  });
});
