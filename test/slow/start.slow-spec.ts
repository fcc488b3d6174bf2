import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  checkout,
  NpmStart,
  processesOn,
  type Run,
  stubCheckout,
  temporaryFolder,
} from '../support/npm-start.js';
import { freePort, ownPorts } from '../support/server-process.js';
import { until } from '../support/until.js';

const childProcesses = ['API', 'Worker', 'Simulator', 'PostgreSQL'] as const;
const isRoot = process.getuid?.() === 0;
const running: NpmStart[] = [];

/** The supervisor with stubs as children, because this file does not test the children. */
function start(options: { root?: string; data?: string; env?: Record<string, string> } = {}) {
  const { root = stubCheckout(), data = temporaryFolder(), env } = options;
  const started = new NpmStart(root, data, env);
  running.push(started);
  return started;
}

afterEach(async () => {
  for (const started of running.splice(0).toReversed()) await started.destroy();
});

async function environmentOf(address: string): Promise<Record<string, string>> {
  const response = await fetch(`${address}/env`);
  return (await response.json()) as Record<string, string>;
}

async function query(databaseUrl: string | undefined, sql: string): Promise<unknown[]> {
  const client = new Client(databaseUrl);
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

async function answers(address: string): Promise<boolean> {
  return await fetch(`${address}/health/ready`).then(
    (response) => response.ok,
    () => false,
  );
}

async function takenPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, server };
}

function builds(root: string): string[] {
  return readFileSync(join(root, 'builds.log'), 'utf8').trim().split('\n');
}

describe('npm start', () => {
  let started: NpmStart;
  let run: Run;
  let modeBefore: number;

  beforeAll(async () => {
    const data = temporaryFolder();
    modeBefore = statSync(data).mode & 0o777;
    started = new NpmStart(stubCheckout(), data);
    run = await started.ready();
  });

  afterAll(() => started.destroy());

  it('shows everything in one banner and in run.json', async () => {
    expect(run).toEqual({
      api_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dashboard_url: `${run.api_url}/dashboard`,
      simulator_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      admin_email: 'admin@parley.local',
      admin_password: expect.stringMatching(/^\S{16,}$/),
      api_key: expect.stringMatching(/^pk_live_[0-9A-Za-z]{40}$/),
      account_id: expect.any(String),
    });
    expect(started.output).toContain(run.dashboard_url);
    expect(started.output).toContain(run.admin_password);
    expect(started.output).toContain(run.simulator_url);
    expect(started.output).toContain(`-H 'X-API-Key: ${run.api_key}'`);
    expect(started.output.match(/Parley is running/g)).toHaveLength(1);
    expect(await answers(run.api_url)).toBe(true);
    expect(await answers(run.simulator_url)).toBe(true);
  });

  it('keeps secrets to their owner and lets PostgreSQL enter a folder of mktemp', async () => {
    const { dataDirectory } = started;
    for (const file of ['run.json', 'secrets.json', 'logs/api.log', 'processes.json']) {
      expect(statSync(join(dataDirectory, file)).mode & 0o077).toBe(0);
    }
    expect(modeBefore).toBe(0o700);
    expect(statSync(dataDirectory).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
  });

  it('gives the processes a durable PostgreSQL 18 in UTF-8', async () => {
    const { DATABASE_URL } = await environmentOf(run.api_url);
    expect(
      await query(
        DATABASE_URL,
        `select current_setting('server_version') like '18.%', current_setting('fsync'),
           current_setting('synchronous_commit'), current_setting('server_encoding'),
           (select datlocale from pg_database where datname = current_database())`,
      ),
    ).toEqual([true, 'on', 'on', 'UTF8', 'C.UTF-8']);
    const wrongPassword = DATABASE_URL?.replace(/:[^:@]+@/, ':wrong@');
    await expect(query(wrongPassword, 'select 1')).rejects.toThrow('authentication failed');
  });

  it('connects the processes with each other', async () => {
    expect(await environmentOf(run.api_url)).toMatchObject({
      PLATFORM_BASE_URL: `${run.simulator_url}/v25.0`,
      SIMULATOR_URL: run.simulator_url,
      SIMULATOR_WEBHOOK_URL: `${run.api_url}/api/v1/platform/whatsapp/webhooks`,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SECRET_KEY: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      PLATFORM_VERIFY_TOKEN: expect.stringMatching(/^\S{16,}$/),
    });
  });

  it('shows what the processes log as errors', async () => {
    await fetch(`${run.api_url}/fail`);
    await until(() => started.output.includes('API: the stub was told to fail'));
  });
});

describe('npm start somewhere else', () => {
  it('works where only root may enter, data folder and programs alike', async () => {
    const closed = temporaryFolder();
    const started = start({ root: stubCheckout(closed), data: join(closed, 'data') });
    const run = await started.ready();
    expect(await answers(run.api_url)).toBe(true);
    started.signal('SIGTERM');
    await started.exited;

    const again = start({ root: started.root, data: started.dataDirectory });
    expect((await again.ready()).api_key).toBe(run.api_key);
  });

  it('passes the environment on', async () => {
    const port = await freePort();
    const env = {
      PORT: String(port),
      PUBLIC_URL: 'https://parley.example.com/some/path/',
      ADMIN_EMAIL: 'mia@example.com',
      ADMIN_PASSWORD: 'correct horse battery staple',
      PLATFORM_BASE_URL: 'https://graph.example.com/v25.0',
      REDIS_URL: 'redis://127.0.0.1:6390',
    };
    const run = await start({ env }).ready();

    expect(run).toMatchObject({
      api_url: 'https://parley.example.com',
      dashboard_url: 'https://parley.example.com/dashboard',
      admin_email: 'mia@example.com',
      admin_password: 'correct horse battery staple',
    });
    expect(await environmentOf(`http://127.0.0.1:${port}`)).toMatchObject({
      PLATFORM_BASE_URL: 'https://graph.example.com/v25.0',
      REDIS_URL: 'redis://127.0.0.1:6390',
    });
  });
});

describe('npm start after npm start', () => {
  it('has the same secrets and data, and prepares no database again', async () => {
    const first = start();
    const before = await first.ready();
    const { DATABASE_URL, ...secrets } = await environmentOf(before.api_url);
    await query(DATABASE_URL, 'create table kept as select 42 as answer');
    first.signal('SIGTERM');
    expect(await first.exited).toBe(0);
    expect(existsSync(join(first.dataDirectory, 'run.json'))).toBe(false);

    const second = start({ root: first.root, data: first.dataDirectory });
    const after = await second.ready();
    expect(second.output).not.toContain('Preparing the database');
    const { admin_password, api_key, account_id } = before;
    expect(after).toMatchObject({ admin_password, api_key, account_id });
    const environment = await environmentOf(after.api_url);
    for (const name of ['SECRET_KEY', 'PLATFORM_VERIFY_TOKEN', 'SIMULATOR_APP_SECRET']) {
      expect(environment[name]).toBe(secrets[name]);
    }
    expect(await query(environment.DATABASE_URL, 'select answer from kept')).toEqual([42]);
  });

  it('prepares the database again when it is a new one', async () => {
    const first = start();
    await first.ready();
    first.signal('SIGTERM');
    await first.exited;
    rmSync(join(first.dataDirectory, 'postgres'), { recursive: true });

    const second = start({ root: first.root, data: first.dataDirectory });
    await second.ready();
    expect(second.output).toContain('Preparing the database');
  });

  it('shows the password that the first operator was made with', async () => {
    const first = start({ env: { ADMIN_PASSWORD: 'the very first one' } });
    await first.ready();
    first.signal('SIGTERM');
    await first.exited;

    const env = { ADMIN_PASSWORD: 'a later one' };
    const second = start({ root: first.root, data: first.dataDirectory, env });
    expect((await second.ready()).admin_password).toBe('the very first one');
  });

  it('refuses a second run on the same data folder in one line', async () => {
    const first = start();
    await first.ready();
    const second = start({ root: first.root, data: first.dataDirectory });

    expect(await second.exited).toBe(1);
    expect(second.output.trim()).toBe(
      `Parley already runs on ${first.dataDirectory} (pid ${first.process.pid}). Stop it, or set another DATA_DIR.`,
    );
    expect(first.readRun()).toBeDefined();
  });
});

describe('a process that dies', () => {
  let started: NpmStart;
  let run: Run;

  beforeAll(async () => {
    started = new NpmStart(stubCheckout(), temporaryFolder());
    run = await started.ready();
  });

  afterAll(() => started.destroy());

  it.each(childProcesses)('%s: is started again and everything goes on', async (name) => {
    const killed = started.pidOf(name);
    process.kill(killed, 'SIGKILL');

    await until(() => started.output.includes(`${name} is running again.`));
    expect(started.output).toContain(`${name} ended (SIGKILL); starting it again.`);
    expect(started.pidOf(name)).not.toBe(killed);
    expect(await answers(run.api_url)).toBe(true);
    expect(await answers(run.simulator_url)).toBe(true);
    const { DATABASE_URL } = await environmentOf(run.api_url);
    expect(await query(DATABASE_URL, 'select 1')).toEqual([1]);
  });

  it('PostgreSQL: comes back while a backend is busy, with all that was committed', async () => {
    const { DATABASE_URL } = await environmentOf(run.api_url);
    await query(DATABASE_URL, 'create table kept as select 42 as answer');
    const busy = query(DATABASE_URL, 'select count(*) from generate_series(1, 1e9)');
    const cutOff = busy.then(
      () => false,
      () => true,
    );
    await until(async () => {
      const sql = "select count(*)::int > 1 from pg_stat_activity where state = 'active'";
      return (await query(DATABASE_URL, sql))[0];
    });
    started.output = '';
    process.kill(started.pidOf('PostgreSQL'), 'SIGKILL');

    expect(await cutOff).toBe(true);
    await until(() => started.output.includes('PostgreSQL is running again.'));
    expect(await query(DATABASE_URL, 'select answer from kept')).toEqual([42]);
  });

  it('is started again as often as it dies', async () => {
    started.output = '';
    for (let death = 1; death <= 3; death++) {
      process.kill(started.pidOf('Worker'), 'SIGKILL');
      await until(() => started.output.match(/Worker is running again/g)?.length === death, 10_000);
    }
  });
});

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s: ends with 0, leaves no process and no run.json',
    async (signal) => {
      const started = start();
      await started.ready();
      expect(processesOn(started.dataDirectory).length).toBeGreaterThan(5);
      started.signal(signal);

      expect(await started.exited).toBe(0);
      expect(processesOn(started.dataDirectory)).toEqual([]);
      expect(existsSync(join(started.dataDirectory, 'run.json'))).toBe(false);
      expect(readFileSync(join(started.dataDirectory, 'postgres.log'), 'utf8')).toContain(
        'database system is shut down',
      );
    },
  );

  it('works through npm, which passes the signal on', async () => {
    const root = stubCheckout();
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    manifest.scripts.start = `exec node ${join(checkout, 'scripts/up.mjs')} .`;
    writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
    const started = new NpmStart(root, temporaryFolder(), {}, ['npm', 'start']);
    running.push(started);
    await started.ready();
    started.signal('SIGTERM');

    await started.exited;
    expect(started.output).toContain('Stopped.');
    expect(processesOn(started.dataDirectory)).toEqual([]);
  });

  it('treats two signals at once, as Ctrl-C under npm sends them, as one', async () => {
    const started = start();
    await started.ready();
    started.signal('SIGINT');
    started.signal('SIGINT');
    expect(await started.exited).toBe(0);
    expect(started.output).toContain('Stopped.');
  });

  it('ends at once, whatever still runs, on a later signal', async () => {
    const started = start({ env: { STUB_HANGS: 'yes' } });
    await started.ready();
    await until(() => {
      started.signal('SIGINT');
      return started.process.exitCode !== null;
    });

    expect(started.process.exitCode).toBe(130);
    await until(() => processesOn(started.dataDirectory).length === 0);
  });

  it('works during a start', async () => {
    const started = start();
    await until(() => started.output.includes('Starting PostgreSQL'));
    started.signal('SIGTERM');

    expect(await started.exited).toBe(0);
    expect(processesOn(started.dataDirectory)).toEqual([]);
    const again = start({ root: started.root, data: started.dataDirectory });
    await again.ready();
  });
});

describe('a supervisor that is killed', () => {
  it('takes everything with it', async () => {
    const started = start();
    await started.ready();
    started.signal('SIGKILL');
    await started.exited;
    await until(() => processesOn(started.dataDirectory).length === 0);
    expect(readFileSync(join(started.dataDirectory, 'postgres.log'), 'utf8')).toContain(
      'database system is shut down',
    );
  });

  it('can be started again at once, on the same ports and data', async () => {
    const env = await ownPorts();
    const first = start({ env });
    const before = await first.ready();
    const { DATABASE_URL } = await environmentOf(before.api_url);
    await query(DATABASE_URL, 'create table kept as select 42 as answer');
    first.signal('SIGKILL');

    const second = start({ root: first.root, data: first.dataDirectory, env });
    const after = await second.ready();
    expect(after).toEqual(before);
    const environment = await environmentOf(after.api_url);
    expect(await query(environment.DATABASE_URL, 'select answer from kept')).toEqual([42]);
  });
});

describe('ports', () => {
  it('are the next free ones by default', async () => {
    const [one, other] = [start(), start()];
    const runs = [await one.ready(), await other.ready()];
    const addresses = runs.flatMap((run) => [run.api_url, run.simulator_url]);
    expect(new Set(addresses).size).toBe(4);
    for (const address of addresses) expect(await answers(address)).toBe(true);
  });

  it.each([
    ['taken', undefined],
    ['not a number', 'http'],
    ['out of range', '70000'],
  ])('that are given and %s end the start with one line', async (_, value) => {
    const { port, server } = await takenPort();
    const workerPort = value ?? String(port);
    const started = start({ env: { WORKER_PORT: workerPort } });

    expect(await started.exited).toBe(1);
    const said = value
      ? `WORKER_PORT is "${value}"; it takes a port from 0 to 65535.`
      : `WORKER_PORT=${port} is taken by another process. Stop it, or set another WORKER_PORT.`;
    expect(started.output.trim().split('\n').at(-1)).toBe(said);
    server.close();
  });
});

describe('a start that fails', () => {
  it('because of a bad value says so in one line, before anything is started', async () => {
    const started = start({ env: { LOG_LEVEL: 'loud' } });
    expect(await started.exited).toBe(1);
    expect(started.output.trim().split('\n').at(-1)).toBe(
      'LOG_LEVEL is "loud"; it takes one of fatal, error, warn, info, debug, trace, silent',
    );
    expect(started.output).not.toContain('PostgreSQL');
  });

  it('because no folder can be made ends, too', async () => {
    const started = start({ env: { DATA_DIR: '/proc/parley' } });
    expect(await started.exited).toBe(1);
    expect(started.output).toContain('DATA_DIR /proc/parley cannot be made (ENOENT).');
  });

  it('shows the last words of the process that ended, and leaves nothing', async () => {
    const started = start({ env: { STUB_FAILS: 'yes' } });
    expect(await started.exited).toBe(1);
    expect(started.output).toContain('the stub was told to end');
    expect(processesOn(started.dataDirectory)).toEqual([]);
  });

  it('waits for the set-up too, which runs in parallel', async () => {
    const started = start({
      env: { STUB_FAILS: 'yes', STUB_SET_UP_TAKES_LONG: 'yes' },
    });
    expect(await started.exited).toBe(1);
    expect(processesOn(started.dataDirectory)).toEqual([]);
  });

  it('needs no embedded PostgreSQL when DATABASE_URL is given', async () => {
    const databaseAddress = 'postgres://somebody@db.invalid/parley';
    const started = start({ env: { DATABASE_URL: databaseAddress } });
    const run = await started.ready();
    expect(await environmentOf(run.api_url)).toMatchObject({ DATABASE_URL: databaseAddress });
    expect(existsSync(join(started.dataDirectory, 'postgres'))).toBe(false);
  });
});

describe('installing and building', () => {
  it('happens once for two starts at the same moment', async () => {
    const root = stubCheckout();
    const both = [start({ root }), start({ root })];
    await Promise.all(both.map((started) => started.ready()));
    expect(builds(root)).toEqual(['begin', 'end']);
  });

  it('happens again when a source has changed, and not otherwise', async () => {
    const root = stubCheckout();
    const data = temporaryFolder();
    const run = async () => {
      const started = start({ root, data });
      await started.ready();
      started.signal('SIGTERM');
      await started.exited;
      return started.output;
    };
    expect(await run()).toContain('Building');
    expect(await run()).not.toContain('Building');
    writeFileSync(join(root, 'src/added.js'), '');
    expect(await run()).toContain('Building');
    writeFileSync(join(root, 'src/added.spec.ts'), '');
    expect(await run()).not.toContain('Building');
  });

  it('says what to do when the build fails, and tries again the next time', async () => {
    const root = stubCheckout();
    const source = readFileSync(join(root, 'build.mjs'), 'utf8');
    writeFileSync(join(root, 'build.mjs'), `${source}\nthrow new Error('no luck');\n`);
    const started = start({ root });
    expect(await started.exited).toBe(1);
    expect(started.output).toContain('no luck');
    expect(started.output.trim().split('\n').at(-1)).toBe(
      'npm run build failed (1); see above. Fix that and start again.',
    );

    writeFileSync(join(root, 'build.mjs'), source);
    await start({ root }).ready();
  });
});
