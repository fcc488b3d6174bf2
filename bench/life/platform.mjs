import { createHmac } from 'node:crypto';
import { HttpConnection, serve } from '../cheap-http.mjs';
import { kindOf, now, reported } from './message-kinds.mjs';

/**
 * The platform of `--life`, a process of its own: takes messages as the platform does, and reports `sent`, `delivered`
 * and `read` of each, in this order, each in a signed notification of its own that is repeated until it is answered
 * with 200. What it may not report on, and how many connections it has, is in the plan that it gets.
 */
const retryMs = 250;
const displayPhoneNumber = '15550783881';
const businessAccountId = '200000000000001';

let plan = { ports: [], appSecret: '', connections: 0, afterMs: 0, isRaw: false };
let idle = [];

/** Messages of this turn by their id. */
let messages = new Map();
let counts = {};
let latencies = [];
let duplicates = 0;
/** Answers other than 200 to notifications, by their status. */
let refusals = {};

/** Notifications that wait, in the order in which they are due. */
let queue = [];
let head = 0;
let inFlight = 0;
let retrying = 0;
let timer = null;

await serve(Number(process.env.SIMULATOR_PORT), ({ method, path, body }, answer) => {
  if (method === 'POST' && path.endsWith('/messages')) answer(takeMessage(path, body));
  else if (path === '/_simulator/stats') answer(JSON.stringify(stats()));
  else if (path === '/_bench/plan') answer(follow(JSON.parse(body)));
  else if (path === '/_bench/report') answer(reportAll());
  else if (path === '/_bench/take') answer(handOver());
  // Everything else, such as the templates, does not exist here.
  else answer('{"data":[]}');
});

function follow(newPlan) {
  plan = newPlan;
  idle = Array.from({ length: plan.connections }, (_, index) => {
    const port = plan.ports[index % plan.ports.length];
    return new HttpConnection(port);
  });
  return '{}';
}

function stats() {
  const pending = queue.length - head + inFlight + retrying;
  return { accepted: counts, duplicates, pending, refusals };
}

function takeMessage(path, body) {
  const numberId = path.split('/').at(-2);
  const id = /"biz_opaque_callback_data":"([^"]*)"/.exec(body)[1];
  const phone = /"to":"\+?(\d+)"/.exec(body)[1];
  const kind = kindOf(phone);
  const wamid = `wamid.${Buffer.from(id).toString('base64')}`;
  if (messages.has(id)) duplicates += 1;
  else {
    counts[kind] = (counts[kind] ?? 0) + 1;
    const message = { id, wamid, numberId, phone, kind, times: [now(), 0, 0] };
    messages.set(id, message);
    if (kind === 'life' || kind === 'dead') enqueue(message, 0, plan.afterMs);
  }
  return `{"messaging_product":"whatsapp","contacts":[{"input":"${phone}","wa_id":"${phone}"}],"messages":[{"id":"${wamid}"}]}`;
}

/** Reports `delivered` of every message that was held back, as fast as it goes. */
function reportAll() {
  for (const message of messages.values()) if (message.kind === 'held') enqueue(message, 1, 0);
  return '{}';
}

/** A line for each message: its id, when it was accepted, when `delivered` and `read` were first reported. Then forgets them. */
function handOver() {
  const lines = [];
  for (const { id, kind, times } of messages.values()) {
    if (kind === 'life' || kind === 'held') lines.push(`${id} ${times.join(' ')}`);
  }
  const answer = `${JSON.stringify({ ...stats(), latencies })}\n${lines.join('\n')}`;
  messages = new Map();
  counts = {};
  latencies = [];
  duplicates = 0;
  refusals = {};
  return answer;
}

function enqueue(message, step, afterMs) {
  queue.push({ message, step, dueAt: now() + afterMs });
  pump();
}

function pump() {
  while (head < queue.length && idle.length > 0) {
    const waitMs = queue[head].dueAt - now();
    if (waitMs > 0) {
      timer ??= setTimeout(() => {
        timer = null;
        pump();
      }, Math.ceil(waitMs));
      return;
    }
    report(queue[head++]);
    if (head > 10_000) {
      queue = queue.slice(head);
      head = 0;
    }
  }
}

function report({ message, step }) {
  const connection = idle.pop();
  const sentAt = now();
  message.times[step] ||= sentAt;
  inFlight += 1;
  connection.send(formatRequest(message, step), (status) => {
    inFlight -= 1;
    idle.push(connection);
    if (status === 200) {
      if (message.kind === 'held') latencies.push(now() - sentAt);
      else if (step < 2) enqueue(message, step + 1, plan.afterMs);
    } else {
      refusals[status] = (refusals[status] ?? 0) + 1;
      retrying += 1;
      setTimeout(() => {
        retrying -= 1;
        enqueue(message, step, 0);
      }, retryMs);
    }
    pump();
  });
}

function formatRequest({ id, wamid, numberId, phone }, step) {
  const userId = `US.1000${phone}`;
  const status = {
    id: wamid,
    status: reported[step],
    timestamp: String(Math.floor(Date.now() / 1000)),
    recipient_id: phone,
    recipient_user_id: userId,
    biz_opaque_callback_data: plan.isRaw ? undefined : id,
    pricing:
      step < 2
        ? {
            billable: false,
            pricing_model: 'PMP',
            type: 'free_customer_service',
            category: 'service',
          }
        : undefined,
  };
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: displayPhoneNumber, phone_number_id: numberId },
    contacts: [{ profile: { name: 'Jessica' }, wa_id: phone, user_id: userId }],
    statuses: [status],
  };
  const entry = [{ id: businessAccountId, changes: [{ value, field: 'messages' }] }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const mac = createHmac('sha256', plan.appSecret).update(body).digest('hex');
  return `POST /api/v1/platform/whatsapp/webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Hub-Signature-256: sha256=${mac}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
