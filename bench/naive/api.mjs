import { randomUUID } from 'node:crypto';
import { Queue, QueueEvents } from 'bullmq';
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

/**
 * The yardstick: how this service is usually built. One insert, one BullMQ job and one `waitUntilFinished` for each
 * request; no keys, no validation, no limits, no request log. It is meant to be good at that: pooled connections, the
 * whole payload in the job so that the worker need not read the row, finished jobs kept only briefly.
 */
const finishTimeoutMs = 10_000;

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const connect = () => new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null });
const sends = new Queue('sends', {
  connection: connect(),
  defaultJobOptions: {
    attempts: 3,
    backoff: { type: 'exponential', delay: 250 },
    // With `true` a quick job is gone before waitUntilFinished has looked for it: 500 for 1 send in 200.
    removeOnComplete: { count: 1000 },
  },
});
const sendEvents = new QueueEvents('sends', { connection: connect() });
sendEvents.setMaxListeners(0);
sends.setMaxListeners(0);

await pool.query(`create table if not exists messages (
  id uuid primary key,
  recipient text not null,
  payload jsonb not null,
  reference text,
  status text not null default 'queued',
  platform_message_id text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
)`);
await sendEvents.waitUntilReady();

const app = Fastify();

app.get('/health/ready', async () => ({ status: 'ok' }));

app.post('/api/v1/external/messages/interactive/button', (request) => {
  const { to, body, buttons, reference } = request.body;
  return send(to, reference, {
    type: 'interactive',
    interactive: {
      type: 'button',
      body: { text: body },
      action: { buttons: buttons.map((reply) => ({ type: 'reply', reply })) },
    },
  });
});

app.post('/api/v1/external/messages/template/send', (request) => {
  const { to, template_name: name, language, variables, reference } = request.body;
  const texts = [variables.name, variables.order, variables.day];
  return send(to, reference, {
    type: 'template',
    template: {
      name,
      language: { code: language },
      components: [
        { type: 'body', parameters: texts.map((text) => ({ type: 'text', text })) },
        {
          type: 'button',
          sub_type: 'url',
          index: '0',
          parameters: [{ type: 'text', text: variables.order_path }],
        },
      ],
    },
  });
});

async function send(to, reference, content) {
  const id = randomUUID();
  const payload = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    ...content,
    biz_opaque_callback_data: id,
  };
  await pool.query(
    'insert into messages (id, recipient, payload, reference) values ($1, $2, $3, $4)',
    [id, to, payload, reference],
  );
  const job = await sends.add('send-message', { id, payload });
  await job.waitUntilFinished(sendEvents, finishTimeoutMs);
  return { success: true, data: { message_id: id, status: 'sent' } };
}

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

process.once('SIGTERM', async () => {
  await app.close();
  await Promise.all([sendEvents.close(), sends.close(), pool.end()]);
  process.exit();
});
