import '../scripts/node-version.mjs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { decodeFloats, percentile, round } from './figures.mjs';
import { makeKey, makeNumbers, openDashboard } from './keys.mjs';
import { measureProduct } from './measurement.mjs';
import { messageTypes } from './message-types.mjs';
import { readCpuMs, readFamilyCpuMs, watchMemory } from './process-group.mjs';
import { mapTemplate } from './template-mapping.mjs';

/**
 * `node bench/campaigns.mjs [--store redis|postgres] [--recipients 100000] [--rate 10] [--seconds 15]
 * [--many 350]`, after `npm run build`.
 *
 * A campaign of a number without a pace: how long it takes to upload its recipients, a thousand with each request, one
 * request after the other; and how fast it is released and sent. Then single sends of a number with the pace of a new
 * account, `rate` a second, alone and beside a campaign of the same number that runs at its full pace: how long their
 * callers wait. Then `many` campaigns at one recipient a second each, with messages that are scheduled for a moment
 * among them: how many recipients are released a second, and how late the messages leave. Last, how long an import of
 * 1,000 opt-outs takes beside 500 campaigns that have ended. Prints one line of JSON; `--recipients 0` leaves out the
 * first two.
 *
 * The processor time is that of API, worker, PostgreSQL and Redis. That of releases is what a campaign takes beyond the
 * sending of as many accepted messages; these are accepted while the worker is stopped, so that both parts of a send
 * are known.
 */
const loadGenerator = fileURLToPath(new URL('load.mjs', import.meta.url));
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    recipients: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '15' },
    many: { type: 'string', default: '350' },
  },
});
const total = Number(values.recipients);
const perCall = 1_000;
const { mapping, body: templateBody } = messageTypes.template;
const { template_name, language, variables } = JSON.parse(templateBody);

await measureProduct({ store: values.store }, async (group, product, services) => {
  const dashboard = await openDashboard(product);
  const permissions = ['manage_campaigns', 'view_messages', 'manage_contacts'];
  const key = await makeKey(dashboard, { name: 'campaign', permissions });
  const [paced] = await makeNumbers(dashboard, product, { perSecond: 1 });
  const pacedKey = await makeKey(dashboard, { name: 'paced', permissions, accountId: paced });
  await mapTemplate(product.databaseUrl, mapping);

  const database = new pg.Client(product.databaseUrl);
  await database.connect();
  const result = {
    ...(total > 0 && (await largeOnes())),
    ...(await manyAtOnce(key, Number(values.many))),
    ...(await importOptOuts(key)),
  };
  await database.end();
  return result;

  async function largeOnes() {
    const accepting = await sendsOf(key);
    const memory = watchMemory({ api: product.apiPid, worker: product.workerPid });
    const beforeUpload = readCpu();
    const large = await upload(key, total);
    const beforeRun = readCpu();
    const startedAt = performance.now();
    await call(key, `/${large.id}/start`, {});
    const { counts } = await completed(key, large.id);
    const runSeconds = (performance.now() - startedAt) / 1_000;
    const afterRun = readCpu();
    const peaks = memory.stop();
    const uploadMs = (beforeRun - beforeUpload) / total;
    const releaseMs = (afterRun - beforeRun) / total - accepting.sendingMs;

    await singles(pacedKey);
    const alone = await singles(pacedKey);
    const beside = await upload(pacedKey, 80 * (Number(values.seconds) + 20));
    await call(pacedKey, `/${beside.id}/start`, {});
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const besides = await singles(pacedKey);
    const { rate, status } = (await call(pacedKey, `/${beside.id}`)).campaign;
    return {
      recipients: total,
      upload_seconds: round(large.seconds, 1),
      run_seconds: round(runSeconds, 1),
      sent_per_second: Math.round(total / runSeconds),
      failed: counts.failed,
      unconfirmed: counts.unconfirmed,
      upload_cpu_ms: round(uploadMs, 3),
      release_cpu_ms: round(releaseMs, 3),
      send_cpu_ms: round(accepting.acceptingMs + accepting.sendingMs, 3),
      share_of_a_send: round(
        (uploadMs + releaseMs) / (accepting.acceptingMs + accepting.sendingMs),
        2,
      ),
      peak_mib: peaks,
      campaign: status,
      campaign_rate: round(rate ?? 0, 1),
      alone_p50_ms: round(percentile(alone, 0.5), 1),
      alone_p99_ms: round(percentile(alone, 0.99), 1),
      beside_p50_ms: round(percentile(besides, 0.5), 1),
      beside_p99_ms: round(percentile(besides, 0.99), 1),
    };
  }

  /** Campaigns at a recipient a second each, and twenty messages for one moment in their middle. */
  async function manyAtOnce(apiKey, count) {
    const seconds = 20;
    const sendAt = new Date(Date.now() + 75_000).toISOString();
    for (let index = 0; index < 20; index += 1) {
      const message = { to: `+49341${index}00000`, body: 'Later', send_at: sendAt };
      await callApi(apiKey, '/messages/text', message);
    }
    const ids = [];
    for (let index = 0; index < count; index += 1) {
      const { campaign } = await call(apiKey, '', {
        name: `many ${index}`,
        template_name,
        language,
        per_second: 1,
      });
      const recipients = Array.from({ length: 60 }, (_, nth) => ({
        to: `+4935${String(index * 60 + nth).padStart(8, '0')}`,
        variables,
      }));
      await call(apiKey, `/${campaign.id}/recipients`, { recipients });
      ids.push(campaign.id);
    }
    const until = Date.parse(sendAt) - seconds * 500 - 5_000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - Date.now())));
    await Promise.all(ids.map((id) => call(apiKey, `/${id}/start`, {})));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const [{ from }] = (await database.query('select now()::text as from')).rows;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const [{ released }] = (
      await database.query(
        `select count(*)::int as released from campaign_recipients
         where released_at >= $1::timestamptz and released_at < $1::timestamptz + make_interval(secs => $2)`,
        [from, seconds],
      )
    ).rows;
    const late = await database.query(
      `select extract(epoch from sending_at - send_at)::float8 * 1000 as ms from messages
       where send_at is not null order by 1`,
    );
    for (const id of ids) await call(apiKey, `/${id}/cancel`, {});
    return {
      many_campaigns: count,
      many_per_second: round(released / seconds, 1),
      scheduled_late_ms_max: round(late.rows.at(-1)?.ms ?? Number.NaN, 0),
      scheduled_sent: late.rows.filter(({ ms }) => ms !== null).length,
    };
  }

  /** How long an import of 1,000 opt-outs takes while 500 ended campaigns with 200 recipients each are kept. */
  async function importOptOuts(apiKey) {
    for (let index = 0; index < 500; index += 1) {
      const { id } = await upload(apiKey, 200);
      await call(apiKey, `/${id}/cancel`, {});
    }
    const items = Array.from({ length: 1_000 }, (_, index) => ({
      phone: `+4933${String(index).padStart(8, '0')}`,
      scope: 'all',
      state: 'opted_out',
    }));
    const startedAt = performance.now();
    await callApi(apiKey, '/contacts/consent/import', { items });
    return { opt_outs_ms: round(performance.now() - startedAt, 0) };
  }

  function readCpu() {
    const { postgresPid, redisPid } = services;
    const own = [product.apiPid, product.workerPid, redisPid].filter((pid) => pid !== undefined);
    return own.reduce((sum, pid) => sum + readCpuMs(pid), readFamilyCpuMs(postgresPid));
  }

  /** What a send that nobody waits for costs, its acceptance and the rest apart, in milliseconds. */
  async function sendsOf(apiKey) {
    await load({ apiKey, type: 'template', isAsync: true, connections: 16, seconds: 5 });
    await sent(apiKey);
    process.kill(product.workerPid, 'SIGSTOP');
    const before = readCpu();
    const { latencies } = await load({
      apiKey,
      type: 'template',
      isAsync: true,
      connections: 16,
      seconds: 8,
    });
    const between = readCpu();
    process.kill(product.workerPid, 'SIGCONT');
    await sent(apiKey);
    const count = latencies.length;
    return { acceptingMs: (between - before) / count, sendingMs: (readCpu() - between) / count };
  }

  /** Waits until no message is queued. */
  async function sent(apiKey) {
    for (;;) {
      const answers = await Promise.all(
        ['queued', 'sending'].map((status) =>
          callApi(apiKey, `/messages?status=${status}&limit=1`),
        ),
      );
      if (answers.every(({ messages }) => messages.length === 0)) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async function upload(apiKey, count) {
    const { campaign } = await call(apiKey, '', { name: 'bench', template_name, language });
    const from = performance.now();
    for (let added = 0; added < count; added += perCall) {
      const recipients = Array.from({ length: Math.min(perCall, count - added) }, (_, index) => ({
        to: `+4933${String(added + index).padStart(8, '0')}`,
        variables,
      }));
      const answer = await call(apiKey, `/${campaign.id}/recipients`, { recipients });
      if (answer.added !== recipients.length) throw new Error(`only ${answer.added} were added`);
    }
    return { id: campaign.id, seconds: (performance.now() - from) / 1_000 };
  }

  async function completed(apiKey, id) {
    for (;;) {
      const { campaign } = await call(apiKey, `/${id}`);
      process.stderr.write(`${JSON.stringify(campaign.counts)}\n`);
      if (campaign.status === 'completed') return campaign;
      if (campaign.status !== 'running') throw new Error(`${campaign.status}: ${campaign.reason}`);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
  }

  function call(apiKey, path, body) {
    return callApi(apiKey, `/campaigns${path}`, body);
  }

  async function callApi(apiKey, path, body) {
    const response = await fetch(`http://127.0.0.1:${product.port}/api/v1/external${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer.error)}`);
    return answer.data;
  }

  /** How long each caller waited, sorted. */
  async function singles(apiKey) {
    const { latencies } = await load({
      apiKey,
      type: 'button',
      connections: 16,
      seconds: Number(values.seconds),
      perSecond: Number(values.rate),
    });
    return latencies.sort();
  }

  async function load({ apiKey, type, isAsync = false, connections, seconds, perSecond }) {
    const { path, body } = messageTypes[type];
    const headers = { 'X-API-Key': apiKey, ...(isAsync && { Prefer: 'respond-async' }) };
    const plan = JSON.stringify({
      path,
      requests: [{ headers, body }],
      ...(isAsync && { status: 202 }),
      success: isAsync ? '"status":"queued"' : '"status":"sent"',
      connections,
      port: product.port,
      perSecond,
      warmUpMs: 0,
      measureMs: seconds * 1_000,
    });
    const line = await group.run('load', process.execPath, [loadGenerator], {}, plan);
    const { latencies, failed, failures } = JSON.parse(line);
    if (failed > 0) throw new Error(`not a valid run: ${failures.join('; ')}`);
    return { latencies: decodeFloats(latencies) };
  }
});
