import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureProduct, sendButtons } from './measurement.mjs';
import { findFreePorts } from './process-group.mjs';

/**
 * `node bench/checks.mjs [--store redis|postgres] [--connections 128] [--seconds 6]`, after `npm run build`.
 *
 * What the guard costs: key, state, address, signature, quota, version and permission. Two API processes run next to
 * each other on the same stores and worker, one of them without the checks, and take turns under load in the order
 * A B B A, twice. Prints one line of JSON; `cost` is the share of the throughput that the checks take.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    connections: { type: 'string', default: '128' },
    seconds: { type: 'string', default: '6' },
  },
});
const uncheckedProgram = fileURLToPath(new URL('unchecked.mjs', import.meta.url));
const turnCount = ['checked', 'unchecked', 'unchecked', 'checked'];

await measureProduct(values, async (group, product) => {
  const [uncheckedPort, spareWorkerPort] = await findFreePorts(2);
  // Not bundled: `unchecked.mjs` changes a module.
  const program = ['--import', uncheckedProgram, 'dist/modules/src/main.js'];
  group.start('api-unchecked', process.execPath, program, {
    ...product.env,
    PORT: String(uncheckedPort),
    WORKER_PORT: String(spareWorkerPort),
  });
  await group.waitUntilReady('api-unchecked', `http://127.0.0.1:${uncheckedPort}/health/ready`);
  const ports = { checked: product.port, unchecked: uncheckedPort };
  const connections = Number(values.connections);
  for (const port of Object.values(ports)) {
    await sendButtons(group, product, { port, connections, seconds: 4 });
  }
  const rates = { checked: [], unchecked: [] };
  for (const name of [...turnCount, ...turnCount]) {
    const load = { port: ports[name], connections, seconds: Number(values.seconds) };
    rates[name].push(await sendButtons(group, product, load));
  }
  const mean = (list) => list.reduce((sum, rate) => sum + rate, 0) / list.length;
  return {
    connections,
    sends_per_second: Math.round(mean(rates.checked)),
    unchecked_sends_per_second: Math.round(mean(rates.unchecked)),
    cost: Number((1 - mean(rates.checked) / mean(rates.unchecked)).toFixed(3)),
  };
});
