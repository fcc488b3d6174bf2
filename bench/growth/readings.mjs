import { median, round } from '../figures.mjs';

/** What people and programs read. A search is for something that few rows have. */
const pages = {
  Overview: '/overview',
  'Outcomes of a day': '/outcomes?range=24h',
  'Outcomes of 30 days': '/outcomes?range=30d',
  Messages: '/messages',
  'Messages that failed': '/messages?status=failed',
  'Messages to a number': '/messages?q=%2B493010000042',
  'Messages by reference': '/messages?q=order-4242',
  Deliveries: '/webhook-deliveries',
  'Deliveries that failed': '/webhook-deliveries?status=failed',
  'Deliveries of a number': '/webhook-deliveries?q=%2B493010000042',
  Endpoints: '/webhook-endpoints',
  Contacts: '/contacts',
  'Contacts by name': '/contacts?search=person%20a1',
  'Contacts by four digits': '/contacts?search=0042',
  Requests: '/requests',
  Campaigns: '/campaigns',
  'Search of a number': '/search?q=%2B493010000042',
  'Search of a name': '/search?q=person%20a1',
  Keys: '/api-keys',
  Accounts: '/accounts',
  'Audit log': '/audit-log',
};

const times = 7;

/**
 * How long each page of the dashboard and the list of a key takes, once it was read before.
 *
 * @param ask a read of the dashboard's API.
 * @param call a read of a key.
 * @param campaignId a campaign, whose counts are read.
 * @param accountId the account whose pages are read; the others' are those of all accounts.
 * @returns the median in milliseconds, by name.
 */
export async function readEverything({ ask, call, accountId, campaignId }) {
  const taken = {};
  for (const [name, path] of Object.entries(pages)) {
    taken[name] = await medianOf(() => ask(path));
    const own = `${path}${path.includes('?') ? '&' : '?'}account_id=${accountId}`;
    if (name !== 'Accounts') taken[`${name}, one account`] = await medianOf(() => ask(own));
  }
  taken['Counts of a campaign'] = await medianOf(() => ask(`/campaigns/${campaignId}`));
  taken['GET /messages of a key'] = await medianOf(() => call('/messages'));
  return taken;
}

async function medianOf(read) {
  const taken = [];
  for (let time = 0; time < times; time += 1) {
    const startedAt = performance.now();
    await read();
    taken.push(performance.now() - startedAt);
  }
  return round(median(taken.slice(1)), 1);
}
