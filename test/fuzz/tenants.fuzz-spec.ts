import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Dashboard, newAccount, newUser, password } from '../support/dashboard.js';
import { installation, stores } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { sync } from '../support/templates.js';
import { until } from '../support/until.js';
import { type Call, type CallAnswer, Caller, describeCall } from './answers.js';
import { isDashboard, isExternal, nameOf, pathWith, type Route, routes } from './routes.js';
import { inGroups, report, runs } from './runs.js';
import { dashboardBodies, mapping, sends } from './valid-bodies.js';

/** The mark that is in the name of everything the neighbour has. */
const mark = 'neighbourly';

/** Ids by kind: the neighbour's, or unknown ones. */
type Ids = Readonly<Record<string, string>>;

/**
 * Signing out and changing the password take no id, and would end the session of this test. Links to a new password and
 * second factors take none either; they are limited by address, and each call computes a password's digest.
 */
const isAboutOneself = ({ path }: Route) =>
  /dashboard\/(sessions?(\/password)?|password-reset|me\/totp(\/confirm)?)$/.test(path);

const tried = routes.filter(
  (route) => (isExternal(route) || isDashboard(route)) && !isAboutOneself(route),
);

/** Which id a parameter of a path most likely names. */
function kindOf({ path }: Route, name: string): string {
  if (name !== 'id') return { uuid: 'message', template_id: 'template' }[name] ?? name;
  const [, area = ''] = /\/(\w[\w-]*)\/\{id\}/.exec(path) ?? [];
  return (
    {
      accounts: 'account',
      alerts: 'alert',
      'api-keys': 'key',
      campaigns: 'campaign',
      media: 'media',
      notifications: 'notification',
      users: 'user',
      'webhook-deliveries': 'delivery',
    }[area] ?? 'key'
  );
}

describe('an account', () => {
  let stack: Stack;
  let caller: Caller;
  let administrator: Dashboard;
  let neighbours: Ids;
  let nobodys: Ids;

  beforeAll(async () => {
    stack = await Stack.start({
      store: stores.at(-1),
      // A delivery that fails stays as it is for the length of the suite.
      env: { WEBHOOK_RETRY_SECONDS: '86400', LOG_LEVEL: 'warn' },
    });
    caller = new Caller(stack.apis[0]?.url ?? '');
    const operator = await Dashboard.signIn(stack);
    await sync(operator);
    administrator = await Dashboard.administratorOf(stack, operator, installation.accountId);
    await administrator.newKey({ name: 'own' });
    neighbours = await populate(operator);
    nobodys = Object.fromEntries(
      Object.entries(neighbours).map(([kind, id]) => [kind, strangerOf(id)]),
    );
  });

  afterAll(async () => {
    await caller?.close();
    await stack?.stop();
  });

  /** Gives the neighbour one of everything, each with the mark in it. */
  async function populate(operator: Dashboard): Promise<Ids> {
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
    const email = `${mark}@parley.test`;
    const { user } = await operator.get(
      'POST',
      '/users',
      newUser({ email, role: 'administrator', account_id: account.id }),
    );
    const neighbour = await Dashboard.signIn(stack, email, password);
    // Do both now. The worker would do them later, and that would look like the effect of a call.
    for (const mode of ['live', 'test']) {
      await neighbour.get('POST', `/templates/sync?mode=${mode}`);
    }
    const { templates } = await neighbour.get(
      'GET',
      '/templates?mode=live&name=appointment_reminder',
    );
    const created = await neighbour.newKey({
      name: mark,
      description: mark,
      permissions: ['send_text', 'view_messages', 'view_templates'],
      webhook_url: `http://127.0.0.1:9/${mark}`,
      rate_limit_per_minute: 1_000_000,
    });
    const key = created.api_key.id;
    await neighbour.get('PUT', `/api-keys/${key}/template-mappings/${templates[0].id}`, mapping);
    const sent = await stack.send(
      'button',
      buttonMessage({ to: '+14155550177', reference: mark, body: `${mark}?` }),
      {},
      { apiKey: created.key },
    );
    const message = sent.body.data.message_id;
    const { platform_message_id: wamid } = (
      await stack.get(`/messages/${message}`, { apiKey: created.key })
    ).body.data;
    const { delivery } = await neighbour.get('POST', `/api-keys/${key}/webhook/test`);
    await until(async () => {
      const { deliveries } = await neighbour.get('GET', '/webhook-deliveries');
      return deliveries[0]?.status === 'retrying';
    });
    const [alert] = await stack.sql(
      `insert into alerts (id, account_id, kind, subject, message)
       values (gen_random_uuid(), $1, 'number_paused', $2, $2) returning id`,
      [account.id, mark],
    );
    const [notification] = await stack.sql(
      `insert into notification_events (id, notification_id, event_key, account_id, mode, kind, state,
         error, received_at) values (new_id(), new_id(), $2, $1, 'live', 'message', 'set_aside', $2, now())
       returning id`,
      [account.id, mark],
    );
    await stack.sql(
      `insert into inbound_media (account_id, mode, media_id, file_name) values ($1, 'live', $2, $3)`,
      [account.id, '777000000000777', mark],
    );
    const [campaign] = await stack.sql(
      `insert into campaigns (id, account_id, api_key_id, mode, name, template_name, language, message_events,
         status, send_at, total)
       values (new_id(), $1, $2, 'live', $3, 'hello_world', 'en_US', 'all', 'scheduled',
         now() + interval '1 hour', 1) returning id`,
      [account.id, key, mark],
    );
    await stack.sql(
      `insert into campaign_recipients (campaign_id, position, recipient, address, reference)
       values ($1, 1, '+14155550177', 'to:+14155550177', $2)`,
      [campaign.id, mark],
    );
    return {
      account: account.id,
      campaign: campaign.id,
      user: user.id,
      key,
      template: templates[0].id,
      message,
      wamid,
      delivery: delivery.id,
      alert: alert.id,
      notification: notification.id,
      media: '777000000000777',
      number,
    };
  }

  /** Everything that the neighbour has, without what changes by itself: workers read templates again. */
  async function neighboursRows(): Promise<Readonly<Record<string, string>>> {
    const stable = `(to_jsonb(t) - array['synced_at', 'updated_at', 'version', 'learnt_at'])::text`;
    const mine = (table: string, column = 'account_id') =>
      `(select md5(string_agg(${stable}, ',' order by ${stable})) from ${table} t where ${column} = $1)`;
    const tables = [
      'api_keys',
      'users',
      'templates',
      'messages',
      'open_events',
      'done_events',
      'alerts',
      'campaigns',
    ];
    const [row] = await stack.sql(
      `select ${mine('accounts', 'id')} as accounts,
         ${mine('notification_events')} as notification_events,
         ${mine('inbound_media')} as inbound_media,
         (select md5(string_agg(${stable}, ',' order by ${stable})) from template_mappings t
          join api_keys k on k.id = t.api_key_id where k.account_id = $1) as template_mappings,
         ${tables.map((table) => `${mine(table)} as ${table}`).join(', ')}`,
      [neighbours.account],
    );
    return row;
  }

  /** One call in two forms: about the neighbour's objects, and about unknown ones. */
  function pairs(): fc.Arbitrary<readonly [foreign: Call, unknown: Call]> {
    const kinds = Object.keys(neighbours);
    const bodies = {
      ...sends,
      ...dashboardBodies({
        keyId: 'key',
        templateId: 'template',
        userId: 'user',
        accountId: 'account',
      }),
    };
    return fc
      .record({
        route: fc.constantFrom(...tried),
        // Mostly what the place asks for; sometimes the id of something else.
        kind: fc.oneof(
          { weight: 3, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.constantFrom(...kinds) },
        ),
        query: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...kinds)), { maxLength: 3 }),
        example: fc.nat(10),
        members: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...kinds)), { maxLength: 2 }),
      })
      .map(({ route, kind, query, example, members }) => {
        const call = (ids: Ids): Call => {
          const path = pathWith(
            route.path,
            new Proxy({}, { get: (_, name) => ids[kind ?? kindOf(route, String(name))] }),
          );
          const search = new URLSearchParams();
          for (const [index, of] of query) {
            const name = route.query[index];
            if (name !== undefined) search.append(name, ids[named(name) ?? of] ?? '');
          }
          const examples = bodies[nameOf(route)] ?? [];
          const chosen = examples[example % Math.max(1, examples.length)];
          return {
            method: route.method,
            path: search.size > 0 ? `${path}?${search.toString()}` : path,
            headers: {
              ...(isExternal(route)
                ? { 'x-api-key': installation.apiKey, prefer: 'respond-async' }
                : { cookie: administrator.cookie ?? '' }),
              ...(chosen && { 'content-type': 'application/json' }),
            },
            body: chosen ? Buffer.from(JSON.stringify(bodyWith(chosen, ids, members))) : null,
          };
        };
        return [call(neighbours), call(nobodys)] as const;
      });
  }

  it('has nothing of its neighbour: no row, no change, and no answer that distinguishes a foreign id from an unknown one', async () => {
    const statuses = new Map<number, number>();
    let before = await neighboursRows();
    await inGroups(runs / 2, pairs(), async (group) => {
      const answers = await Promise.all(
        group.map(([foreign, unknown]) =>
          Promise.all([caller.call(foreign), caller.call(unknown)] as const),
        ),
      );
      for (const [foreign] of group) noteWords(foreign);
      for (const [index, [ofForeign, ofUnknown]] of answers.entries()) {
        const [foreign, unknown] = group[index] ?? [];
        if (!foreign || !unknown) continue;
        for (const { status } of [ofForeign, ofUnknown]) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        const fault = leakOf(foreign, ofForeign) ?? differenceOf(ofForeign, ofUnknown);
        if (fault) {
          const both = [describeCall(foreign, ofForeign), describeCall(unknown, ofUnknown)];
          throw new Error(`${fault}:\n${both.join('\n\n')}`);
        }
      }
      const after = await neighboursRows();
      const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
      if (changed.length > 0) {
        const calls = group.map(([{ method, path }]) => `${method} ${path}`).join('\n');
        throw new Error(`one of these changed the neighbour's ${changed.join(', ')}:\n${calls}`);
      }
      before = after;
    });
    const told = [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${count} × ${status}`);
    report(`${tried.length} routes, calls about a neighbour's things: ${told.join(', ')}`);
  });

  /** Ids of the neighbour's that calls have written into messages and names of their own account. */
  const written = new Set<string>();

  function noteWords({ body }: Call): void {
    const text = body?.toString() ?? '';
    for (const id of Object.values(neighbours)) if (text.includes(id)) written.add(id);
  }

  /** What an answer reveals about the neighbour; calls never contain the mark. */
  function leakOf(call: Call, { text }: CallAnswer): string | null {
    const known = [mark, ...Object.values(neighbours)];
    const leak = known.find(
      (word) => text.includes(word) && !call.path.includes(word) && !written.has(word),
    );
    return leak === undefined ? null : `an answer tells ${leak}`;
  }

  function differenceOf(foreign: CallAnswer, unknown: CallAnswer): string | null {
    if (foreign.status !== unknown.status) return 'a foreign id gets another status';
    // Counts and times of one's own things, which change meanwhile; the neighbour's were checked above.
    if (foreign.body?.success && unknown.body?.success) return null;
    return comparable(foreign.text, neighbours) === comparable(unknown.text, nobodys)
      ? null
      : 'a foreign id gets another answer';
  }
});

/** The kind of id that a parameter of a query asks for. */
function named(parameter: string): string | null {
  return (
    { account_id: 'account', key_id: 'key', user_id: 'user', subject_id: 'key' }[parameter] ?? null
  );
}

/** The members of a body that name something, as the neighbour's or as unknown ones. */
function bodyWith(example: object, ids: Ids, members: readonly (readonly [number, string])[]) {
  const body: Record<string, unknown> = { ...example };
  for (const [name, kind] of [
    ['account_id', 'account'],
    ['api_key_id', 'key'],
    ['reply_to', 'message'],
    ['phone_number_id', 'number'],
  ] as const) {
    if (name in body) body[name] = ids[kind];
  }
  if ('text' in body && 'from' in body) body.phone_number_id = ids.number;
  if ('name' in body) body.name = randomUUID();
  const names = Object.keys(body);
  for (const [index, kind] of members) {
    const name = names[index];
    if (name !== undefined) body[name] = ids[kind];
  }
  return body;
}

/** An unknown id of the same form. */
function strangerOf(id: string): string {
  if (/^\d+$/.test(id)) return `9${id.slice(1)}`;
  if (id.startsWith('wamid.')) return `wamid.${'A'.repeat(id.length - 6)}`;
  return id.slice(0, 24) + randomUUID().slice(24);
}

/** An answer without what differs each time, and without the ids that were asked for. */
function comparable(text: string, ids: Ids): string {
  let plain = text
    // Not the field of the same name.
    .replace(/"request_id":"req_[^"]*"/, '')
    .replace(/"rate_limit":\{[^}]*\}/, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
  for (const [kind, id] of Object.entries(ids)) plain = plain.replaceAll(id, `<${kind}>`);
  return plain;
}
