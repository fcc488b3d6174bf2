import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { percentile, round } from './figures.mjs';
import { makeKey, openDashboard } from './keys.mjs';
import { measureProduct } from './measurement.mjs';
import { messageTypes } from './message-types.mjs';
import { findFreePorts } from './process-group.mjs';

/**
 * `node bench/floods.mjs [--store redis|postgres] [--accounts 400] [--deliveries 1000000] [--seconds 30]
 * [--only forged,searches]`, after `npm run build`.
 *
 * What others wait for while one stranger, user or key floods the installation: sends, lists of messages, sign-ins and
 * readiness, first while nothing else happens, then beside each flood of `flood-sources.mjs`. One API and one worker, as
 * many accounts and finished deliveries as given. Prints one line of JSON: the p99 in milliseconds of each, and the
 * largest ratio to the quiet one. A ratio above 3 is a defect where the machine has processor time left. The 2,000
 * programs of `feeds` connect in one instant, `--only spread_feeds` is without that; see docs/adr/0019-fair-shares.md.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    accounts: { type: 'string', default: '400' },
    deliveries: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '30' },
    only: { type: 'string', default: 'forged,searches,uploads,feeds,endpoints' },
  },
});
const seconds = Number(values.seconds);
const flooder = fileURLToPath(new URL('flood-sources.mjs', import.meta.url));
const { path, body } = messageTypes.button;
const button = { path, body: body.replace('{recipient}', '0123').replace('{reference}', '1') };

/** Calls of the others, with the pause between two of them in milliseconds. */
const everyMs = { send: 50, list: 100, sign_in: 1_000, ready: 100 };

await measureProduct(
  { store: values.store, env: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
  async (group, product) => {
    const dashboard = await openDashboard(product);
    const ids = [];
    for (let number = 0; number < Number(values.accounts); number += 1) {
      const { account } = await dashboard('/accounts', {
        name: `account ${number}`,
        phone_number_id: String(300_000_000_000_001 + number),
        business_account_id: String(400_000_000_000_001 + number),
        display_phone_number: String(15_550_790_001 + number),
        access_token: product.accessToken,
        app_secret: randomBytes(16).toString('hex'),
        messages_per_second: null,
      });
      ids.push(account.id);
    }
    const keyOf = async (accountId, more) => ({
      'X-API-Key': await makeKey(dashboard, {
        name: `bench ${randomBytes(4).toString('hex')}`,
        accountId,
        permissions: ['view_messages', 'send_media', 'manage_webhooks'],
        ...more,
      }),
    });
    const others = await Promise.all(ids.slice(1, 21).map((id) => keyOf(id)));
    const flooding = await keyOf(ids[0]);
    await fill(product.databaseUrl, Number(values.deliveries));
    const [receiverPort] = await findFreePorts(1);
    await prepare(product, [flooding, await keyOf(ids[0])], receiverPort);

    const task = {
      port: product.port,
      headers: flooding,
      cookie: await signIn(product),
      send: button,
      receiverPort,
    };
    await watch(others, Math.min(5, seconds));
    const quiet = await watch(others, seconds);
    const beside = {};
    for (const flood of values.only.split(',')) {
      const input = JSON.stringify({ ...task, flood, seconds: seconds + 2 });
      const flooded = group.run(flood, process.execPath, [flooder], {}, input);
      await group.orFailure(pause(1_000));
      beside[flood] = await watch(others, seconds);
      await flooded;
      process.stderr.write(`${JSON.stringify({ flood, ...beside[flood] })}\n`);
      await group.orFailure(pause(3_000));
    }
    const ratios = Object.values(beside).flatMap((p99s) =>
      Object.keys(everyMs).map((kind) => p99s[kind] / quiet[kind]),
    );
    return { quiet, ...beside, largest_ratio: round(Math.max(...ratios), 2) };

    /** Others go on for a while. @returns the p99 of each kind of call in milliseconds. */
    async function watch(keys, forSeconds) {
      const endsAt = performance.now() + forSeconds * 1_000;
      const took = Object.fromEntries(Object.keys(everyMs).map((kind) => [kind, []]));
      const calls = {
        send: (key) => call(product, 'POST', button.path, { headers: key, body: button.body }),
        list: (key) => call(product, 'GET', '/api/v1/external/messages', { headers: key }),
        sign_in: () =>
          call(product, 'POST', '/api/v1/dashboard/session', {
            body: JSON.stringify(product.admin),
          }),
        ready: () => call(product, 'GET', '/health/ready', {}),
      };
      await group.orFailure(
        Promise.all(
          Object.entries(calls).map(async ([kind, work]) => {
            const running = [];
            for (let turn = 0; performance.now() < endsAt; turn += 1) {
              const startedAt = performance.now();
              running.push(
                work(keys[turn % keys.length]).then(() =>
                  took[kind].push(performance.now() - startedAt),
                ),
              );
              await pause(everyMs[kind]);
            }
            await Promise.all(running);
          }),
        ),
      );
      return Object.fromEntries(
        Object.entries(took).map(([kind, times]) => [
          kind,
          round(
            percentile(
              times.toSorted((a, b) => a - b),
              0.99,
            ),
            1,
          ),
        ]),
      );
    }
  },
);

/** Finished deliveries of the last day, of every account in turn. */
async function fill(databaseUrl, count) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `with e as materialized (select row_number() over () - 1 as n, count(*) over () as all, id, account_id, mode
       from webhook_endpoints)
     insert into done_events (id, event_id, endpoint_id, account_id, mode, type, body, status, attempts, created_at)
     select uuidv7(make_interval(secs => -86400.0 * (1 - g.n / $1::float8))), gen_random_uuid(), e.id, e.account_id, e.mode,
       'message.status', json_build_object('event', 'message.status', 'data', json_build_object(
         'to', '+4930' || 10000000 + g.n, 'status', 'delivered', 'reference', repeat('x', 200)))::text,
       'succeeded', 1, now() - make_interval(secs => 86400.0 * (1 - g.n / $1::float8))
     from generate_series(1, $1::int) as g (n) join e on e.n = g.n % e.all`,
    [count],
  );
  // As after days of running: otherwise the clean-up of this one insert runs beside a flood.
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}

/** A feed, and endpoints that answer slowly. */
async function prepare(product, keys, receiverPort) {
  const client = new Client({ connectionString: product.databaseUrl });
  await client.connect();
  await client.query('update api_keys set event_feed = true');
  await client.end();
  for (let number = 0; number < 18; number += 1) {
    const url = `http://127.0.0.1:${receiverPort}/${number}`;
    await call(product, 'POST', '/api/v1/external/webhooks', {
      headers: keys[number % keys.length],
      body: JSON.stringify({ url, scope: 'account' }),
    });
  }
}

async function signIn(product) {
  const answer = await call(product, 'POST', '/api/v1/dashboard/session', {
    body: JSON.stringify(product.admin),
  });
  return answer.headers.get('set-cookie').split(';')[0];
}

/** @throws where it is refused: others must not be. */
async function call({ port }, method, path, { headers = {}, body }) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    body,
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer;
}
