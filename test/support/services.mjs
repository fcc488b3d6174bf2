import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { installAndBuild } from '../../scripts/start/install.mjs';
import { startPostgres } from '../../scripts/start/postgres.mjs';
import { hasRedis, startRedis } from './redis.mjs';

const root = resolve(import.meta.dirname, '../..');

/** What every installation of a test run has in common. */
export const installation = {
  secretKey: Buffer.alloc(32, 'parley').toString('base64'),
  adminEmail: 'admin@parley.test',
  adminPassword: 'correct horse battery staple',
  apiKey: 'pk_live_3kTMd0pQ9sVbX2hLrJ8cWyNfE6gZ1uAo5i3a7QdG',
  appSecret: 'app-secret-of-the-tests',
};

let directory;
let postgres;
let redis;

/**
 * Builds what is stale, starts the one PostgreSQL, and the one Redis where the machine has it, that all tests of a run
 * share, and makes the databases that tests are cloned from: `migrated`, and `seeded` with an
 * operator, an account and an API key.
 */
export async function startServices() {
  await installAndBuild(root);
  process.env.PARLEY_TEST_REDIS ??= hasRedis() ? '1' : '0';
  directory = mkdtempSync(join(tmpdir(), 'parley-test-'));
  try {
    postgres = await startPostgres({ directory, durable: false });
    process.env.PARLEY_TEST_DATABASE_URL = postgres.url;
    const accountId = await makeTemplates(postgres.url);
    process.env.PARLEY_TEST_INSTALLATION = JSON.stringify({ ...installation, accountId });
    if (process.env.PARLEY_TEST_REDIS === '1') {
      redis = await startRedis();
      process.env.PARLEY_TEST_REDIS_URL = redis.url;
    }
  } catch (error) {
    await stopServices();
    throw error;
  }
}

/** Stops them and leaves nothing behind. */
export async function stopServices() {
  await redis?.stop('SIGKILL');
  await postgres?.stop({ withinMs: 2_000 });
  rmSync(directory, { recursive: true, force: true });
}

/** Makes the databases `migrated` and `seeded` on a server, and returns the id of the seeded account. */
export async function makeTemplates(url) {
  const client = new Client(url);
  await client.connect();
  try {
    const at = (name) => Object.assign(new URL(url), { pathname: name }).href;
    await client.query('create database migrated');
    await runProgram('dist/src/migrate.js', at('migrated'));
    await client.query('create database seeded template migrated');
    const output = await runProgram('dist/src/seed.js', at('seeded'), {
      admin_email: installation.adminEmail,
      admin_password: installation.adminPassword,
      api_key: installation.apiKey,
      simulator: { app_secret: installation.appSecret, access_token: 'token-of-the-tests' },
    });
    return JSON.parse(output.trim().split('\n').at(-1)).account_id;
  } finally {
    await client.end();
  }
}

async function runProgram(script, databaseUrl, input) {
  const child = spawn(process.execPath, [join(root, script)], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
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
