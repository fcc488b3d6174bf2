import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { register } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { installAndBuild } from '../../scripts/start/install.mjs';
import { hasRedis, startRedis } from './redis.mjs';

const root = resolve(import.meta.dirname, '../..');

/** What every installation of a test run has in common. */
export const installation = {
  secretKey: Buffer.alloc(32, 'parley').toString('base64'),
  adminEmail: 'admin@parley.test',
  adminPassword: 'correct horse battery staple',
  appSecret: 'app-secret-of-the-tests',
  accessToken: 'token-of-the-tests',
};

let directory;
let postgres;
let redis;
let leases;
let portsLock;

/**
 * Builds what is stale, starts the one PostgreSQL, and the one Redis where the machine has it, that all tests of a run
 * share, and makes the databases that tests are cloned from: `migrated`, and `seeded` with an operator. Stacks that
 * tests have on lease start when the first test asks for one.
 */
export async function startServices() {
  await installAndBuild(root);
  const { startPostgres } = await import('../../dist/modules/src/start/postgres/server.js');
  portsLock = await lockPorts();
  process.env.PARLEY_TEST_REDIS ??= hasRedis() ? '1' : '0';
  directory = mkdtempSync(join(tmpdir(), 'parley-test-'));
  try {
    postgres = await startPostgres({ directory, durable: false });
    process.env.PARLEY_TEST_DATABASE_URL = postgres.url;
    await makeTemplates(postgres.url);
    process.env.PARLEY_TEST_INSTALLATION = JSON.stringify(installation);
    if (process.env.PARLEY_TEST_REDIS === '1') {
      redis = await startRedis();
      process.env.PARLEY_TEST_REDIS_URL = redis.url;
    }
    register('../../scripts/typescript-hooks.mjs', import.meta.url);
    const { StackLeases } = await import('./stack-leases.ts');
    leases = await StackLeases.listen();
    process.env.PARLEY_TEST_LEASES_URL = leases.url;
  } catch (error) {
    await stopServices();
    throw error;
  }
}

/** Stops them and leaves nothing behind. */
export async function stopServices() {
  await leases?.close();
  await redis?.stop('SIGKILL');
  await postgres?.stop({ withinMs: 2_000 });
  rmSync(directory, { recursive: true, force: true });
  portsLock?.close();
}

/** Runs of tests at the same time take ports from ranges of their own. The first port of a range is its lock. */
async function lockPorts() {
  for (let first = 20_000; first < 32_000; first += 3_000) {
    const lock = createServer().listen(first, '127.0.0.1');
    const isOurs = await once(lock, 'listening').then(
      () => true,
      () => false,
    );
    if (!isOurs) continue;
    process.env.PARLEY_TEST_PORTS = String(first + 1);
    return lock.unref();
  }
  throw new Error(
    'four runs of tests have all ports from 20000 to 31999: wait until one has ended',
  );
}

/** Makes the databases `migrated` and `seeded` on a server, with the programs of a checkout. */
export async function makeTemplates(url, checkout = root) {
  const { createApiKey } = await import('../../dist/modules/src/api-keys/api-key-token.js');
  const client = new Client(url);
  await client.connect();
  try {
    const at = (name) => Object.assign(new URL(url), { pathname: name }).href;
    await client.query('create database migrated');
    await runProgram(checkout, 'dist/src/migrate.js', at('migrated'));
    await client.query('create database seeded template migrated');
    await runProgram(checkout, 'dist/src/seed.js', at('seeded'), {
      admin_email: installation.adminEmail,
      admin_password: installation.adminPassword,
      api_key: createApiKey('live'),
      simulator: { app_secret: installation.appSecret, access_token: installation.accessToken },
    });
    // Each file of tests puts in an account and a key of its own; see `installation.ts`.
    await emptyDatabase(at('seeded'));
  } finally {
    await client.end();
  }
}

/** What an empty database keeps. */
const keptTables = ['migrations', 'installation_secrets', 'periodic_work'];

/** Empties a database in a few milliseconds. Its users are those that it had when it was emptied first. */
export async function emptyDatabase(url) {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(
      `select oid::regclass::text as name from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all ($1)`,
      [keptTables],
    );
    // Without triggers: foreign keys ask for an order, and some tables let nothing go.
    await client.query('set session_replication_role = replica');
    await client.query(`
      create schema if not exists tests;
      create table if not exists tests.users as select * from users;
      ${rows.map(({ name }) => `delete from ${name};`).join('\n')}
      insert into users select * from tests.users`);
  } finally {
    await client.end();
  }
}

async function runProgram(checkout, script, databaseUrl, input) {
  const child = spawn(process.execPath, [join(checkout, script)], {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      SECRET_KEY: installation.secretKey,
      LOG_LEVEL: 'error',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input ? JSON.stringify(input) : '');
  const [output, complaint, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((done) => child.once('close', done)),
  ]);
  if (code !== 0) throw new Error(`${script} failed (${code}):\n${complaint}${output}`);
  return output;
}
