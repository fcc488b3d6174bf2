import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { version } from '../../src/config/version.js';
import { TestDatabase } from '../support/database.js';
import { stores } from '../support/installation.js';
import { MortalPostgres } from '../support/mortal-postgres.js';
import { checkout } from '../support/npm-start.js';
import { startRedis } from '../support/redis.mjs';
import { freePort } from '../support/server-process.js';
import { Stack } from '../support/stack.js';

const businessAccountId = '200000000000001';

/** Runs the doctor, and returns its lines by subject and how it ended. */
async function examine(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['dist/src/doctor.js'], {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, complaint, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((done) => child.once('close', done)),
  ]);
  expect(complaint).toBe('');
  const lines = output.trimEnd().split('\n');
  const about = (subject: string) =>
    lines
      .map((line) => /^(OK|WARN|FAIL) +(\w+) +(.+)$/.exec(line))
      .flatMap((match) => (match?.[2] === subject ? [`${match[1]} ${match[3]}`] : []));
  return { code, output, about, last: lines.at(-1) };
}

describe('npm run doctor', () => {
  let postgres: MortalPostgres;
  let stack: Stack;
  let env: Record<string, string>;

  beforeAll(async () => {
    postgres = await MortalPostgres.start();
    stack = await Stack.start({ databaseUrl: postgres.url });
    const url = stack.apis[0]?.url ?? '';
    env = { ...stack.apis[0]?.env, PUBLIC_URL: url };
  });

  afterAll(async () => {
    await stack?.stop();
    await postgres?.stop();
  });

  it('finds nothing to fix in a working installation', async () => {
    const { code, about, last, output } = await examine(env);
    expect(output).not.toContain('FAIL');
    expect(code).toBe(0);
    expect(last).toMatch(/^\d+ passed, \d+ warnings, 0 to fix$/);
    expect(about('version')).toEqual([`OK Parley ${version} on Node ${process.versions.node}`]);
    expect(about('database')[0]).toMatch(/^OK PostgreSQL 18\S* answers in \d+ ms$/);
    expect(about('migrations')).toEqual([expect.stringMatching(/^OK all \d+ are there$/)]);
    expect(about('clock')[0]).toMatch(/^OK this machine and the database are \d+ ms apart$/);
    expect(about('operator')).toEqual(['OK 1 can sign in']);
    expect(about('platform')).toEqual([
      expect.stringMatching(/^OK Demo: \+\d+ may send, quality GREEN$/),
      'OK Demo: notifications go to Simulated App',
    ]);
    expect(about('webhook')).toEqual([
      expect.stringMatching(
        /^OK .*\/api\/v1\/platform\/whatsapp\/webhooks answers the handshake; .*\/ACCOUNT_ID/,
      ),
    ]);
  });

  it('warns about settings that are not for production', async () => {
    const { about } = await examine(env);
    expect(about('configuration')).toEqual([
      'OK every variable is valid',
      'OK Version v25.0 of the Graph API is served until 2028-07-29.',
      expect.stringContaining('WARN live keys send to the simulator'),
      expect.stringContaining('WARN PUBLIC_URL is not an https address'),
      expect.stringContaining('WARN WEBHOOK_ALLOW_PRIVATE is on'),
    ]);
    expect(about('redis')).toEqual([expect.stringContaining('WARN none is configured')]);
    const withPath = await examine({ ...env, PUBLIC_URL: `${env.PUBLIC_URL}/parley` });
    expect(withPath.about('configuration')).toContainEqual(
      expect.stringContaining('WARN the path /parley of PUBLIC_URL is left out'),
    );
  });

  it('names a variable that is not valid, and never a secret', async () => {
    const { code, about, output } = await examine({ ...env, SECRET_KEY: 'too short' });
    expect(code).toBe(1);
    expect(about('configuration')).toEqual([
      expect.stringMatching(/^FAIL SECRET_KEY is not valid/),
    ]);
    expect(output).not.toContain('too short');
  });

  it('says that the database is down, without its password', async () => {
    const port = await freePort();
    const { code, about, output } = await examine({
      ...env,
      DATABASE_URL: `postgres://parley:secret-word@127.0.0.1:${port}/parley`,
    });
    expect(code).toBe(1);
    expect(about('database')).toEqual([
      expect.stringMatching(/^FAIL DATABASE_URL: nothing answers at /),
    ]);
    expect(output).not.toContain('secret-word');
  });

  it('says that a crash would lose messages', async () => {
    // The tests' own server gives up durability for speed.
    const database = await TestDatabase.clone('seeded');
    const { code, about } = await examine({ ...env, DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(about('database')).toContainEqual(expect.stringMatching(/^FAIL fsync is off/));
    await database.drop();
  });

  it('says that migrations are missing', async () => {
    const database = await TestDatabase.clone('migrated');
    await database.sql('delete from migrations where id = (select max(id) from migrations)');
    const { code, about } = await examine({ ...env, DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(about('migrations')).toEqual([expect.stringContaining('FAIL 1 of ')]);
    await database.drop();
  });

  it('says that a database is from before the first release', async () => {
    const database = await TestDatabase.clone('migrated');
    await database.sql(
      `update migrations set name = 'Spine1795000000000', timestamp = 1795000000000`,
    );
    const { code, about } = await examine({ ...env, DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(about('migrations')).toEqual([expect.stringContaining('Begin with a new database')]);
    await database.drop();
  });

  it('says that no user can sign in, and that there is no account', async () => {
    const database = await TestDatabase.clone('migrated');
    const { code, about } = await examine({ ...env, DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(about('operator')).toEqual([expect.stringContaining('FAIL no user can sign in')]);
    expect(about('platform')).toEqual([expect.stringContaining('WARN there is no active account')]);
    await database.drop();
  });

  it('says that SECRET_KEY is another one', async () => {
    const other = Buffer.alloc(32, 'other').toString('base64');
    const { code, about } = await examine({ ...env, SECRET_KEY: other });
    expect(code).toBe(1);
    expect(about('platform')).toEqual([
      expect.stringContaining('FAIL Demo: SECRET_KEY does not open its credentials'),
    ]);
  });

  it('says that no app is subscribed', async () => {
    const subscription = (method: string) =>
      fetch(`${stack.simulator.url}/v25.0/${businessAccountId}/subscribed_apps`, {
        method,
        headers: { authorization: 'Bearer token' },
      });
    expect((await subscription('DELETE')).status).toBe(200);
    const { code, about } = await examine(env);
    expect(code).toBe(1);
    expect(about('platform')).toContainEqual(
      expect.stringContaining('FAIL Demo: no app is subscribed'),
    );
    await subscription('POST');
    expect((await examine(env)).code).toBe(0);
  });

  it('says that WhatsApp cannot be reached', async () => {
    const port = await freePort();
    const { code, about } = await examine({
      ...env,
      PLATFORM_BASE_URL: `http://127.0.0.1:${port}/v25.0`,
    });
    expect(code).toBe(1);
    expect(about('platform')).toEqual([
      expect.stringContaining('FAIL Demo: WhatsApp rejects its token or number'),
    ]);
  });

  it('says that Meta’s handshake would fail', async () => {
    const { code, about } = await examine({ ...env, PLATFORM_VERIFY_TOKEN: 'another word' });
    expect(code).toBe(1);
    expect(about('webhook')).toEqual([expect.stringContaining('answers 403 to the handshake')]);
  });

  it('says that WhatsApp reports nothing although messages go out', async () => {
    await stack.send('button', {
      to: '+14155550123',
      body: 'Hello',
      buttons: [{ id: 'y', title: 'Yes' }],
    });
    const { code, about } = await examine(env);
    expect(code).toBe(1);
    expect(about('webhook')).toContainEqual(expect.stringContaining('WhatsApp reported nothing'));
  });

  const withRedis = stores.includes('redis') ? describe : describe.skip;

  withRedis('about Redis', () => {
    it('wants no eviction and the append-only file', async () => {
      const redis = await startRedis();
      const about = async () => (await examine({ ...env, REDIS_URL: redis.url })).about('redis');
      const set = async (...setting: string[]) => {
        const { Redis } = await import('ioredis');
        const client = new Redis(redis.url);
        await client.config('SET', ...(setting as [string, string]));
        client.disconnect();
      };
      await set('maxmemory-policy', 'allkeys-lru');
      await set('appendonly', 'no');
      expect(await about()).toEqual([
        expect.stringMatching(/^OK Redis \S+ answers in \d+ ms$/),
        expect.stringContaining('FAIL maxmemory-policy is allkeys-lru'),
        expect.stringContaining('WARN appendonly is off'),
      ]);
      await set('maxmemory-policy', 'noeviction');
      await set('appendonly', 'yes');
      expect((await about()).slice(1)).toEqual([
        'OK maxmemory-policy is noeviction',
        'OK appendonly is on',
      ]);
      await redis.stop('SIGKILL');
      expect(await about()).toEqual([expect.stringContaining('FAIL it cannot be reached')]);
    });
  });
});
