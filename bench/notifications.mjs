import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { measureProduct } from './measurement.mjs';

/**
 * `node bench/notifications.mjs [--rate 500] [--seconds 20] [--store redis|postgres]`, after `npm run build`.
 *
 * Posts signed status notifications at a fixed rate, each of a message of its own, whatever the answers take: an open
 * loop, as the platform's is, so that a slow answer does not slow the clock. Prints one line of JSON: how long the
 * answers took, and how long until the last message had its status.
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '20' },
    store: { type: 'string', default: 'redis' },
  },
});
const rate = Number(values.rate);
const count = rate * Number(values.seconds);

await measureProduct(values, async (group, product) => {
  const client = new Client({ connectionString: product.databaseUrl });
  await client.connect();
  const ids = await insertMessages(client);
  const startedAt = performance.now();
  const { latencies, failures } = await group.orFailure(postAll(product, ids));
  const postedMs = performance.now() - startedAt;
  await group.orFailure(untilDelivered(client));
  const processedMs = performance.now() - startedAt;
  await client.end();
  latencies.sort((a, b) => a - b);
  const at = (fraction) => Number(latencies[Math.ceil(latencies.length * fraction) - 1].toFixed(2));
  if (failures > 0) process.exitCode = 1;
  return {
    notifications: count,
    notifications_per_second: Math.round(count / (postedMs / 1000)),
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    max_ms: at(1),
    over_one_second: latencies.filter((ms) => ms > 1_000).length,
    failures,
    processed_after_last_ms: Math.round(processedMs - postedMs),
  };
});

/** Messages that are sent and wait for their statuses. */
async function insertMessages(client) {
  const { rows } = await client.query(
    `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting, status,
       attempt, changes, created_at, next_attempt_at, give_up_at, platform_message_id, sent_at)
     select new_id(), k.account_id, k.id, 'live', 'button', '+14155550123', '{}', false, 'sent', 1, 2,
       now(), now(), now(), 'wamid.BENCH' || n, now()
     from api_keys k, generate_series(1, $1::int) n
     returning id, platform_message_id`,
    [count],
  );
  return rows;
}

async function postAll(product, messages) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const latencies = [];
  let failures = 0;
  const startedAt = performance.now();
  const posts = [];
  for (const [index, message] of messages.entries()) {
    const due = startedAt + (index / rate) * 1000;
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1));
    posts.push(
      post(agent, product, bodyOf(message)).then(({ status, ms }) => {
        latencies.push(ms);
        if (status !== 200) failures += 1;
      }),
    );
  }
  await Promise.all(posts);
  agent.destroy();
  return { latencies, failures };
}

function bodyOf({ id, platform_message_id: wamid }) {
  const status = {
    id: wamid,
    status: 'delivered',
    timestamp: String(Math.floor(Date.now() / 1000)),
    recipient_id: '14155550123',
    biz_opaque_callback_data: id,
    pricing: { billable: false, pricing_model: 'PMP', category: 'service' },
  };
  const metadata = { display_phone_number: '15550783881', phone_number_id: '100000000000001' };
  const value = { messaging_product: 'whatsapp', metadata, statuses: [status] };
  const entry = [{ id: '200000000000001', changes: [{ field: 'messages', value }] }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry, trace: randomUUID() });
}

function post(agent, { port, appSecret }, body) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = (status) => resolve({ status, ms: performance.now() - startedAt });
    const request = httpRequest(
      {
        agent,
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/v1/platform/whatsapp/webhooks',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
        },
      },
      (response) => {
        response.resume();
        response.once('end', () => done(response.statusCode));
      },
    );
    request.once('error', () => done(0));
    request.end(body);
  });
}

async function untilDelivered(client) {
  for (;;) {
    const { rows } = await client.query(
      `select count(*)::int as open from messages where status <> 'delivered'`,
    );
    if (rows[0].open === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
