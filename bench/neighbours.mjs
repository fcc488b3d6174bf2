import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { decodeFloats, median, percentile, round } from './figures.mjs';
import { makeKey, makeNumbers, openDashboard } from './keys.mjs';
import { measureProduct } from './measurement.mjs';
import { messageTypes } from './message-types.mjs';

/**
 * `node bench/neighbours.mjs [--store redis|postgres] [--rate 40] [--share 0.9] [--accounts 5] [--connections 64]
 * [--seconds 15] [--turns 2]`, after `npm run build`.
 *
 * Whether one account with `share` of the load takes anything from the others, which send `rate` messages a second
 * together. In turns: these alone; beside one account without a pace (`neighbour`); and, to see what the load costs
 * whoever it comes from, beside as much of it from as many accounts as that takes (`spread`). Prints one line of JSON:
 * how long the callers of the others waited in each turn, the medians of the p99s and their ratio, and how busy the
 * machine was. Where it has no processor time left, everybody waits for that.
 */
const loadGenerator = fileURLToPath(new URL('load.mjs', import.meta.url));
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    rate: { type: 'string', default: '40' },
    share: { type: 'string', default: '0.9' },
    accounts: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '15' },
    turns: { type: 'string', default: '2' },
  },
});
const rate = Number(values.rate);
const accounts = Number(values.accounts);
const connections = Number(values.connections);
const seconds = Number(values.seconds);
const share = Number(values.share);
const othersRate = Math.round((rate * share) / (1 - share));

const kinds = ['alone', 'neighbour', 'spread'];
const warmUpSeconds = 5;

await measureProduct({ store: values.store }, async (group, product) => {
  const dashboard = await openDashboard(product);
  // As many numbers as the whole load needs at the rate of each of the others.
  const wanted = Math.ceil((accounts * (rate + othersRate)) / rate);
  const headers = [];
  const made = await makeNumbers(dashboard, product, { perSecond: wanted * 40 });
  for (const accountId of made) {
    headers.push({ 'X-API-Key': await makeKey(dashboard, { name: 'bench', accountId }) });
  }
  const [ours, many] = [headers.slice(0, accounts), headers.slice(accounts)];
  const besides = { alone: [], neighbour: [product.headers], spread: many };

  const turns = [];
  for (const kind of kinds) await turn(kind, warmUpSeconds);
  for (let number = 0; number < Number(values.turns); number += 1) {
    for (const kind of number % 2 === 0 ? kinds : kinds.toReversed()) {
      turns.push(await turn(kind, seconds));
    }
  }
  const p99 = (kind) => median(turns.filter((one) => one.kind === kind).map((one) => one.p99Ms));
  const [alone, neighbour, spread] = kinds.map(p99);
  return {
    rate,
    others_rate: othersRate,
    accounts: made.length,
    turns,
    p99_alone_ms: round(alone, 1),
    p99_neighbour_ms: round(neighbour, 1),
    p99_spread_ms: round(spread, 1),
    ratio: round(neighbour / alone, 2),
    ratio_to_spread: round(neighbour / spread, 2),
  };

  async function turn(kind, forSeconds) {
    const before = readBusy();
    const [load, beside] = await Promise.all([
      send('load', ours, rate, forSeconds),
      besides[kind].length > 0 ? send('beside', besides[kind], othersRate, forSeconds) : null,
    ]);
    const after = readBusy();
    const used = {
      kind,
      sent: load.length,
      p50Ms: round(percentile(load, 0.5), 1),
      p99Ms: round(percentile(load, 0.99), 1),
      besideSent: beside?.length ?? 0,
      besideP99Ms: beside && round(percentile(beside, 0.99), 1),
      busy: round((after.busy - before.busy) / (after.all - before.all), 2),
    };
    process.stderr.write(`${JSON.stringify(used)}\n`);
    return used;
  }

  /** How long each caller waited, sorted. */
  async function send(name, keys, perSecond, forSeconds) {
    const { path, body } = messageTypes.button;
    const plan = JSON.stringify({
      path,
      requests: keys.map((key) => ({ headers: key, body })),
      success: '"status":"sent"',
      connections,
      port: product.port,
      perSecond,
      warmUpMs: 0,
      measureMs: forSeconds * 1_000,
    });
    const line = await group.run(name, process.execPath, [loadGenerator], {}, plan);
    const { latencies, failed, failures } = JSON.parse(line);
    if (failed > 0) throw new Error(`not a valid run: ${failures.join('; ')}`);
    return decodeFloats(latencies).sort();
  }
});

/** Processor time of the whole machine so far, in hundredths of a second. */
function readBusy() {
  const [, ...times] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/ +/).map(Number);
  const all = times.slice(0, 8).reduce((sum, time) => sum + time, 0);
  return { all, busy: all - times[3] - times[4] };
}
