import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import {
  addWhatsappEndpoint,
  makeKey,
  makeNumbers,
  openDashboard,
  unlimitedPerSecond,
} from '../keys.mjs';
import { findFreePorts, readCpuMs, readFamilyCpuMs } from '../process-group.mjs';
import { startAnother, startServices } from '../services.mjs';
import { readHeapUpdates, readStatements } from './postgres-statistics.mjs';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const receiverScript = pathOf('receiver.mjs');
const platformScript = pathOf('platform.mjs');

/** Nothing listens on it, and only root could. */
const refusingPort = 1;

/**
 * Starts the product with stores, a platform and a receiver of its own.
 *
 * @param root another checkout whose product is started, built already; its own without it.
 */
export async function startInstallation(group, options, directory, root) {
  const { apis, workers, store, statements, dead, deadEndpoints, receiverMs, whatsappEndpoint } =
    options;
  const label = root === undefined ? '' : 'against-';
  await mkdir(directory, { recursive: true });
  const services = await startServices(group, {
    store,
    directory,
    root,
    label,
    isProductWanted: true,
    isNaiveWanted: false,
    platformProgram: platformScript,
    productEnv: {
      WEBHOOK_ALLOW_PRIVATE: 'true',
      // As in production, where only the platform reports.
      SIMULATOR_URL: undefined,
      ...Object.fromEntries(options.env.map((given) => given.split(/=(.*)/s, 2))),
    },
    postgresSettings: statements && {
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.track_planning': 'on',
    },
  });
  const { product, simulator: platform } = services;
  const api = [{ pid: product.apiPid, port: product.port }];
  const worker = [{ pid: product.workerPid }];
  for (let number = 2; number <= apis; number += 1) {
    api.push(await startAnother(group, product, 'api', `api-${number}`));
  }
  for (let number = 2; number <= workers; number += 1) {
    worker.push(await startAnother(group, product, 'worker', `worker-${number}`));
  }

  const [receiverPort] = await findFreePorts(1);
  const receiverUrl = `http://127.0.0.1:${receiverPort}`;
  const receiverPid = group.start(`${label}receiver`, process.execPath, [
    receiverScript,
    JSON.stringify({ port: receiverPort, delayMs: receiverMs }),
  ]);
  await group.waitUntilReady(`${label}receiver`, `${receiverUrl}/_bench/counts`);

  const deadUrl = `http://127.0.0.1:${dead === 'hang' ? receiverPort : refusingPort}/hang`;
  const deadNumbers = dead === undefined ? [] : Array.from({ length: deadEndpoints }, (_, i) => i);
  const dashboard = await openDashboard(product);
  const keys = { live: [], plain: [], dead: [] };
  // Before there are more accounts: these keys get the one without a pace, as half of all sends may use one of them.
  for (const number of deadNumbers) {
    const key = { name: `dead ${number}`, webhookUrl: `${deadUrl}/${number}` };
    keys.dead.push(await makeKey(dashboard, key));
  }
  const { pace, rate: perSecond = unlimitedPerSecond } = options;
  for (const accountId of await makeNumbers(dashboard, product, { pace, perSecond })) {
    const live = { name: 'live', accountId, webhookUrl: `${receiverUrl}/live` };
    keys.live.push(await makeKey(dashboard, live));
    const permissions = whatsappEndpoint ? ['view_messages', 'manage_webhooks'] : [];
    const plain = await makeKey(dashboard, { name: 'plain', accountId, permissions });
    keys.plain.push(plain);
    if (whatsappEndpoint) await addWhatsappEndpoint(product, plain, `${receiverUrl}/whatsapp`);
  }
  const client = new Client({ connectionString: product.databaseUrl });
  await client.connect();
  group.onClose(() => client.end().catch(() => {}));
  if (statements) await client.query('create extension pg_stat_statements');
  return new Installation({
    client,
    product,
    api,
    worker,
    redisPid: services.redisPid,
    postgresPid: services.postgresPid,
    platform,
    receiver: { url: receiverUrl, pid: receiverPid },
    keys,
    hasStatements: statements,
    group,
  });
}

class Installation {
  #parts;

  constructor(parts) {
    this.#parts = parts;
  }

  get client() {
    return this.#parts.client;
  }

  get databaseUrl() {
    return this.#parts.product.databaseUrl;
  }

  get product() {
    return this.#parts.product;
  }

  get keys() {
    return this.#parts.keys;
  }

  /** Of the APIs. */
  get ports() {
    return this.#parts.api.map(({ port }) => port);
  }

  /** Of the processes whose memory counts. */
  get pids() {
    const { api, worker, redisPid } = this.#parts;
    return { api: api[0].pid, worker: worker[0].pid, redis: redisPid };
  }

  /** Configures where and how the platform reports. */
  async plan({ platformConnections: connections, afterMs, raw: isRaw }) {
    const { appSecret } = this.#parts.product;
    await this.#askPlatform('/_bench/plan', {
      ports: this.ports,
      appSecret,
      connections,
      afterMs,
      isRaw,
    });
  }

  /** Lets the platform report on the messages that it holds. */
  async report() {
    await this.#askPlatform('/_bench/report');
  }

  /** What the platform took and has still to report. */
  readPlatform() {
    return this.#askPlatform('/_simulator/stats');
  }

  /** What the receiver got. */
  readReceiver() {
    return ask(`${this.#parts.receiver.url}/_bench/counts`);
  }

  /** What both noted of the messages since the last time, by message id. */
  async takeRecords() {
    const [platform, receiver] = await Promise.all(
      [this.#parts.platform, this.#parts.receiver].map(async ({ url }) => {
        const text = await (await fetch(`${url}/_bench/take`)).text();
        const [head, ...lines] = text.split('\n');
        const rows = lines.filter(Boolean).map((line) => line.split(' '));
        const records = new Map(rows.map(([id, ...numbers]) => [id, numbers.map(Number)]));
        return { ...JSON.parse(head), records };
      }),
    );
    return { platform, receiver };
  }

  /** Counters that only grow. PostgreSQL's processor time is that of this cluster, its ended processes included. */
  async readCounters() {
    const { api, worker, redisPid, postgresPid, platform, receiver } = this.#parts;
    const sum = (list) => list.reduce((total, { pid }) => total + readCpuMs(pid), 0);
    return {
      updates: await readHeapUpdates(this.client),
      statements: this.#parts.hasStatements ? await readStatements(this.client) : {},
      cpu: {
        api: sum(api),
        worker: sum(worker),
        ...(redisPid === undefined ? {} : { redis: readCpuMs(redisPid) }),
        postgres: readFamilyCpuMs(postgresPid),
        platform: readCpuMs(platform.pid),
        receiver: readCpuMs(receiver.pid),
      },
    };
  }

  /** Opens a transaction that holds every dead row, until the end. */
  async holdSnapshot() {
    const { product, group } = this.#parts;
    const holder = new Client({ connectionString: product.databaseUrl });
    group.onClose(() => holder.end().catch(() => {}));
    await holder.connect();
    await holder.query('begin isolation level repeatable read');
    await holder.query('select count(*) from accounts');
  }

  #askPlatform(path, body) {
    return ask(this.#parts.platform.url + path, body);
  }
}

async function ask(url, body) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return (await fetch(url, init)).json();
}
