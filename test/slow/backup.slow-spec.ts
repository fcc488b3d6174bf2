import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../src/start/postgres/server.js';
import { checkout, NpmStart, temporaryFolder } from '../support/npm-start.js';
import { hasOldPostgres, startOldPostgres } from '../support/old-postgres.js';
import { ownPorts } from '../support/server-process.js';
import { until } from '../support/until.js';

/** Runs a command to its end, and returns what it says. */
function runCommand(name: string, env: Readonly<Record<string, string>>): string {
  const { PATH = '' } = process.env;
  const script = join(checkout, `dist/src/${name}.js`);
  return execFileSync(process.execPath, [script], {
    env: { PATH, ...env },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

const runRestored = (env: Readonly<Record<string, string>>) => runCommand('restored', env);

/** Leaves a message in a stopped DATA_DIR that its original may have sent since. */
async function leaveQueued(directory: string): Promise<void> {
  const { postgres_password: password } = JSON.parse(
    readFileSync(join(directory, 'secrets.json'), 'utf8'),
  ) as { postgres_password: string };
  const server = await startPostgres({ directory, password });
  const client = new Client(server.url);
  await client.connect();
  await client.query(
    `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting,
       created_at, next_attempt_at, give_up_at)
     select uuidv7(), account_id, id, mode, 'text', '+14155550124', '{}', false, now(), now(), now() + interval '15 minutes'
     from api_keys limit 1`,
  );
  await client.end();
  await server.stop();
}

/** The steps of docs/backup.md under npm start. */
describe('a copy of DATA_DIR', () => {
  const folder = temporaryFolder();
  const copy = `${folder}-restored`;
  let original: NpmStart | null = null;
  let restored: NpmStart | null = null;

  afterAll(async () => {
    await restored?.destroy();
    rmSync(folder, { recursive: true, force: true });
    rmSync(copy, { recursive: true, force: true });
    if (original?.process.exitCode === null) await original.destroy();
  });

  it('has the messages, the key and the sign-in', async () => {
    const ports = await ownPorts();
    original = new NpmStart(checkout, folder, ports);
    const before = await original.ready(300_000);
    const sent = await fetch(`${before.api_url}/api/v1/external/messages/text`, {
      method: 'POST',
      headers: { 'X-API-Key': before.api_key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ to: '+14155550123', body: 'Hello', reference: 'before the backup' }),
    });
    const { data } = (await sent.json()) as { data: { message_id: string } };
    original.signal('SIGTERM');
    expect(await original.exited).toBe(0);
    // With the owners: as root, PostgreSQL's files are another user's.
    execFileSync('cp', ['-a', folder, copy]);
    await leaveQueued(copy);
    expect(runRestored({ DATA_DIR: copy })).toMatch(
      /^1 message is unconfirmed and 0 campaigns are paused/,
    );
    expect(runRestored({ DATA_DIR: copy })).toMatch(/^0 messages are unconfirmed and 0 campaigns/);
    expect(() => runRestored({ DATA_DIR: `${copy}-other` })).toThrow('There is no database in');

    expect(runCommand('reset-operator', { DATA_DIR: copy })).toContain('/dashboard/reset#token=');

    restored = new NpmStart(checkout, copy, ports);
    const after = await restored.ready(120_000);
    expect(runCommand('reset-operator', { DATA_DIR: copy })).toContain(
      `${after.dashboard_url}/reset#token=`,
    );
    expect(() => runRestored({ DATA_DIR: copy })).toThrow(`Parley runs on ${copy}`);
    expect(after).toMatchObject({
      api_key: before.api_key,
      admin_password: before.admin_password,
      account_id: before.account_id,
    });
    const read = await fetch(`${after.api_url}/api/v1/external/messages/${data.message_id}`, {
      headers: { 'X-API-Key': after.api_key },
    });
    expect(await read.json()).toMatchObject({ data: { reference: 'before the backup' } });
    const session = await fetch(`${after.api_url}/api/v1/dashboard/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: after.admin_email, password: after.admin_password }),
    });
    expect(session.status).toBe(200);
  });
});

/** What the profile `backup` of compose.yaml runs. Its programs are PostgreSQL's of this machine, and so is the server. */
const describeWithPrograms = hasOldPostgres ? describe : describe.skip;
describeWithPrograms('ops/compose/backup.sh', () => {
  const script = join(checkout, 'ops/compose/backup.sh');
  const folder = temporaryFolder();
  let server: Awaited<ReturnType<typeof startOldPostgres>>;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await startOldPostgres();
    const { hostname, port } = new URL(server.url);
    env = {
      PATH: process.env.PATH ?? '',
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: 'parley',
      PGDATABASE: 'parley',
      BACKUP_FOLDER: folder,
      BACKUP_DAYS: '7',
    };
    await sql('create database parley', 'postgres');
    await sql(`create table notes as select 'before' as note`);
  });

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function sql(text: string, database = 'parley'): Promise<any[]> {
    const url = Object.assign(new URL(server.url), { pathname: database }).href;
    const client = new Client(url);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }
  const run = (...args: string[]) =>
    execFileSync('sh', [script, ...args], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
  const dumps = () => readdirSync(folder).toSorted((a, b) => a.localeCompare(b));
  const daysAgo = (name: string, days: number) => {
    const then = Date.now() / 1_000 - days * 86_400 - 60;
    writeFileSync(join(folder, name), '', { flag: 'a' });
    utimesSync(join(folder, name), then, then);
  };

  it('makes a dump, and removes those that are too old', () => {
    daysAgo('parley-old.dump', 7);
    daysAgo('parley-kept.dump', 6);
    daysAgo('notes.txt', 100);
    const name = run('now');
    expect(name).toMatch(/^parley-\d{8}T\d{6}Z\.dump$/);
    expect(dumps()).toEqual(['notes.txt', name, 'parley-kept.dump']);
  });

  it('keeps the old ones when a dump fails', () => {
    daysAgo('parley-old.dump', 7);
    const whole = env;
    env = { ...env, PGDATABASE: 'nobodys' };
    expect(() => run('now')).toThrow('nobodys');
    env = whole;
    expect(dumps()).toContain('parley-old.dump');
  });

  it('brings a dump back, and keeps the database that was there', async () => {
    const [name = ''] = dumps().filter((each) => /^parley-\d/.test(each));
    await sql(`update notes set note = 'after'`);
    const [, former = ''] =
      /^restored; the former database is now (\w+)$/.exec(run('restore', name)) ?? [];
    expect(await sql('select note from notes')).toEqual([{ note: 'before' }]);
    expect(await sql('select note from notes', former)).toEqual([{ note: 'after' }]);
  });

  it('leaves everything as it is when a dump cannot be read, or Parley is connected', async () => {
    await sql(`update notes set note = 'newer'`);
    expect(() => run('restore', 'notes.txt')).toThrow('pg_restore');
    const parley = new Client(Object.assign(new URL(server.url), { pathname: 'parley' }).href);
    await parley.connect();
    const [name = ''] = dumps().filter((each) => /^parley-\d/.test(each));
    expect(() => run('restore', name)).toThrow('being accessed by other users');
    await parley.end();
    expect(await sql('select note from notes')).toEqual([{ note: 'newer' }]);
  });

  it('makes one dump a day', async () => {
    for (const name of dumps()) rmSync(join(folder, name));
    daysAgo('parley-yesterday.dump', 1);
    const start = () => spawn('sh', [script, 'daily'], { env, stdio: 'ignore', detached: true });
    const first = start();
    await until(() => dumps().filter((name) => /^parley-\d/.test(name)).length === 1);
    process.kill(-(first.pid ?? 0));
    // It has one of today, and removes what a former one left half done before it looks.
    writeFileSync(join(folder, '.parley-half.dump'), '');
    const second = start();
    await until(() => !dumps().includes('.parley-half.dump'));
    process.kill(-(second.pid ?? 0));
    expect(dumps()).toHaveLength(2);
  });
});
