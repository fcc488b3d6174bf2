import { randomUUID } from 'node:crypto';
import { permissions } from '../../src/access/permissions.js';
import { Dashboard, newAccount, newUser, password } from './dashboard.js';
import { buttonMessage, type Stack } from './stack.js';
import { until } from './until.js';

/** The mark that is in the name of everything the tenant has. */
export const mark = 'neighbourly';

/** A phone that has written to the tenant. */
export const tenantsPhone = '+14155550177';

/** Ids by kind: a tenant's, or unknown ones. */
export type Ids = Readonly<Record<string, string>>;

/** An account that has one of everything. */
export interface Tenant {
  readonly ids: Ids;
  /** Its key with all permissions. */
  readonly apiKey: string;
  readonly administrator: Dashboard;
  readonly viewer: Dashboard;
}

/** The kinds of id that parameters of paths name, by the parameter or by the area before `{id}`. */
const kinds: Readonly<Record<string, string>> = {
  uuid: 'message',
  template_id: 'template',
  endpoint_id: 'endpoint',
  session_id: 'session',
  request_id: 'request',
  wamid: 'wamid',
  account: 'account',
  accounts: 'account',
  alerts: 'alert',
  'api-keys': 'key',
  campaigns: 'campaign',
  contacts: 'contact',
  jobs: 'job',
  media: 'media',
  notifications: 'notification',
  templates: 'template',
  users: 'user',
  'webhook-deliveries': 'delivery',
  webhooks: 'webhook',
};

/** Which id a parameter of a path names. @throws Error for one that is not in the list. */
export function kindOf(path: string, name: string): string {
  const [, area = ''] = /\/(\w[\w-]*)\/\{id\}/.exec(path) ?? [];
  const kind = kinds[name === 'id' ? area : name];
  if (kind === undefined) throw new Error(`name an object for {${name}} of ${path}`);
  return kind;
}

/** Makes an account and gives it one of everything, each with the mark in it. */
export async function addTenant(
  stack: Stack,
  operator: Dashboard,
  mapping: object,
): Promise<Tenant> {
  const number = '300000000000003';
  const business = '400000000000004';
  await stack.control('PUT', 'numbers', {
    phone_number_id: number,
    business_account_id: business,
  });
  const { account } = await operator.get(
    'POST',
    '/accounts',
    newAccount({ name: mark, phone_number_id: number, business_account_id: business }),
  );
  const signIn = async (role: string) => {
    const email = `${mark}-${role}@parley.test`;
    const { user } = await operator.get(
      'POST',
      '/users',
      newUser({ email, role, account_id: account.id }),
    );
    return {
      id: user.id as string,
      email,
      dashboard: await Dashboard.signIn(stack, email, password),
    };
  };
  const { dashboard: administrator } = await signIn('administrator');
  const viewer = await signIn('viewer');
  // One that the viewer does not use.
  await Dashboard.signIn(stack, viewer.email, password);
  const [session] = await stack.sql(
    'select id from sessions where user_id = $1 order by created_at desc limit 1',
    [viewer.id],
  );
  // Do both now. The worker would do them later, and that would look like the effect of a call.
  for (const mode of ['live', 'test']) {
    await administrator.get('POST', `/templates/sync?mode=${mode}`);
  }
  const { templates } = await administrator.get(
    'GET',
    '/templates?mode=live&name=appointment_reminder',
  );
  const created = await administrator.newKey({
    name: mark,
    description: mark,
    permissions,
    webhook_url: `http://127.0.0.1:9/${mark}`,
    rate_limit_per_minute: 1_000_000,
  });
  const apiKey = created.key;
  const key = created.api_key.id;
  await administrator.get('PUT', `/api-keys/${key}/template-mappings/${templates[0].id}`, mapping);
  await administrator.get('POST', `/api-keys/${key}/keep-bodies`, { minutes: 60 });
  const [endpoint, webhook] = [
    await addEndpoint(administrator, key, 'one'),
    await addEndpoint(administrator, key, 'other'),
  ];
  const sent = await stack.send(
    'button',
    buttonMessage({ to: tenantsPhone, reference: mark, body: `${mark}?` }),
    {},
    { apiKey },
  );
  const message = sent.body.data.message_id;
  await until(async () => (await stack.sql('select from request_bodies')).length > 0);
  const { platform_message_id: wamid } = (await stack.get(`/messages/${message}`, { apiKey })).body
    .data;
  const boundary = `b${randomUUID()}`;
  const head = `Content-Disposition: form-data; name="file"; filename="${mark}.pdf"\r\nContent-Type: application/pdf`;
  const uploaded = await stack.request('/media', {
    apiKey,
    method: 'POST',
    body: `--${boundary}\r\n${head}\r\n\r\n%PDF-1.4\n\r\n--${boundary}--\r\n`,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  });
  const { delivery } = await administrator.get('POST', `/api-keys/${key}/webhook/test`);
  const insert = async (statement: string, ...values: unknown[]): Promise<string> => {
    const [row] = await stack.sql(`${statement} returning id`, [account.id, mark, ...values]);
    return row.id;
  };
  const alert = await insert(
    `insert into alerts (id, account_id, kind, subject, message)
     values (gen_random_uuid(), $1, 'number_paused', $2, $2)`,
  );
  const notification = await insert(
    `insert into notification_events (id, notification_id, event_key, account_id, mode, kind, state,
       error, received_at)
     values (new_id(), new_id(), $2, $1, 'live', 'message', 'set_aside', $2, now())`,
  );
  const media = '777000000000777';
  await stack.sql(
    `insert into inbound_media (account_id, mode, media_id, file_name) values ($1, 'live', $2, $3)`,
    [account.id, media, mark],
  );
  const [contact] = await stack.sql(
    `insert into contacts (id, account_id, mode, phone, name)
     values (new_id(), $1, 'live', '+14155550178', $2) returning id`,
    [account.id, mark],
  );
  const campaign = await insert(
    `insert into campaigns (id, account_id, api_key_id, mode, name, template_name, language, message_events,
       status, send_at, total)
     values (new_id(), $1, $3, 'live', $2, 'hello_world', 'en_US', 'all', 'scheduled',
       now() + interval '1 hour', 1)`,
    key,
  );
  await stack.sql(
    `insert into campaign_recipients (campaign_id, position, recipient, address, reference)
     values ($1, 1, $2, 'to:' || $2, $3)`,
    [campaign, tenantsPhone, mark],
  );
  // Nobody works on it yet.
  const [job] = await stack.sql(
    `insert into jobs (id, account_id, kind, filter, state, total, user_name, resume_at)
     values (new_id(), $1, 'cancel', jsonb_build_object('reference', $2::text), 'running', 1, $2, now() + interval '1 hour')
     returning id`,
    [account.id, mark],
  );
  await stack.sql('insert into job_items (job_id, position, subject_id) values ($1, 1, $2)', [
    job.id,
    message,
  ]);
  return {
    ids: {
      account: account.id,
      campaign,
      contact: contact.id,
      job: job.id,
      user: viewer.id,
      session: session.id,
      key,
      endpoint,
      webhook,
      template: templates[0].id,
      message,
      wamid,
      request: sent.body.meta.request_id,
      upload: uploaded.body.data.media_id,
      delivery: delivery.id,
      alert,
      notification,
      media,
      number,
    },
    apiKey,
    administrator,
    viewer: viewer.dashboard,
  };
}

async function addEndpoint(administrator: Dashboard, key: string, name: string): Promise<string> {
  const given = {
    url: `http://127.0.0.1:9/${mark}/${name}`,
    name: `${mark} ${name}`,
    events: ['campaign.status'],
  };
  const { webhook } = await administrator.get('POST', `/api-keys/${key}/webhooks`, given);
  return webhook.id;
}

/** Unknown ids of the same form. */
export const strangersOf = (ids: Ids): Ids =>
  Object.fromEntries(Object.entries(ids).map(([kind, id]) => [kind, strangerOf(id)]));

function strangerOf(id: string): string {
  if (/^\d+$/.test(id)) return `9${id.slice(1)}`;
  if (id.startsWith('wamid.')) return `wamid.${'A'.repeat(id.length - 6)}`;
  return id.slice(0, 24) + randomUUID().slice(24);
}

/** What is counted when somebody calls, and what workers write by themselves. */
const changing: ReadonlySet<string> = new Set([
  'account_notifications',
  'api_key_last_used',
  'api_key_usage',
  'audit_log',
  'endpoint_leases',
  'number_health',
  'outcomes_hourly',
  'pace_buckets',
  'quota_counters',
  'request_bodies',
  'request_log',
  'secret_last_used',
  'template_lookups',
  'template_syncs',
  'usage_hourly',
]);

/** Where a table does not have the account itself: the column that leads to it, and by which table. */
const ways: readonly (readonly [column: string, table: string])[] = [
  ['api_key_id', 'api_keys'],
  ['user_id', 'users'],
  ['campaign_id', 'campaigns'],
  ['contact_id', 'contacts'],
  ['endpoint_id', 'webhook_endpoints'],
  ['job_id', 'jobs'],
];

/** Digests of what an account has, by table: of all tables with live rows of accounts. Workers read templates again. */
export async function rowsOf(stack: Stack, accountId: string): Promise<Record<string, string>> {
  const tables: { name: string; columns: string[] }[] = await stack.sql(
    `select c.relname as name, array_agg(a.attname::text) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname order by c.relname`,
  );
  const stable = `(to_jsonb(t) - array['synced_at', 'updated_at', 'version', 'learnt_at', 'last_seen_at'])::text`;
  const isLive = (columns: readonly string[]) =>
    columns.includes('mode') ? `and mode = 'live'` : '';
  const columnsOf = (table: string) => tables.find(({ name }) => name === table)?.columns ?? [];
  const digests = tables.flatMap(({ name, columns }) => {
    if (changing.has(name)) return [];
    const [column, by = ''] = ways.find(([one]) => columns.includes(one)) ?? [];
    const direct = name === 'accounts' ? 'id' : 'account_id';
    const owner = columns.includes(direct)
      ? `${direct} = $1`
      : column &&
        `${column} in (select id from ${by} where account_id = $1 ${isLive(columnsOf(by))})`;
    if (!owner) return [];
    return `select '${name}' as name, md5(string_agg(${stable}, ',' order by ${stable})) as digest
      from ${name} t where ${owner} ${isLive(columns)}`;
  });
  const rows = await stack.sql(digests.join(' union all '), [accountId]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
