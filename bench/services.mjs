import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { findFreePorts } from './process-group.mjs';

const ownNumberId = '106540352242922';

/**
 * Starts both stacks side by side on one PostgreSQL (a database each), one Redis and one simulator, all of them
 * throwaway but as durable as in production: PostgreSQL syncs every commit, Redis appends to its log every second.
 *
 * The simulator sends no status webhooks: the yardstick has no receiver for them, and both sides must do the same work.
 * `platformProgram` is another one in its place, with the same port and the same address for its statistics;
 * `postgresSettings` are settings of PostgreSQL. `root` is another checkout whose product is started, and `label` goes
 * before the names of all processes, so that one run can have two installations.
 */
export async function startServices(group, options) {
  const { store, directory, isProductWanted, isNaiveWanted, productEnv } = options;
  const { platformProgram = 'dist/libs/simulator/main.js', root, label = '' } = options;
  const [redisPort, simulatorPort, apiPort, workerPort, naiveApiPort, naiveWorkerPort] =
    await findFreePorts(6);
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
  const accessToken = randomBytes(24).toString('base64url');
  const platform = { url: `${simulatorUrl}/v25.0`, phoneNumberId: ownNumberId, accessToken };

  const isRedisWanted = store === 'redis' || isNaiveWanted;
  const [databases, redisPid] = await Promise.all([
    startDatabases(group, join(directory, 'postgres'), options.postgresSettings),
    isRedisWanted
      ? startRedis(group, `${label}redis`, redisPort, join(directory, 'redis'))
      : undefined,
  ]);
  const simulatorPid = group.start(`${label}simulator`, process.execPath, [platformProgram], {
    NODE_ENV: 'production',
    SIMULATOR_PORT: String(simulatorPort),
  });
  await group.waitUntilReady(`${label}simulator`, `${simulatorUrl}/_simulator/stats`);

  const services = {
    postgresPid: databases.pid,
    redisPid,
    simulator: {
      url: simulatorUrl,
      port: simulatorPort,
      pid: simulatorPid,
      headers: { Authorization: `Bearer ${accessToken}` },
      platform,
    },
  };
  if (isProductWanted) {
    services.product = await startProduct(group, {
      databaseUrl: databases.product,
      redisUrl: store === 'redis' ? `redis://127.0.0.1:${redisPort}/0` : undefined,
      dataDirectory: join(directory, 'data'),
      moreEnv: productEnv,
      root,
      label,
      apiPort,
      workerPort,
      simulatorUrl,
      platform,
    });
  }
  if (isNaiveWanted) {
    services.naive = await startNaive(group, {
      databaseUrl: databases.naive,
      redisUrl: `redis://127.0.0.1:${redisPort}/1`,
      apiPort: naiveApiPort,
      workerPort: naiveWorkerPort,
      platform,
    });
  }
  return services;
}

/** One more process of the product: `kind` is `api` or `worker`. Returns its id and its port. */
export async function startAnother(group, product, kind, name) {
  const [port, sparePort] = await findFreePorts(2);
  const [PORT, WORKER_PORT] = kind === 'api' ? [port, sparePort] : [sparePort, port];
  const program = `dist/src/${kind === 'api' ? 'main' : 'worker'}.js`;
  const env = { ...product.env, PORT: String(PORT), WORKER_PORT: String(WORKER_PORT) };
  const pid = group.start(name, process.execPath, [program], env);
  await group.waitUntilReady(name, `http://127.0.0.1:${port}/health/ready`);
  return { pid, port };
}

async function startDatabases(group, directory, moreSettings) {
  await mkdir(directory);
  const { startPostgres } = await import('../dist/modules/src/start/postgres/server.js');
  const starting = startPostgres({ directory, durable: true, moreSettings });
  group.onClose(async () => {
    const postgres = await starting.catch(() => null);
    await postgres?.stop();
  });
  const { url, pid } = await group.orFailure(starting);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('create database bench_product');
  await client.query('create database bench_naive');
  await client.end();
  const withDatabase = (name) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  return { pid, product: withDatabase('bench_product'), naive: withDatabase('bench_naive') };
}

async function startRedis(group, name, port, directory) {
  await mkdir(directory);
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: directory,
    save: '',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return group.start(name, 'redis-server', args);
}

async function startProduct(group, options) {
  const { databaseUrl, redisUrl, dataDirectory, root, label } = options;
  const appSecret = randomBytes(16).toString('hex');
  const { apiPort, workerPort, simulatorUrl, platform } = options;
  const env = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    WORKER_PORT: String(workerPort),
    DATA_DIR: dataDirectory,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
    PLATFORM_BASE_URL: platform.url,
    PLATFORM_VERIFY_TOKEN: randomBytes(16).toString('hex'),
    SIMULATOR_URL: simulatorUrl,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    ...options.moreEnv,
  };
  const { createApiKey } = await import('../dist/modules/src/api-keys/api-key-token.js');
  const apiKey = createApiKey('live');
  const setup = {
    admin_email: 'bench@parley.local',
    admin_password: randomBytes(18).toString('base64url'),
    api_key: apiKey,
    simulator: {
      app_secret: appSecret,
      access_token: platform.accessToken,
    },
  };
  const node = process.execPath;
  await group.run('migrate', node, ['dist/src/migrate.js'], env, '', root);
  await group.run('setup', node, ['dist/src/seed.js'], env, JSON.stringify(setup), root);

  const startedAt = performance.now();
  const apiPid = group.start(`${label}api`, node, ['dist/src/main.js'], env, root);
  const workerPid = group.start(`${label}worker`, node, ['dist/src/worker.js'], env, root);
  await Promise.all([
    group.waitUntilReady(`${label}api`, `http://127.0.0.1:${apiPort}/health/ready`),
    group.waitUntilReady(`${label}worker`, `http://127.0.0.1:${workerPort}/health/ready`),
  ]);
  const readyMs = performance.now() - startedAt;
  const headers = { 'X-API-Key': apiKey };
  const admin = { email: setup.admin_email, password: setup.admin_password };
  return {
    port: apiPort,
    apiPid,
    workerPid,
    readyMs,
    headers,
    appSecret,
    accessToken: platform.accessToken,
    databaseUrl,
    env,
    admin,
  };
}

async function startNaive(group, { databaseUrl, redisUrl, apiPort, workerPort, platform }) {
  const env = {
    NODE_ENV: 'production',
    PORT: String(apiPort),
    WORKER_PORT: String(workerPort),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    PLATFORM_BASE_URL: platform.url,
    PHONE_NUMBER_ID: platform.phoneNumberId,
    ACCESS_TOKEN: platform.accessToken,
  };
  const apiPid = group.start('naive-api', process.execPath, ['bench/naive/api.mjs'], env);
  const workerPid = group.start('naive-worker', process.execPath, ['bench/naive/worker.mjs'], env);
  await Promise.all([
    group.waitUntilReady('naive-api', `http://127.0.0.1:${apiPort}/health/ready`),
    group.waitUntilReady('naive-worker', `http://127.0.0.1:${workerPort}/health/ready`),
  ]);
  return { port: apiPort, apiPid, workerPid, headers: {} };
}
