import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { makeKeys } from '../keys.mjs';
import { messageTypes } from '../message-types.mjs';
import { findFreePorts, readCpuMs, readFamilyCpuMs, watchMemory } from '../process-group.mjs';
import { startAnother, startServices } from '../services.mjs';
import { fillHistory } from './history.mjs';
import { prefixes, reported } from './message-kinds.mjs';
import { readHeapUpdates, readStatements, subtract } from './postgres-statistics.mjs';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const LOAD_GENERATOR = pathOf('../load.mjs');
const RECEIVER = pathOf('receiver.mjs');
const PLATFORM = 'bench/life/platform.mjs';
/** Nobody listens on it, and nobody but root can begin to. */
const REFUSING_PORT = 1;
/** A backlog that has not shrunk for so long will not: what is missing is lost. */
const STUCK_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 100;

/**
 * `npm run bench -- --life`: the whole life of a message, from the send to the webhook of its last status, in turns
 * with plain sends, of which nobody reports or is told anything.
 *
 * Returns what the report prints. `errors` holds what makes the run worthless, `failures` some of what is behind it.
 */
export async function runLife(group, options, directory, progress) {
  progress('starting PostgreSQL, the product, the platform and the receiver');
  const installation = await startInstallation(group, options, directory);
  const life = new LifeBenchmark(group, options, installation, progress);
  try {
    return await (options.notifications ? life.measureNotifications() : life.measureLives());
  } finally {
    await installation.close();
  }
}

async function startInstallation(group, options, directory) {
  const { apis, workers, store, dead, deadEndpoints, receiverMs } = options;
  const services = await startServices(group, {
    store,
    directory,
    isProductWanted: true,
    isNaiveWanted: false,
    platformProgram: PLATFORM,
    productEnv: {
      WEBHOOK_ALLOW_PRIVATE: 'true',
      // As in production, where nobody but the platform reports.
      SIMULATOR_URL: undefined,
      ...Object.fromEntries(options.env.map((given) => given.split(/=(.*)/s, 2))),
    },
    postgresSettings: options.statements
      ? {
          shared_preload_libraries: 'pg_stat_statements',
          'pg_stat_statements.track_planning': 'on',
        }
      : {},
  });
  const { product, simulator: platform, postgresPid, redisPid } = services;
  const all = {
    api: [{ pid: product.apiPid, port: product.port }],
    worker: [{ pid: product.workerPid }],
  };
  for (const [kind, count] of [
    ['api', apis],
    ['worker', workers],
  ]) {
    for (let number = 2; number <= count; number += 1) {
      all[kind].push(await startAnother(group, product, kind, `${kind}-${number}`));
    }
  }
  const [receiverPort] = await findFreePorts(1);
  const receiverPlan = JSON.stringify({ port: receiverPort, delayMs: receiverMs });
  const receiverPid = group.start('receiver', process.execPath, [RECEIVER, receiverPlan]);
  const receiverUrl = `http://127.0.0.1:${receiverPort}`;
  await group.waitUntilReady('receiver', `${receiverUrl}/_bench/counts`);

  const deadPort = dead === 'hang' ? receiverPort : REFUSING_PORT;
  const deadNames = dead === undefined ? [] : Array.from({ length: deadEndpoints }, (_, i) => i);
  const [live, ...deadKeys] = await makeKeys(product, [
    ['live', `${receiverUrl}/live`],
    ...deadNames.map((i) => [`dead ${i}`, `http://127.0.0.1:${deadPort}/hang/${i}`]),
  ]);
  const client = new Client({ connectionString: product.databaseUrl });
  await client.connect();
  const clients = [client];
  if (options.statements) await client.query('create extension pg_stat_statements');
  return {
    product,
    client,
    platform: platform.url,
    receiver: receiverUrl,
    keys: { live, dead: deadKeys, plain: product.headers['X-API-Key'] },
    ports: all.api.map(({ port }) => port),
    pids: {
      api: all.api.map(({ pid }) => pid),
      worker: all.worker.map(({ pid }) => pid),
      redis: redisPid,
      postgres: postgresPid,
      platform: platform.pid,
      receiver: receiverPid,
    },
    /** A transaction that holds every dead row until the end. */
    async holdSnapshot() {
      const holder = new Client({ connectionString: product.databaseUrl });
      clients.push(holder);
      await holder.connect();
      await holder.query('begin isolation level repeatable read');
      await holder.query('select count(*) from accounts');
    },
    async close() {
      for (const each of clients) await each.end().catch(() => {});
    },
  };
}

class LifeBenchmark {
  #group;
  #options;
  #installation;
  #progress;
  #errors = { failed: 0, unaccounted: 0, sent_twice: 0, missing: 0, doubled: 0, unexpected: 0 };
  #failures = [];

  constructor(group, options, installation, progress) {
    this.#group = group;
    this.#options = options;
    this.#installation = installation;
    this.#progress = progress;
  }

  async measureLives() {
    const { turns, only, warmUpSeconds, tailSeconds, seconds } = this.#options;
    await this.#plan(this.#options.raw);
    const warmUp = { seconds: warmUpSeconds, tailSeconds: Math.min(2, tailSeconds) };
    if (warmUpSeconds > 0) {
      await this.#turn('life', warmUp);
      if (only !== 'life') await this.#turn('plain', warmUp);
    }
    await this.#prepareStore();
    const memory = watchMemory(this.#firstPids());
    const taken = { life: [], plain: [] };
    for (let number = 0; number < turns; number += 1) {
      const kinds = only === 'life' ? ['life'] : ['life', 'plain'];
      for (const kind of number % 2 === 0 ? kinds : kinds.toReversed()) {
        taken[kind].push(await this.#turn(kind, { seconds, tailSeconds }));
      }
    }
    const peak = memory.stop();
    return { ...summarise(taken, this.#options), rss_mb: peak, ...this.#outcome() };
  }

  /** One status each of messages that were sent before: how fast they are taken, and how fast applied. */
  async measureNotifications() {
    const { turns, raw, warmUpSeconds, tailSeconds, seconds } = this.#options;
    await this.#plan(raw);
    const warmUp = { seconds: warmUpSeconds, tailSeconds: Math.min(2, tailSeconds) };
    if (warmUpSeconds > 0) await this.#notificationTurn(warmUp);
    await this.#prepareStore();
    const taken = [];
    for (let number = 0; number < turns; number += 1) {
      taken.push(await this.#notificationTurn({ seconds, tailSeconds }));
    }
    const medianOf = (field) => median(taken.map((turn) => turn[field]));
    return {
      mode: 'notifications',
      store: this.#options.store,
      connections: this.#options.platformConnections,
      turns: taken,
      notifications_a_second: round(medianOf('takenPerSecond'), 0),
      applied_a_second: round(medianOf('appliedPerSecond'), 0),
      p50_ms: round(medianOf('p50Ms'), 1),
      p99_ms: round(medianOf('p99Ms'), 1),
      cpu_ms_each: medianCpu(taken),
      ...this.#outcome(),
    };
  }

  #plan(isRaw) {
    const { product, ports, platform } = this.#installation;
    const { platformConnections: connections, afterMs } = this.#options;
    const plan = { ports, appSecret: product.appSecret, connections, afterMs, isRaw };
    return ask(`${platform}/_bench/plan`, plan);
  }

  async #prepareStore() {
    const { history, snapshot } = this.#options;
    const { client, holdSnapshot } = this.#installation;
    if (history) await this.#group.orFailure(fillHistory(client, history, this.#progress));
    if (snapshot) await holdSnapshot();
  }

  /** Sends, waits until every event has come, and counts processor time for a while longer. */
  async #turn(kind, { seconds, tailSeconds }) {
    const before = await this.#readCounters();
    const startedAt = performance.now();
    const load = await this.#load(kind, seconds);
    await this.#untilDone(kind);
    const doneMs = performance.now() - startedAt;
    await this.#group.orFailure(pause(tailSeconds * 1000));
    const after = await this.#readCounters();
    const { platform, receiver } = await this.#takeRecords();
    const used = subtract(after, before);

    const accepted = Object.values(platform.accepted).reduce((sum, count) => sum + count, 0);
    this.#errors.unaccounted += Math.abs(accepted - load.succeeded);
    const judged = this.#judge(platform, receiver);
    const count = kind === 'life' ? judged.lives : load.succeeded;
    const turn = {
      kind,
      sends: load.succeeded,
      sendsPerSecond: load.latencyCount / load.seconds,
      sendP50Ms: load.p50Ms,
      ...judged,
      doneAfterMs: doneMs - seconds * 1000,
      cpu: perUnit(used.cpu, count),
      updates: used.updates,
      statements: used.statements,
      refusals: platform.refusals,
    };
    this.#progress(describe(turn));
    return turn;
  }

  async #notificationTurn({ seconds, tailSeconds }) {
    const { platform, client } = this.#installation;
    const load = await this.#load('held', seconds);
    this.#progress(`${load.succeeded} messages wait for a report`);
    const { rows: open } = await client.query(
      `select min(id::text) as first, max(id::text) as last from messages
       where recipient like $1 and delivered_at is null`,
      [`%${prefixes.held}%`],
    );
    const isDone = async () => {
      const { rows } = await client.query(
        `select exists (select from messages where id between $1 and $2 and recipient like $3
           and delivered_at is null) as is_open`,
        [open[0].first, open[0].last, `%${prefixes.held}%`],
      );
      return !rows[0].is_open;
    };
    const before = await this.#readCounters();
    const startedAt = performance.now();
    await ask(`${platform}/_bench/report`);
    let takenMs = 0;
    for (;;) {
      if (takenMs === 0) {
        const { pending } = await ask(`${platform}/_simulator/stats`);
        if (pending === 0) takenMs = performance.now() - startedAt;
      }
      if (takenMs > 0 && (await isDone())) break;
      if (performance.now() - startedAt > 10 * STUCK_AFTER_MS) throw new Error('statuses are lost');
      await this.#group.orFailure(pause(20));
    }
    const appliedMs = performance.now() - startedAt;
    await this.#group.orFailure(pause(tailSeconds * 1000));
    const used = subtract(await this.#readCounters(), before);
    const records = await this.#takeRecords();
    const latencies = Float64Array.from(records.platform.latencies).sort();
    const turn = {
      count: latencies.length,
      takenPerSecond: latencies.length / (takenMs / 1000),
      appliedPerSecond: latencies.length / (appliedMs / 1000),
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      cpu: perUnit(used.cpu, latencies.length),
      statements: used.statements,
    };
    this.#errors.missing += load.succeeded - latencies.length;
    this.#progress(
      `${turn.count} notifications: ${Math.round(turn.appliedPerSecond)}/s applied, p50 ${round(turn.p50Ms, 1)} ms, ${formatCpu(turn.cpu)}`,
    );
    return turn;
  }

  async #load(kind, seconds) {
    const { keys, ports } = this.#installation;
    const { connections, rate, deadShare } = this.#options;
    const { path, body } = messageTypes.button;
    const request = (key, to) => ({
      headers: { 'X-API-Key': key },
      body: body.replace('+1415555', `+${prefixes[to]}`),
    });
    const requests = [request(kind === 'life' ? keys.live : keys.plain, kind)];
    if (kind === 'life' && keys.dead.length > 0) {
      requests.splice(
        0,
        1,
        ...mix(
          requests[0],
          keys.dead.map((key) => request(key, 'dead')),
          deadShare,
        ),
      );
    }
    const plan = JSON.stringify({
      path,
      requests,
      success: '"status":"sent"',
      connections,
      ports,
      perSecond: rate,
      warmUpMs: 0,
      measureMs: seconds * 1000,
    });
    const line = await this.#group.run('load', process.execPath, [LOAD_GENERATOR, plan]);
    const { succeeded, failed, failures, latencies, seconds: measured } = JSON.parse(line);
    this.#errors.failed += failed;
    this.#failures.push(...failures);
    const times = new Float32Array(new Uint8Array(Buffer.from(latencies, 'base64')).buffer).sort();
    return {
      succeeded,
      seconds: measured,
      latencyCount: times.length,
      p50Ms: percentile(times, 0.5),
    };
  }

  /** Until the platform has told everything and the receiver has got it, or nothing moves any more. */
  async #untilDone(kind) {
    const { platform, receiver } = this.#installation;
    let last = '';
    let movedAt = performance.now();
    for (;;) {
      const { accepted, pending } = await ask(`${platform}/_simulator/stats`);
      const { complete, arrivals } = await ask(`${receiver}/_bench/counts`);
      const expected = kind === 'life' ? (accepted.life ?? 0) : 0;
      if (pending === 0 && complete >= expected) return;
      const state = `${pending} ${arrivals}`;
      if (state !== last) movedAt = performance.now();
      else if (performance.now() - movedAt > STUCK_AFTER_MS) return;
      last = state;
      await this.#group.orFailure(pause(LOOK_EVERY_MS));
    }
  }

  async #takeRecords() {
    const { platform, receiver } = this.#installation;
    const take = async (url) => {
      const text = await (await fetch(`${url}/_bench/take`)).text();
      const [head, ...lines] = text.split('\n');
      const records = lines.filter(Boolean).map((line) => line.split(' '));
      const byId = new Map(records.map(([id, ...numbers]) => [id, numbers.map(Number)]));
      return { ...JSON.parse(head), records: byId };
    };
    return { platform: await take(platform), receiver: await take(receiver) };
  }

  /** Holds what the receiver got against what the platform reported. */
  #judge(platform, receiver) {
    const lags = [];
    const sentLags = [];
    const completions = [];
    for (const [id, reportedAt] of platform.records) {
      const got = receiver.records.get(id) ?? [0, 0, 0, 0, 0, 0];
      const missing = reported.filter((_, step) => got[3 + step] === 0);
      this.#errors.missing += missing.length;
      if (missing.length > 0) this.#failures.push(`message ${id}: no event of ${missing}`);
      else completions.push(Math.max(...got.slice(0, 3)));
      for (const step of [0, 1, 2]) {
        const isTwice = got[3 + step] > 1;
        if (isTwice) this.#failures.push(`message ${id}: two events of ${reported[step]}`);
        this.#errors.doubled += Math.max(0, got[3 + step] - 1);
        if (got[step] > 0) (step === 0 ? sentLags : lags).push(got[step] - reportedAt[step]);
      }
    }
    const unexpected = [...receiver.records.keys()].filter((id) => !platform.records.has(id));
    this.#errors.unexpected += unexpected.length + receiver.others.length;
    this.#failures.push(...receiver.others, ...unexpected.map((id) => `message ${id}: unexpected`));
    this.#errors.doubled += receiver.doubled;
    if (receiver.doubled > 0) this.#failures.push(`${receiver.doubled} events came again`);
    this.#errors.sent_twice = platform.duplicates;

    completions.sort((a, b) => a - b);
    const spanMs = completions.at(-1) - completions[0];
    lags.sort((a, b) => a - b);
    sentLags.sort((a, b) => a - b);
    return {
      lives: completions.length,
      livesPerSecond: ((completions.length - 1) / spanMs) * 1000,
      lagP50Ms: percentile(lags, 0.5),
      lagP99Ms: percentile(lags, 0.99),
      sentLagP99Ms: percentile(sentLags, 0.99),
      repeated: receiver.repeated,
    };
  }

  async #readCounters() {
    const { pids, client } = this.#installation;
    const sum = (list) => list.reduce((total, pid) => total + readCpuMs(pid), 0);
    const counters = {
      updates: await readHeapUpdates(client),
      statements: this.#options.statements ? await readStatements(client) : {},
    };
    return {
      ...counters,
      cpu: {
        api: sum(pids.api),
        worker: sum(pids.worker),
        ...(pids.redis === undefined ? {} : { redis: readCpuMs(pids.redis) }),
        postgres: readFamilyCpuMs(pids.postgres),
        platform: readCpuMs(pids.platform),
        receiver: readCpuMs(pids.receiver),
      },
    };
  }

  #firstPids() {
    const { api, worker, redis } = this.#installation.pids;
    return { api: api[0], worker: worker[0], redis };
  }

  #outcome() {
    return { errors: this.#errors, failures: this.#failures };
  }
}

/** So many of each that the dead ones have their share, spread evenly. */
function mix(live, dead, share) {
  const lives = Math.max(1, Math.round((dead.length * (1 - share)) / share));
  const total = lives + dead.length;
  const requests = [];
  let nextDead = 0;
  for (let place = 0; place < total; place += 1) {
    const isDead = Math.floor(((place + 1) * dead.length) / total) > nextDead;
    requests.push(isDead ? dead[nextDead++] : live);
  }
  return requests;
}

const OWN = ['api', 'worker', 'redis', 'postgres'];

/** Milliseconds of each process for one life or send, and of all that the product needs together. */
function perUnit(cpu, count) {
  const each = Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / count]));
  const total = OWN.reduce((sum, name) => sum + (each[name] ?? 0), 0);
  return { total, ...each };
}

function summarise({ life, plain }, options) {
  const of = (turns, field) => median(turns.map((turn) => turn[field]));
  const lifeCpu = medianCpu(life);
  const plainCpu = medianCpu(plain);
  const updates = total(life, 'updates');
  const plainUpdates = total(plain, 'updates');
  const lives = life.reduce((sum, turn) => sum + turn.lives, 0);
  const sends = plain.reduce((sum, turn) => sum + turn.sends, 0);
  // What a life updates beyond a send are the reports.
  const reports = (field) => updates[field] / lives - (sends > 0 ? plainUpdates[field] / sends : 0);
  return {
    mode: 'life',
    store: options.store,
    connections: options.connections,
    rate: options.rate ?? null,
    turns: [...life, ...plain].map(({ statements, ...turn }) => turn),
    sends_a_second: round(of(life, 'sendsPerSecond'), 0),
    lives_a_second: round(of(life, 'livesPerSecond'), 0),
    plain_sends_a_second: round(of(plain, 'sendsPerSecond'), 0),
    cpu_ms_a_life: lifeCpu,
    cpu_ms_a_plain_send: plainCpu,
    ratio: round(lifeCpu && plainCpu && lifeCpu.total / plainCpu.total, 2),
    lag_p50_ms: round(of(life, 'lagP50Ms'), 1),
    lag_p99_ms: round(of(life, 'lagP99Ms'), 1),
    sent_lag_p99_ms: round(of(life, 'sentLagP99Ms'), 1),
    done_after_ms: round(of(life, 'doneAfterMs'), 0),
    hot_updates: round(updates.hot / updates.all, 3),
    hot_reports: sends > 0 ? round(reports('hot') / reports('all'), 3) : null,
    updates_a_life: round(updates.all / lives, 2),
    repeated: life.reduce((sum, turn) => sum + turn.repeated, 0),
    statements: topStatements(life, lives),
  };
}

function total(turns, field) {
  return turns.reduce(
    (sum, { [field]: part }) => ({ all: sum.all + part.all, hot: sum.hot + part.hot }),
    { all: 0, hot: 0 },
  );
}

/** The statements that took longest, planning included: microseconds for one life. */
function topStatements(turns, lives) {
  const byText = new Map();
  for (const { statements } of turns) {
    for (const [text, { calls, planMs, execMs }] of Object.entries(statements)) {
      const sum = byText.get(text) ?? { calls: 0, planMs: 0, execMs: 0 };
      byText.set(text, {
        calls: sum.calls + calls,
        planMs: sum.planMs + planMs,
        execMs: sum.execMs + execMs,
      });
    }
  }
  return [...byText]
    .toSorted(([, a], [, b]) => b.planMs + b.execMs - (a.planMs + a.execMs))
    .slice(0, 15)
    .map(([text, { calls, planMs, execMs }]) => ({
      us_a_life: round(((planMs + execMs) / lives) * 1000, 0),
      planning_us: round((planMs / lives) * 1000, 0),
      calls_a_life: round(calls / lives, 3),
      text,
    }));
}

function medianCpu(turns) {
  if (turns.length === 0) return null;
  const names = Object.keys(turns[0].cpu);
  return Object.fromEntries(
    names.map((name) => [name, round(median(turns.map(({ cpu }) => cpu[name])), 3)]),
  );
}

function describe(turn) {
  const rates =
    turn.kind === 'life'
      ? `${Math.round(turn.sendsPerSecond)} sends/s, ${Math.round(turn.livesPerSecond)} lives/s, ` +
        `lag p50 ${round(turn.lagP50Ms, 1)} p99 ${round(turn.lagP99Ms, 1)} ms, ` +
        `done ${round(turn.doneAfterMs / 1000, 1)} s after the last send`
      : `${Math.round(turn.sendsPerSecond)} sends/s`;
  return `${turn.kind}: ${rates}, ${formatCpu(turn.cpu)}`;
}

const formatCpu = (cpu) =>
  Object.entries(cpu)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
    .join(' ');

async function ask(url, body) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return (await fetch(url, init)).json();
}

function median(values) {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Nearest rank; null when there are none. */
function percentile(sorted, fraction) {
  return sorted.length === 0 ? null : sorted[Math.ceil(sorted.length * fraction) - 1];
}

function round(value, digits) {
  return Number.isFinite(value) ? Number(value.toFixed(digits)) : null;
}
