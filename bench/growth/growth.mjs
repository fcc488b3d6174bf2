import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { round } from '../figures.mjs';
import { makeKey, openDashboard, post } from '../keys.mjs';
import { startInstallation } from '../life/installation.mjs';
import { LifeBenchmark } from '../life/life.mjs';
import { readLifeOptions } from '../life/options.mjs';
import { measureInGroup } from '../measurement.mjs';
import { fillInstallation } from './fill.mjs';
import { readEverything } from './readings.mjs';

/**
 * `node bench/growth/growth.mjs [--store redis|postgres] [--messages 10000000] [--events 30000000] [--contacts 1000000]
 * [--accounts 500] [--recipients 100000] [--rate 200] [--seconds 15] [--turns 2]`, after `npm run build`. It needs 6 kB
 * of disk for each message and its events, and for the sizes above half an hour.
 *
 * What grows with an installation: the processor time of a life, the lag of its events, each page of the dashboard, a
 * campaign's counts, a vacuum, and the end of a month that is no longer kept. First while there is next to nothing, then
 * after filling it by SQL; half of what is filled in belongs to one account.
 * Prints a table to the standard error and one line of JSON.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    messages: { type: 'string', default: '10000000' },
    events: { type: 'string', default: '30000000' },
    contacts: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '500' },
    recipients: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
    turns: { type: 'string', default: '2' },
  },
});
const { store, rate } = values;
const [messages, events, contacts, accounts, recipients, seconds, turns] = [
  'messages',
  'events',
  'contacts',
  'accounts',
  'recipients',
  'seconds',
  'turns',
].map((name) => Number(values[name]));
const options = readLifeOptions(['--store', store, '--rate', rate, '--only', 'life']);
const endOfMonth = 'end of a month in seconds';
const progress = (text) => process.stderr.write(`${text}\n`);

await measureInGroup(
  { store, messages, events, contacts, accounts, recipients },
  async (group, directory) => {
    const installation = await startInstallation(group, options, join(directory, 'own'));
    const { client, product } = installation;
    const dashboard = await openDashboard(product);
    const {
      rows: [{ account_id: accountId }],
    } = await client.query('select account_id from api_keys order by id limit 1');
    const reader = await makeKey(dashboard, {
      name: 'reader',
      accountId,
      permissions: ['view_messages', 'manage_campaigns'],
    });
    const campaignId = await draftCampaign(installation, accountId, reader);
    await addAccounts(dashboard, product, client);
    const { rows: keys } = await client.query(
      `select k.id, k.account_id, e.id as endpoint_id
     from api_keys k join webhook_endpoints e on e.api_key_id = k.id and e.name = 'default' order by k.id`,
    );
    const read = {
      accountId,
      campaignId,
      ask: (path) => dashboard(path),
      call: async (path) => {
        const url = `http://127.0.0.1:${product.port}/api/v1/external${path}`;
        const answer = await fetch(url, { headers: { 'X-API-Key': reader } });
        if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
        await answer.arrayBuffer();
      },
    };
    const endMonth = () =>
      // As upkeep does it, and so far in the future that this month is old.
      secondsOf(() => client.query('select drop_old_partitions(-70)'));
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
        'vacuum in seconds': await secondsOf(() =>
          group.orFailure(client.query('vacuum (analyze)')),
        ),
      };
    };

    const monthOfNothing = await endMonth();
    await client.query('select ensure_partitions(3)');
    const empty = { ...(await measure()), [endOfMonth]: monthOfNothing };
    const sizes = { messages, events, contacts, recipients };
    const fillSeconds = await secondsOf(() =>
      group.orFailure(fillInstallation(client, { keys, campaignId }, sizes, progress)),
    );
    const { rows } = await client.query('select pg_database_size(current_database()) / 1e9 as gb');
    const grown = await measure();
    // Last, because it takes all the rest away.
    grown[endOfMonth] = await endMonth();

    progress('| what | empty | grown | ratio |\n| --- | --- | --- | --- |');
    for (const [name, before] of Object.entries(empty)) {
      progress(`| ${name} | ${before} | ${grown[name]} | ${round(grown[name] / before, 2)} |`);
    }
    return {
      fill_seconds: fillSeconds,
      gb: round(Number(rows[0].gb), 1),
      empty,
      grown,
    };
  },
);

/** A campaign with one recipient, whose row is copied. Its template is written here: the platform of lives has none. */
async function draftCampaign({ client, product }, accountId, apiKey) {
  await client.query(
    `with made as (
      insert into templates (id, account_id, mode, name, language, category, status, parameter_format, components)
      values (uuidv7(), $1, 'live', 'growth', 'en', 'UTILITY', 'APPROVED', 'POSITIONAL', $2) returning *)
     insert into template_mappings (api_key_id, template_id, variables)
     select k.id, made.id, '[]' from made join api_keys k on k.account_id = made.account_id`,
    [accountId, JSON.stringify([{ type: 'BODY', text: 'Your order is on its way.' }])],
  );
  const url = `http://127.0.0.1:${product.port}/api/v1/external/campaigns`;
  const headers = { 'X-API-Key': apiKey };
  const content = { name: 'growth', template_name: 'growth', language: 'en' };
  const made = await post(url, content, headers);
  const { campaign } = (await made.json()).data;
  await post(`${url}/${campaign.id}/recipients`, { recipients: [{ to: '+4940123456' }] }, headers);
  return campaign.id;
}

async function secondsOf(work) {
  const startedAt = performance.now();
  await work();
  return round((performance.now() - startedAt) / 1_000, 2);
}

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
