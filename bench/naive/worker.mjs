import { createServer } from 'node:http';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool as DatabasePool } from 'pg';
import { Pool as ConnectionPool } from 'undici';

/** The worker of the usual pipeline: posts one message for each job and marks its row. */
const sendsAtOnce = 128;

const platform = new URL(process.env.PLATFORM_BASE_URL);
const path = `${platform.pathname}/${process.env.PHONE_NUMBER_ID}/messages`;
const headers = {
  authorization: `Bearer ${process.env.ACCESS_TOKEN}`,
  'content-type': 'application/json',
};
const client = new ConnectionPool(platform.origin, { connections: sendsAtOnce, pipelining: 1 });
const pool = new DatabasePool({ connectionString: process.env.DATABASE_URL, max: 20 });

const worker = new Worker('sends', send, {
  connection: new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null }),
  concurrency: sendsAtOnce,
});
await worker.waitUntilReady();

const health = createServer((_request, response) => response.end('ok'));
health.listen(Number(process.env.WORKER_PORT), '127.0.0.1');

process.once('SIGTERM', async () => {
  await worker.close();
  await Promise.all([client.close(), pool.end()]);
  process.exit();
});

async function send({ data: { id, payload } }) {
  const response = await client.request({
    method: 'POST',
    path,
    headers,
    body: JSON.stringify(payload),
  });
  const answer = await response.body.json();
  if (response.statusCode !== 200) throw new Error(answer.error?.message ?? 'refused');
  await pool.query(
    `update messages set status = 'sent', platform_message_id = $2, sent_at = now() where id = $1`,
    [id, answer.messages[0].id],
  );
}
