import { parseArgs } from 'node:util';
import { measureProduct, sendButtons } from './measurement.mjs';
import { startAnother } from './services.mjs';

/**
 * `node bench/workers.mjs [--store redis|postgres] [--workers 1,2,4] [--delay 100] [--room 32] [--seconds 8]`, after
 * `npm run build`.
 *
 * Whether sends grow with workers where the platform is what takes the time. It answers each message after `delay` ms,
 * and a worker has `room` messages open at a time (MAX_IN_FLIGHT), so that one can send room ÷ delay at most; callers are
 * enough for all of them. Prints one line of JSON: for each number of workers the sends a second and how much of that most.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    workers: { type: 'string', default: '1,2,4' },
    delay: { type: 'string', default: '100' },
    room: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '8' },
  },
});
const counts = values.workers.split(',').map(Number);
const delayMs = Number(values.delay);
const room = Number(values.room);

await measureProduct(
  { store: values.store, env: { MAX_IN_FLIGHT: String(room) } },
  async (group, product, simulator) => {
    const rule = { match: {}, fault: { delay_ms: delayMs } };
    const answer = await fetch(`${simulator.url}/_simulator/rules`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rule),
    });
    if (!answer.ok)
      throw new Error(`the simulator's rule: ${answer.status} ${await answer.text()}`);
    const workers = {};
    let running = 1;
    for (const count of counts) {
      for (; running < count; running += 1) {
        await startAnother(group, product, 'worker', `worker-${running + 1}`);
      }
      const connections = 2 * count * room;
      const rate = await sendButtons(group, product, {
        connections,
        seconds: Number(values.seconds),
      });
      const most = (count * room * 1_000) / delayMs;
      workers[count] = {
        sends_per_second: Math.round(rate),
        of_the_most: Number((rate / most).toFixed(2)),
      };
    }
    return { platform_delay_ms: delayMs, max_in_flight: room, workers };
  },
);
