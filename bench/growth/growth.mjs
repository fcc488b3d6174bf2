import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { round } from '../figures.mjs';
import { makeKey, openDashboard } from '../keys.mjs';
import { startInstallation } from '../life/installation.mjs';
import { LifeBenchmark } from '../life/life.mjs';
import { readLifeOptions } from '../life/options.mjs';
import { measureInGroup } from '../measurement.mjs';
import { fillInstallation } from './fill.mjs';
import { readEverything } from './readings.mjs';

/**
 * `node bench/growth/growth.mjs [--store redis|postgres] [--messages 10000000] [--events 30000000] [--contacts 1000000]
 * [--accounts 500] [--rate 200] [--seconds 15] [--turns 2]`, after `npm run build`. It needs 6 kB of disk for each
 * message and its events, and for the sizes above half an hour.
 *
 * What grows with an installation: the processor time of a life, the lag of its events, and each page of the dashboard,
 * first while there is next to nothing, then after filling it by SQL; half of what is filled in belongs to one account.
 * Prints a table to the standard error and one line of JSON.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    messages: { type: 'string', default: '10000000' },
    events: { type: 'string', default: '30000000' },
    contacts: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '500' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
    turns: { type: 'string', default: '2' },
  },
});
const { store, rate } = values;
const [messages, events, contacts, accounts, seconds, turns] = [
  'messages',
  'events',
  'contacts',
  'accounts',
  'seconds',
  'turns',
].map((name) => Number(values[name]));
const options = readLifeOptions(['--store', store, '--rate', rate, '--only', 'life']);
const progress = (text) => process.stderr.write(`${text}\n`);

await measureInGroup({ store, messages, events, contacts, accounts }, async (group, directory) => {
  const installation = await startInstallation(group, options, join(directory, 'own'));
  const { client, product } = installation;
  const dashboard = await openDashboard(product);
  await addAccounts(dashboard, product, client);
  const { rows: keys } = await client.query(
    `select k.id, k.account_id, e.id as endpoint_id
     from api_keys k join webhook_endpoints e on e.api_key_id = k.id and e.name = 'default' order by k.id`,
  );
  const [{ account_id: accountId }] = keys;
  const reader = await makeKey(dashboard, {
    name: 'reader',
    accountId,
    permissions: ['view_messages'],
  });
  const read = {
    accountId,
    ask: (path) => dashboard(path),
    call: async (path) => {
      const url = `http://127.0.0.1:${product.port}/api/v1/external${path}`;
      const answer = await fetch(url, { headers: { 'X-API-Key': reader } });
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    },
  };
  const measure = async () => {
    const benchmark = new LifeBenchmark({ group, options, installation, other: null, progress });
    const lives = await benchmark.measureTurns(turns, { seconds, tailSeconds: 10 });
    if (lives.errors.length > 0) throw new Error(lives.errors.join('; '));
    const { total, api, worker, postgres } = lives.cpu_ms_a_life;
    return {
      'processor ms of a life': round(total, 2),
      'of it API': round(api, 2),
      'of it worker': round(worker, 2),
      'of it PostgreSQL': round(postgres, 2),
      'lag p50 in ms': lives.lag_p50_ms,
      'lag p99 in ms': lives.lag_p99_ms,
      'send p50 in ms': lives.send_p50_ms,
      ...(await group.orFailure(readEverything(read))),
    };
  };

  const empty = await measure();
  const startedAt = performance.now();
  await group.orFailure(fillInstallation(client, keys, { messages, events, contacts }, progress));
  const fillSeconds = round((performance.now() - startedAt) / 1_000, 0);
  const vacuumStartedAt = performance.now();
  await group.orFailure(client.query('vacuum (analyze)'));
  const vacuumSeconds = round((performance.now() - vacuumStartedAt) / 1_000, 1);
  const { rows } = await client.query('select pg_database_size(current_database()) / 1e9 as gb');
  const grown = await measure();

  progress('| what | empty | grown | ratio |\n| --- | --- | --- | --- |');
  for (const [name, before] of Object.entries(empty)) {
    progress(`| ${name} | ${before} | ${grown[name]} | ${round(grown[name] / before, 2)} |`);
  }
  return {
    fill_seconds: fillSeconds,
    second_vacuum_seconds: vacuumSeconds,
    gb: round(Number(rows[0].gb), 1),
    empty,
    grown,
  };
});

/** So many accounts in all, each with a key that hears of its messages. */
async function addAccounts(dashboard, { accessToken }, client) {
  const { rows } = await client.query('select count(*)::int as count from accounts');
  for (let number = rows[0].count; number < accounts; number += 1) {
    const { account } = await dashboard('/accounts', {
      name: `account ${number}`,
      phone_number_id: String(500_000_000_000_001 + number),
      business_account_id: String(600_000_000_000_001 + number),
      display_phone_number: String(15_551_790_001 + number),
      access_token: accessToken,
      app_secret: String(1_000_000_000_000_000 + number),
    });
    const webhookUrl = 'http://127.0.0.1:1/growth';
    await makeKey(dashboard, { name: 'growth', accountId: account.id, webhookUrl });
  }
}
