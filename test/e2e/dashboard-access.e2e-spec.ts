import {
  comparable,
  Dashboard,
  neighbour,
  newKey,
  newUser,
  password,
} from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { dashboardRoutes } from '../support/routes.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { codeOf } from '../support/totp.js';

const unknownId = '01a1fe24-d4ba-71e8-a502-760746519a21';

interface Route {
  readonly route: string;
  /** Only operators may use it. */
  readonly isOperators?: boolean;
  /** What of one account it names; `null` names nothing. */
  readonly names?: 'key' | 'message' | 'alert' | 'contact' | 'user';
  readonly body?: (id: string) => Record<string, unknown>;
}

const key = { names: 'key' } as const;

/** Every route of the dashboard behind the sign-in. A route that is missing here fails a test. */
const routes: readonly Route[] = [
  { route: 'GET /session' },
  { route: 'DELETE /session' },
  { route: 'DELETE /sessions' },
  { route: 'POST /session/password', body: () => ({}) },
  { route: 'POST /me/totp', body: () => ({}) },
  { route: 'POST /me/totp/confirm', body: () => ({}) },
  { route: 'DELETE /me/totp', body: () => ({}) },
  { route: 'GET /overview' },
  { route: 'GET /outcomes' },
  { route: 'GET /search' },
  { route: 'GET /api-keys' },
  { route: 'POST /api-keys', body: () => ({}) },
  { route: 'GET /api-keys/:id', ...key },
  { route: 'PATCH /api-keys/:id', ...key, body: () => ({ description: 'taken over' }) },
  { route: 'DELETE /api-keys/:id', ...key },
  { route: 'GET /api-keys/:id/usage', ...key },
  { route: 'POST /api-keys/:id/revoke', ...key },
  {
    route: 'POST /api-keys/:id/suspend',
    ...key,
    isOperators: true,
    body: () => ({ reason: 'abuse' }),
  },
  { route: 'POST /api-keys/:id/reinstate', ...key, isOperators: true },
  { route: 'POST /api-keys/:id/keep-bodies', ...key, body: () => ({ minutes: 60 }) },
  { route: 'DELETE /api-keys/:id/keep-bodies', ...key },
  { route: 'POST /api-keys/:id/rotate', ...key },
  { route: 'POST /api-keys/:id/signing-secret/rotate', ...key },
  { route: 'POST /api-keys/:id/webhook/rotate-secret', ...key },
  { route: 'POST /api-keys/:id/end-overlap', ...key },
  { route: 'POST /api-keys/:id/webhook/enable', ...key },
  {
    route: 'POST /api-keys/:id/webhook/recover',
    body: () => ({ since: new Date(Date.now() - 60_000).toISOString() }),
  },
  { route: 'GET /api-keys/:id/webhook', ...key },
  { route: 'POST /api-keys/:id/webhook/test' },
  { route: 'GET /api-keys/:id/webhooks', ...key },
  {
    route: 'POST /api-keys/:id/webhooks',
    ...key,
    body: () => ({ url: 'https://example.com/hook' }),
  },
  { route: 'GET /api-keys/:id/webhooks/:endpoint_id' },
  { route: 'PATCH /api-keys/:id/webhooks/:endpoint_id', body: () => ({}) },
  { route: 'DELETE /api-keys/:id/webhooks/:endpoint_id' },
  { route: 'POST /api-keys/:id/webhooks/:endpoint_id/test' },
  { route: 'POST /api-keys/:id/webhooks/:endpoint_id/enable' },
  {
    route: 'POST /api-keys/:id/webhooks/:endpoint_id/recover',
    body: () => ({ since: new Date(Date.now() - 60_000).toISOString() }),
  },
  { route: 'POST /api-keys/:id/webhooks/:endpoint_id/rotate-secret' },
  { route: 'GET /api-keys/:id/template-mappings', ...key },
  { route: 'PUT /api-keys/:id/template-mappings/:template_id', body: () => ({ variables: {} }) },
  { route: 'DELETE /api-keys/:id/template-mappings/:template_id' },
  { route: 'GET /templates' },
  { route: 'GET /templates/:id' },
  { route: 'POST /templates/sync' },
  { route: 'GET /webhook-endpoints' },
  { route: 'GET /webhook-deliveries' },
  { route: 'GET /webhook-deliveries/:id' },
  { route: 'POST /webhook-deliveries/:id/redeliver' },
  { route: 'GET /notifications' },
  { route: 'GET /notifications/:id' },
  { route: 'POST /notifications/:id/retry' },
  { route: 'GET /simulator/messages' },
  { route: 'GET /simulator/phones' },
  { route: 'GET /simulator/conversation' },
  { route: 'POST /simulator/messages/:wamid/reply', body: () => ({ text: 'Hello' }) },
  { route: 'POST /simulator/inbound', body: () => ({ from: '+14155550123', text: 'Hello' }) },
  { route: 'POST /simulator/echoes', body: () => ({ to: '+14155550123', text: 'Hello' }) },
  { route: 'PUT /simulator/number', body: () => ({ standby: false }) },
  { route: 'GET /simulator/user' },
  { route: 'PUT /simulator/user', body: () => ({ phone: '+14155550123', hides_phone: true }) },
  { route: 'POST /simulator/user/new-id', body: () => ({ phone: '+14155550123' }) },
  { route: 'GET /contacts' },
  { route: 'GET /contacts/window' },
  { route: 'GET /contacts/:id', names: 'contact' },
  {
    route: 'PUT /contacts/:id/consent',
    names: 'contact',
    body: () => ({ scope: 'marketing', state: 'opted_out' }),
  },
  { route: 'GET /contacts/consent/export' },
  { route: 'POST /contacts/consent/import', body: () => ({ items: [{}] }) },
  { route: 'GET /messages' },
  { route: 'GET /messages/:uuid', names: 'message' },
  { route: 'POST /messages/:uuid/resend' },
  { route: 'POST /messages/:uuid/cancel' },
  { route: 'GET /campaigns' },
  { route: 'GET /campaigns/:id' },
  { route: 'GET /campaigns/:id/recipients' },
  { route: 'POST /campaigns' },
  { route: 'PATCH /campaigns/:id', body: () => ({ per_second: 5 }) },
  { route: 'POST /campaigns/:id/recipients', body: () => ({ recipients: [{}] }) },
  { route: 'GET /campaigns/:id/estimate' },
  { route: 'POST /campaigns/:id/start' },
  { route: 'POST /campaigns/:id/pause' },
  { route: 'POST /campaigns/:id/resume' },
  { route: 'POST /campaigns/:id/cancel' },
  { route: 'GET /requests' },
  { route: 'GET /requests/:request_id/body' },
  { route: 'GET /alerts' },
  { route: 'POST /alerts/:id/resolve', names: 'alert' },
  {
    route: 'POST /playground',
    ...key,
    body: (id) => ({ api_key_id: id, type: 'button', payload: buttonMessage() }),
  },
  { route: 'GET /accounts', isOperators: true },
  { route: 'POST /accounts', isOperators: true, body: () => ({}) },
  { route: 'GET /accounts/:id', isOperators: true },
  { route: 'PATCH /accounts/:id', isOperators: true, body: () => ({}) },
  { route: 'POST /accounts/:id/check', isOperators: true },
  { route: 'POST /accounts/:id/resume', isOperators: true },
  { route: 'GET /accounts/:id/checklist', isOperators: true },
  { route: 'GET /accounts/:id/health-history', isOperators: true },
  { route: 'POST /accounts/:id/subscribe', isOperators: true },
  { route: 'POST /accounts/:id/register', isOperators: true, body: () => ({ pin: '123456' }) },
  { route: 'GET /users', isOperators: true },
  { route: 'POST /users', isOperators: true, body: () => ({}) },
  { route: 'PATCH /users/:id', isOperators: true, body: () => ({}) },
  { route: 'DELETE /users/:id', isOperators: true },
  { route: 'GET /users/:id/sessions', names: 'user' },
  { route: 'DELETE /users/:id/sessions', names: 'user' },
  { route: 'DELETE /users/:id/sessions/:session_id', names: 'user' },
  { route: 'POST /users/:id/reset-link', isOperators: true },
  { route: 'DELETE /users/:id/totp', isOperators: true },
  { route: 'GET /audit-log' },
];

function requestOf({ route, body }: Route, id = unknownId) {
  const [method = '', path = ''] = route.split(' ');
  return [method, path.replace(/:(id|uuid)/, id), body?.(id)] as const;
}

/** What viewers may do beside reading: look after how they sign in, and try messages out. */
const viewersChanges: ReadonlySet<string> = new Set([
  'DELETE /session',
  'DELETE /sessions',
  'POST /session/password',
  'POST /me/totp',
  'POST /me/totp/confirm',
  'DELETE /me/totp',
  'DELETE /users/:id/sessions',
  'DELETE /users/:id/sessions/:session_id',
  'POST /playground',
  'POST /simulator/messages/:wamid/reply',
  'POST /simulator/inbound',
  'POST /simulator/echoes',
  'PUT /simulator/number',
  'PUT /simulator/user',
  'POST /simulator/user/new-id',
]);

const isRead = ({ route }: Route) => route.startsWith('GET');

describe('access to the dashboard', () => {
  let stack: Stack;
  let operator: Dashboard;
  let administrator: Dashboard;
  let viewer: Dashboard;
  /** What the other account has. */
  const foreign = { accountId: '', key: '', message: '', alert: '', contact: '', user: '' };

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
    administrator = await Dashboard.administratorOf(stack, operator, installation.accountId);
    viewer = await Dashboard.viewerOf(stack, operator, installation.accountId);
    const { accountId, administrator: neighbours } = await neighbour(stack, operator);
    const { user } = await neighbours.get('GET', '/session');
    const created = await operator.newKey({ account_id: accountId });
    const sent = await stack.send('button', buttonMessage(), {}, { apiKey: created.key });
    const [alert] = await stack.sql(
      `insert into alerts (id, account_id, kind, subject, message)
       values (gen_random_uuid(), $1, 'number_paused', 'number', 'paused') returning id`,
      [accountId],
    );
    const [contact] = await stack.sql(
      `insert into contacts (id, account_id, mode, phone)
       values (new_id(), $1, 'live', '+14155550199') returning id`,
      [accountId],
    );
    Object.assign(foreign, {
      accountId,
      key: created.api_key.id,
      message: sent.body.data.message_id,
      alert: alert.id,
      contact: contact.id,
      user: user.id,
    });
  });

  afterAll(() => stack?.stop());

  it('is tried below on every route but signing in and a new password by a link', () => {
    const tried = ['POST /session', 'POST /password-reset', ...routes.map(({ route }) => route)];
    expect(dashboardRoutes().toSorted()).toEqual(tried.toSorted());
  });

  it.each(routes)(
    'is refused without a session, with an API key or none: $route',
    async (route) => {
      const credentials: Record<string, string>[] = [{}, { 'X-API-Key': installation.apiKey }];
      for (const headers of credentials) {
        const { status, body } = await new Dashboard(stack).call(...requestOf(route), { headers });
        expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
      }
    },
  );

  it.each(routes.filter((route) => !isRead(route)))(
    'is refused to a page of another origin: $route',
    async (route) => {
      const headers = { Origin: 'https://evil.example' };
      const { status, body } = await operator.call(...requestOf(route), { headers });
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
    },
  );

  it.each(routes.filter(({ isOperators }) => isOperators))(
    'is refused to administrators and viewers: $route',
    async (route) => {
      for (const user of [administrator, viewer]) {
        const { status, body } = await user.call(...requestOf(route));
        expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
      }
    },
  );

  const ofAccounts = routes.filter(({ isOperators }) => !isOperators);

  it.each(ofAccounts.filter(isRead))(
    'is read by viewers as by administrators: $route',
    async (route) => {
      const [own, others] = [
        await viewer.call(...requestOf(route)),
        await administrator.call(...requestOf(route)),
      ];
      expect([own.status, own.body?.error?.code]).toEqual([
        others.status,
        others.body?.error?.code,
      ]);
      expect(own.status).not.toBe(403);
    },
  );

  it.each(ofAccounts.filter((route) => !isRead(route) && !viewersChanges.has(route.route)))(
    'is refused to viewers, who change nothing: $route',
    async (route) => {
      const { status, body } = await viewer.call(...requestOf(route));
      expect([status, body.error.code, body.error.message]).toEqual([
        403,
        'FORBIDDEN',
        'Viewers read; they change nothing.',
      ]);
    },
  );

  it.each(ofAccounts.filter(({ route }) => viewersChanges.has(route)))(
    'is open to viewers: $route',
    async (route) => {
      const other = await Dashboard.viewerOf(stack, operator, installation.accountId);
      const { status } = await other.call(...requestOf(route));
      expect([200, 400, 404]).toContain(status);
    },
  );

  it('lets viewers change how they sign in', async () => {
    const other = await Dashboard.viewerOf(stack, operator, installation.accountId);
    const { user } = await other.get('GET', '/session');
    const change = { current_password: password, new_password: `${password}!` };
    await other.get('POST', '/session/password', change);
    const next = await Dashboard.signIn(stack, user.email, change.new_password);
    const { secret } = await next.get('POST', '/me/totp', {
      current_password: change.new_password,
    });
    await next.get('POST', '/me/totp/confirm', { totp: codeOf(secret) });
    expect(await next.get('DELETE', `/users/${user.id}/sessions`)).toEqual({ sessions_ended: 1 });
  });

  it.each(ofAccounts.filter(({ names }) => names))(
    'answers a foreign and an unknown id with the same bytes: $route',
    async (route) => {
      const id = foreign[route.names ?? 'key'];
      const before = await stack.sql('select * from api_keys where id = $1', [foreign.key]);
      const [unknown, other] = [
        await administrator.call(...requestOf(route)),
        await administrator.call(...requestOf(route, id)),
      ];
      expect(unknown.status).toBe(404);
      expect(comparable(other)).toBe(comparable(unknown));
      if (isRead(route)) {
        expect(comparable(await viewer.call(...requestOf(route, id)))).toBe(comparable(unknown));
      }
      expect(await stack.sql('select * from api_keys where id = $1', [foreign.key])).toEqual(
        before,
      );
    },
  );

  it.each(routes.filter(({ route, names }) => names && !/DELETE|revoke/.test(route)))(
    'is open to operators for every account: $route',
    async (route) => {
      const answer = await operator.call(...requestOf(route, foreign[route.names ?? 'key']));
      expect(answer.status).toBe(200);
    },
  );

  it.each([
    ['/api-keys', 'API key'],
    ['/templates', 'template'],
    ['/webhook-deliveries', 'delivery'],
    ['/notifications', 'notification'],
    ['/contacts', 'contact'],
    ['/accounts', 'account'],
  ])('says what it is that is not there: GET %s/:id', async (path, what) => {
    for (const id of [unknownId, 'no-uuid']) {
      const { body } = await operator.call('GET', `${path}/${id}`);
      expect(body.error).toMatchObject({
        code: 'NOT_FOUND',
        message: `There is no such ${what}.`,
      });
    }
  });

  it.each(routes.filter(({ route }) => /:id|:uuid/.test(route)))(
    'answers 404 when the id is malformed: $route',
    async (route) => {
      const answer = await operator.call(...requestOf(route, 'no-uuid'));
      expect(answer.status).toBe(404);
    },
  );

  it.each([
    '/overview',
    '/outcomes',
    '/api-keys',
    '/contacts',
    '/messages',
    '/alerts',
    '/audit-log',
  ])('shows administrators and viewers their own account only: GET %s', async (path) => {
    for (const user of [administrator, viewer]) {
      const own = await user.call('GET', path);
      expect(own.status).toBe(200);
      for (const id of Object.values(foreign)) expect(own.text).not.toContain(id);
    }
    const asked = `${path}?account_id=`;
    const [unknown, other] = [
      await administrator.call('GET', asked + unknownId),
      await administrator.call('GET', asked + foreign.accountId),
    ];
    expect(unknown.status).toBe(404);
    expect(comparable(other)).toBe(comparable(unknown));
    const same = await administrator.call('GET', asked + installation.accountId);
    expect(same.status).toBe(200);
  });

  it.each(['/api-keys', '/contacts', '/messages', '/alerts', '/audit-log'])(
    'shows operators all accounts, or the one they ask for: GET %s',
    async (path) => {
      const state = path === '/alerts' ? 'state=all' : '';
      const all = await operator.call('GET', `${path}?${state}`);
      expect(all.text).toContain(foreign.accountId);
      const one = await operator.call(
        'GET',
        `${path}?${state}&account_id=${installation.accountId}`,
      );
      expect(one.text).not.toContain(foreign.accountId);
    },
  );

  it('refuses to make a key of a foreign or unknown account', async () => {
    const [other, unknown, nobodys] = [
      await administrator.call('POST', '/api-keys', newKey({ account_id: foreign.accountId })),
      await administrator.call('POST', '/api-keys', newKey({ account_id: unknownId })),
      await operator.call('POST', '/api-keys', newKey({ account_id: unknownId })),
    ];
    expect(unknown.status).toBe(404);
    expect(comparable(other)).toBe(comparable(unknown));
    expect(comparable(nobodys)).toBe(comparable(unknown));
  });

  it('makes an operator say which of several accounts a key is for', async () => {
    const { status, body } = await operator.call('POST', '/api-keys', newKey());
    expect({ status, fields: body.error.details.fields }).toEqual({
      status: 400,
      fields: { account_id: 'is required: there are several accounts' },
    });
    const own = await administrator.get('POST', '/api-keys', newKey());
    expect(own.api_key.account_id).toBe(installation.accountId);
  });

  it('does not let an administrator lift an operator’s suspension', async () => {
    const { api_key } = await administrator.newKey();
    await operator.get('POST', `/api-keys/${api_key.id}/suspend`, { reason: 'abuse' });
    await administrator.call('PATCH', `/api-keys/${api_key.id}`, { active: true });
    const { api_key: after } = await administrator.get('GET', `/api-keys/${api_key.id}`);
    expect(after).toMatchObject({ state: 'suspended', suspended_reason: 'abuse' });
  });

  it('applies a new role from the next request on', async () => {
    const given = newUser();
    const { user } = await operator.get('POST', '/users', given);
    const other = await Dashboard.signIn(stack, String(given.email), String(given.password));
    expect((await other.call('GET', '/users')).status).toBe(200);
    const change = { role: 'administrator', account_id: installation.accountId };
    await operator.get('PATCH', `/users/${user.id}`, change);
    expect((await other.call('GET', '/users')).status).toBe(403);
    expect((await other.call('GET', `/api-keys/${foreign.key}`)).status).toBe(404);
    await operator.get('PATCH', `/users/${user.id}`, { role: 'viewer' });
    expect((await other.call('GET', '/api-keys')).status).toBe(200);
    expect((await other.call('POST', '/api-keys', newKey())).status).toBe(403);
  });
});
