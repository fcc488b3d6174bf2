import { fileURLToPath } from 'node:url';
import { decodeFloats, percentile, round } from './figures.mjs';
import { makeKey, makeNumbers, openDashboard, unlimitedPerSecond } from './keys.mjs';
import { messageTypes } from './message-types.mjs';
import { readCpuMs, readFamilyCpuMs, watchMemory } from './process-group.mjs';
import { startServices } from './services.mjs';
import { mapTemplate } from './template-mapping.mjs';

const loadGenerator = fileURLToPath(new URL('load.mjs', import.meta.url));
// A fresh Node process compiles its hot code under load, which takes five seconds or, on a slow machine, twenty.
// Each stack is warmed up in turns of this length until one is hardly faster than the best before it.
const firstWarmUp = { turnMs: 4_000, turnsMin: 2, turnsMax: 6, fasterBy: 1.05 };
const warmUpDurationMs = 2_000;
const directMs = 3_000;

/**
 * One benchmark run. Both stacks stay up all the time, one of them at a time is under load. At each number of
 * connections they take turns in the order A B B A: measured once each, of two equal stacks the first was up to 13 %
 * slower, because it warms the machine up for the second.
 *
 * Returns what the report prints; a figure that was not measured is null. `errors` holds what makes the run worthless,
 * `failures` some of the answers behind it.
 */
export async function runBenchmark(group, options, directory, progress) {
  progress('starting PostgreSQL, Redis, the simulator and both stacks');
  const type = messageTypes[options.type];
  const { simulator, product, naive, postgresPid, redisPid } = await startServices(group, {
    store: options.store,
    directory,
    isProductWanted: options.only !== 'naive',
    isNaiveWanted: options.only !== 'product',
  });
  if (product) product.headers = await prepareNumbers(product, options.pace, type.mapping);
  const sends = { path: type.path, body: type.body, success: '"status":"sent"' };
  const most = Math.max(...options.connections);
  const measureMs = (options.seconds / 2) * 1000;
  const taken = [];

  async function measure(name, target, plan) {
    const label = `${name}, connections: ${plan.connections}`;
    const before = await readStats(simulator);
    const cpuBefore = readCpu(target);
    const storesBefore = readStores();
    const { port, headers } = target;
    const requests = [headers].flat().map((each) => ({ headers: each, body: plan.body }));
    const load = JSON.stringify({ ...plan, port, requests });
    const line = await group.run('load', process.execPath, [loadGenerator], {}, load);
    const cpuMs = readCpu(target) - cpuBefore;
    // Only this stack is under load, so the stores work for it.
    const allCpuMs = cpuMs + readStores() - storesBefore;
    const after = await readStats(simulator);
    const { latencies, ...counts } = JSON.parse(line);
    // What the simulator accepted meanwhile and what was answered as sent must be the same number.
    const unaccounted = Math.abs(after.accepted - before.accepted - counts.succeeded);
    const result = {
      ...counts,
      label,
      cpuMs,
      allCpuMs,
      unaccounted,
      latencies: decodeFloats(latencies),
    };
    progress(`${label}: ${Math.round(result.latencies.length / counts.seconds)}/s`);
    taken.push(result);
    return result;
  }

  /** Processor time of PostgreSQL and Redis so far. */
  function readStores() {
    return readFamilyCpuMs(postgresPid) + (redisPid === undefined ? 0 : readCpuMs(redisPid));
  }

  const stacks = Object.entries({ product, naive }).filter(([, stack]) => stack !== undefined);
  for (const [name, stack] of stacks) {
    await warmUp((turn, measureMs) =>
      measure(`${name}, warm-up ${turn}`, stack, {
        ...sends,
        connections: most,
        warmUpMs: 0,
        measureMs,
      }),
    );
  }

  const direct = await measure('simulator alone', simulator, {
    path: `/v25.0/${simulator.platform.phoneNumberId}/messages`,
    body: type.platformBody,
    success: '"messages":[{',
    connections: 1,
    warmUpMs: warmUpDurationMs,
    measureMs: directMs,
  });

  const connections = {};
  let atMost = { product: null, naive: null };
  let peakRssMb = {};
  for (const count of options.connections) {
    const plan = { ...sends, connections: count, warmUpMs: warmUpDurationMs, measureMs };
    const parts = { product: [], naive: [] };
    const memory = watchMemory({
      api: product?.apiPid,
      worker: product?.workerPid,
      simulator: simulator.pid,
      naive_api: naive?.apiPid,
      naive_worker: naive?.workerPid,
    });
    for (const [name, stack] of [...stacks, ...stacks.toReversed()]) {
      parts[name].push(await measure(name, stack, plan));
    }
    const peak = memory.stop();
    const figures = { product: join(parts.product), naive: join(parts.naive) };
    connections[count] = compare(figures.product, figures.naive);
    if (count === most) {
      peakRssMb = peak;
      atMost = figures;
    }
  }

  const { duplicates } = await readStats(simulator);
  return {
    store: options.store,
    type: options.type,
    connections,
    direct_p50_ms: round(join([direct]).p50Ms, 3),
    cpu_ms_per_send_total: round(atMost.product?.allCpuMsPerSend, 3),
    naive_cpu_ms_per_send_total: round(atMost.naive?.allCpuMsPerSend, 3),
    // Formed as the ratio of the sends: below 1, the product needs less.
    cpu_ratio: round(
      atMost.product &&
        atMost.naive &&
        atMost.product.allCpuMsPerSend / atMost.naive.allCpuMsPerSend,
      2,
    ),
    cpu_ms_per_send: round(atMost.product?.cpuMsPerSend, 3),
    naive_cpu_ms_per_send: round(atMost.naive?.cpuMsPerSend, 3),
    rss_mb: peakRssMb,
    ready_ms: round(product?.readyMs, 0),
    errors: {
      failed: total(taken, 'failed'),
      unaccounted: total(taken, 'unaccounted'),
      duplicates,
    },
    failures: taken.flatMap(({ label, failures }) => failures.map((text) => `${label}: ${text}`)),
  };
}

/** Makes the numbers and a key for each, and returns the headers that take turns. */
async function prepareNumbers(product, pace, mapping) {
  const dashboard = await openDashboard(product);
  const perSecond = unlimitedPerSecond;
  const headers = [];
  for (const accountId of await makeNumbers(dashboard, product, { pace, perSecond })) {
    headers.push({ 'X-API-Key': await makeKey(dashboard, { name: 'bench', accountId }) });
  }
  if (mapping) await mapTemplate(product.databaseUrl, mapping);
  return headers;
}

/** Puts one stack under load until it gets no faster; `takeTurn` answers what one measurement does. */
async function warmUp(takeTurn) {
  const { turnMs, turnsMin, turnsMax, fasterBy } = firstWarmUp;
  let best = 0;
  for (let turn = 1; turn <= turnsMax; turn++) {
    const { latencies, seconds } = await takeTurn(turn, turnMs);
    const perSecond = latencies.length / seconds;
    if (turn >= turnsMin && perSecond < best * fasterBy) return;
    best = Math.max(best, perSecond);
  }
}

/** Several measurements of one stack as one: rates over the whole time, percentiles over all answers. */
function join(parts) {
  if (parts.length === 0) return null;
  const latencies = new Float32Array(
    total(
      parts.map((part) => part.latencies),
      'length',
    ),
  );
  let offset = 0;
  for (const part of parts) {
    latencies.set(part.latencies, offset);
    offset += part.latencies.length;
  }
  latencies.sort();
  return {
    perSecond: latencies.length / total(parts, 'seconds'),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    failed: total(parts, 'failed'),
    cpuMsPerSend: total(parts, 'cpuMs') / total(parts, 'succeeded'),
    allCpuMsPerSend: total(parts, 'allCpuMs') / total(parts, 'succeeded'),
  };
}

function compare(product, naive) {
  return {
    sends_per_second: round(product?.perSecond, 1),
    naive_sends_per_second: round(naive?.perSecond, 1),
    ratio: round(product && naive && product.perSecond / naive.perSecond, 2),
    p50_ms: round(product?.p50Ms, 2),
    p99_ms: round(product?.p99Ms, 2),
    naive_p50_ms: round(naive?.p50Ms, 2),
    naive_p99_ms: round(naive?.p99Ms, 2),
    errors: product?.failed ?? null,
    naive_errors: naive?.failed ?? null,
  };
}

/** Processor time of a stack's own processes. */
function readCpu({ apiPid, workerPid }) {
  const times = [apiPid, workerPid].filter((pid) => pid !== undefined).map(readCpuMs);
  return times.includes(null) ? Number.NaN : times.reduce((sum, ms) => sum + ms, 0);
}

async function readStats({ url }) {
  const response = await fetch(`${url}/_simulator/stats`);
  return response.json();
}

function total(parts, field) {
  return parts.reduce((sum, part) => sum + part[field], 0);
}
