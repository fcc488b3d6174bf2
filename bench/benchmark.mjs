import { fileURLToPath } from 'node:url';
import { messageTypes } from './message-types.mjs';
import { readCpuMs, readRssMb } from './process-group.mjs';
import { startServices } from './services.mjs';

const LOAD_GENERATOR = fileURLToPath(new URL('load.mjs', import.meta.url));
const WARM_UP_MS = 2_000;
const DIRECT_MS = 3_000;
const MEMORY_SAMPLE_MS = 250;

/**
 * One benchmark run. Both stacks stay up all the time, one of them at a time is under load, and they take turns at
 * each number of connections, so that whatever else the machine does meets both alike.
 *
 * Returns what the report prints. A figure that was not measured is null.
 */
export async function runBenchmark(group, options, directory, progress) {
  const type = messageTypes[options.type];
  progress('starting PostgreSQL, Redis, the simulator and both stacks');
  const { simulator, product, naive } = await startServices(group, {
    store: options.store,
    directory,
    isProductWanted: options.only !== 'naive',
    isNaiveWanted: options.only !== 'product',
  });
  const processes = {
    api: product?.apiPid,
    worker: product?.workerPid,
    simulator: simulator.pid,
    naive_api: naive?.apiPid,
    naive_worker: naive?.workerPid,
  };
  const bench = { group, simulator, progress, failures: [] };
  const sends = { path: type.path, body: type.body, success: '"status":"sent"' };
  const measureMs = options.seconds * 1000;

  progress('warming up');
  const warmUp = { warmUpMs: 0, measureMs: WARM_UP_MS, connections: 32 };
  const sides = [
    { name: 'product', target: product },
    { name: 'naive', target: naive },
  ].filter(({ target }) => target !== undefined);
  const all = [];
  for (const { name, target } of sides) {
    all.push(await measure(bench, `${name}, warm-up`, { ...sends, ...warmUp, ...address(target) }));
  }

  const direct = await measure(bench, 'simulator alone, 1 connection', {
    path: `/v25.0/${simulator.platform.phoneNumberId}/messages`,
    headers: { Authorization: `Bearer ${simulator.platform.accessToken}` },
    port: simulator.port,
    body: type.platformBody,
    success: '"messages":[{',
    connections: 1,
    warmUpMs: 1_000,
    measureMs: Math.min(DIRECT_MS, measureMs),
  });
  all.push(direct);

  const connections = {};
  const peakRssMb = {};
  const cpuMsPerSend = {};
  const most = Math.max(...options.connections);
  for (const count of options.connections) {
    const figures = {};
    for (const { name, target } of sides) {
      const plan = {
        ...sends,
        ...address(target),
        connections: count,
        warmUpMs: WARM_UP_MS,
        measureMs,
      };
      const watched = count === most ? processes : {};
      const cpuBefore = await readCpu(target);
      figures[name] = await measure(
        bench,
        `${name}, ${count} connections`,
        plan,
        watched,
        peakRssMb,
      );
      const cpuAfter = await readCpu(target);
      all.push(figures[name]);
      cpuMsPerSend[name] =
        cpuAfter === null ? null : (cpuAfter - cpuBefore) / figures[name].succeeded;
    }
    connections[count] = compare(figures.product, figures.naive);
  }

  const { duplicates } = await readStats(simulator);
  const sum = (figures, field) => figures.reduce((total, each) => total + each[field], 0);
  return {
    store: options.store,
    type: options.type,
    connections,
    direct_p50_ms: round(direct.p50Ms, 3),
    cpu_ms_per_send: round(cpuMsPerSend.product, 3),
    naive_cpu_ms_per_send: round(cpuMsPerSend.naive, 3),
    rss_mb: Object.fromEntries(
      Object.keys(processes).map((name) => [name, round(peakRssMb[name], 0)]),
    ),
    ready_ms: round(product?.readyMs, 0),
    errors: {
      failed: sum(all, 'failed'),
      unaccounted: sum(all, 'unaccounted'),
      duplicates,
    },
    failures: bench.failures,
  };
}

/**
 * Puts one plan under load and has the simulator confirm it: what it accepted meanwhile and what was answered as sent
 * must be the same number (`unaccounted` is the difference, never negative). Keeps the highest memory of the watched
 * processes in `peakRssMb`.
 */
async function measure(
  { group, simulator, progress, failures },
  label,
  plan,
  watched = {},
  peakRssMb = {},
) {
  const before = await readStats(simulator);
  const sampling = setInterval(async () => {
    for (const [name, pid] of Object.entries(watched)) {
      const rssMb = pid === undefined ? null : await readRssMb(pid);
      if (rssMb !== null) peakRssMb[name] = Math.max(peakRssMb[name] ?? 0, rssMb);
    }
  }, MEMORY_SAMPLE_MS);
  let figures;
  try {
    const args = [LOAD_GENERATOR, JSON.stringify(plan)];
    figures = JSON.parse(await group.run('load', process.execPath, args));
  } finally {
    clearInterval(sampling);
  }
  const after = await readStats(simulator);
  const unaccounted = Math.abs(after.accepted - before.accepted - figures.succeeded);
  failures.push(...figures.failures.map((failure) => `${label}: ${failure}`));
  const perSecond = figures.measured / figures.seconds;
  progress(`${label}: ${Math.round(perSecond)}/s, p50 ${round(figures.p50Ms, 2)} ms`);
  return { ...figures, perSecond, unaccounted };
}

function compare(product, naive) {
  return {
    sends_per_second: round(product?.perSecond, 1),
    naive_sends_per_second: round(naive?.perSecond, 1),
    ratio: product && naive ? round(product.perSecond / naive.perSecond, 2) : null,
    p50_ms: round(product?.p50Ms, 2),
    p99_ms: round(product?.p99Ms, 2),
    naive_p50_ms: round(naive?.p50Ms, 2),
    naive_p99_ms: round(naive?.p99Ms, 2),
    errors: product?.failed ?? null,
    naive_errors: naive?.failed ?? null,
  };
}

function address({ port, headers }) {
  return { port, headers };
}

async function readCpu({ apiPid, workerPid }) {
  const [api, worker] = await Promise.all([readCpuMs(apiPid), readCpuMs(workerPid)]);
  return api === null || worker === null ? null : api + worker;
}

async function readStats({ url }) {
  const response = await fetch(`${url}/_simulator/stats`);
  return response.json();
}

function round(value, digits) {
  return value === null || value === undefined ? null : Number(value.toFixed(digits));
}
