import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeKeys } from './keys.mjs';
import { measureProduct } from './measurement.mjs';
import { messageTypes } from './message-types.mjs';

/**
 * `node bench/endpoints.mjs [--store redis|postgres] [--rate 50] [--seconds 15]`, after `npm run build`.
 *
 * What a dead webhook endpoint costs a live one. Two keys send at a fixed rate each; the endpoint of the first always
 * answers, that of the second answers or never does, in the order A B B A. Prints one line of JSON: how long after its
 * change of status an event came to the first endpoint, beside a live neighbour and beside a dead one.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '15' },
  },
});
const everyMs = 1_000 / Number(values.rate);

let isNeighbourDead = false;
let latencies = [];
const receiver = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (part) => {
    text += part;
  });
  request.on('end', () => {
    if (request.url === '/neighbour' && isNeighbourDead) return;
    if (request.url === '/first')
      latencies.push(Date.now() - Date.parse(JSON.parse(text).timestamp));
    response.end();
  });
});
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const { port } = receiver.address();

await measureProduct(
  { store: values.store, env: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
  async (_group, product) => {
    const url = `http://127.0.0.1:${product.port}/api/v1`;
    const receivers = ['first', 'neighbour'].map((name) => [
      name,
      `http://127.0.0.1:${port}/${name}`,
    ]);
    const keys = await makeKeys(product, receivers);
    await sendFor(url, keys, 5);
    const beside = { live: [], dead: [] };
    for (const neighbour of ['live', 'dead', 'dead', 'live']) {
      isNeighbourDead = neighbour === 'dead';
      latencies = [];
      const sent = await sendFor(url, keys, Number(values.seconds));
      for (let waitedMs = 0; latencies.length < sent && waitedMs < 10_000; waitedMs += 50) {
        await pause(50);
      }
      if (latencies.length < sent) throw new Error(`${latencies.length} of ${sent} events came`);
      beside[neighbour].push(...latencies);
    }
    const at = (list, fraction) =>
      list.toSorted((a, b) => a - b)[Math.ceil(list.length * fraction) - 1];
    const figures = (list) => ({
      events: list.length,
      p50_ms: at(list, 0.5),
      p99_ms: at(list, 0.99),
    });
    receiver.closeAllConnections();
    return { live: figures(beside.live), dead: figures(beside.dead) };
  },
);

/** Sends with each key at the rate, whatever the answers take. Returns how many each sent. */
async function sendFor(url, keys, seconds) {
  const count = Math.round((seconds * 1_000) / everyMs);
  const startedAt = performance.now();
  const answers = [];
  for (let number = 0; number < count; number += 1) {
    await pause(Math.max(0, startedAt + number * everyMs - performance.now()));
    for (const key of keys) answers.push(send(url, key, number));
  }
  await Promise.all(answers);
  return count;
}

async function send(url, key, number) {
  const { path, body } = messageTypes.button;
  const answer = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: body
      .replace('{recipient}', String(number % 10_000).padStart(4, '0'))
      .replace('{reference}', String(number).padStart(10, '0')),
  });
  if (!answer.ok) throw new Error(`a send: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}
