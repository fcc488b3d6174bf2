import { Dashboard, neighbour, newAccount, newUser, password } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { insertMessage } from '../support/messages.js';
import { dashboardRoutes } from '../support/routes.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { sync, templateId } from '../support/templates.js';
import { codeOf } from '../support/totp.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

/** What a change is done to. */
interface Things {
  readonly key: string;
  readonly user: string;
  /** A session of that user. */
  readonly session: string;
  readonly account: string;
  readonly template: string;
  readonly delivery: string;
  readonly alert: string;
  readonly contact: string;
  readonly notification: string;
  readonly wamid: string;
  /** A message that WhatsApp refused. */
  readonly refused: string;
  /** A message that waits for its next try. */
  readonly queued: string;
  /** A campaign that waits for its time. */
  readonly campaign: string;
  /** A campaign that is not started. */
  readonly draft: string;
  readonly job: string;
}

type Change = [
  route: string,
  path: (things: Things) => string,
  body: ((things: Things) => object) | undefined,
  /** The entry it writes, or null if it changes nothing that the log covers. */
  entry: string | null,
];

const key = (rest: string) => (things: Things) => `/api-keys/${things.key}${rest}`;
const mapping = (things: Things) => `/api-keys/${things.key}/template-mappings/${things.template}`;
const noBody = undefined;
const aKey = '/api-keys/:id';
const anEndpoint = `${aKey}/webhooks/:endpoint_id`;
/** The default endpoint of the key has its id. */
const draft = (rest: string) => (things: Things) => `/campaigns/${things.draft}${rest}`;
const endpoint = (rest: string) => (things: Things) =>
  `/api-keys/${things.key}/webhooks/${things.key}${rest}`;

/** Every dashboard route that changes something, in an order in which each of them succeeds. */
const changes: Change[] = [
  ['POST /users', () => '/users', () => newUser(), 'user.created'],
  [
    'DELETE /users/:id/sessions/:session_id',
    ({ user, session }) => `/users/${user}/sessions/${session}`,
    noBody,
    'user.session_ended',
  ],
  [
    'DELETE /users/:id/sessions',
    ({ user }) => `/users/${user}/sessions`,
    noBody,
    'user.sessions_ended',
  ],
  [
    'DELETE /users/:id/totp',
    ({ user }) => `/users/${user}/totp`,
    noBody,
    'user.second_factor_removed',
  ],
  [
    'POST /users/:id/reset-link',
    ({ user }) => `/users/${user}/reset-link`,
    noBody,
    'user.reset_link_made',
  ],
  ['PATCH /users/:id', ({ user }) => `/users/${user}`, () => ({ active: false }), 'user.updated'],
  ['DELETE /users/:id', ({ user }) => `/users/${user}`, noBody, 'user.deleted'],
  ['POST /accounts', () => '/accounts', () => newAccount(), 'account.created'],
  [
    'PATCH /accounts/:id',
    ({ account }) => `/accounts/${account}`,
    () => ({ display_phone_number: '+1 555 078 3882' }),
    'account.updated',
  ],
  [
    'POST /accounts/:id/resume',
    ({ account }) => `/accounts/${account}/resume`,
    noBody,
    'account.resumed',
  ],
  ['POST /accounts/:id/check', ({ account }) => `/accounts/${account}/check`, noBody, null],
  [
    'POST /accounts/:id/subscribe',
    ({ account }) => `/accounts/${account}/subscribe`,
    noBody,
    'account.app_subscribed',
  ],
  [
    'POST /accounts/:id/register',
    ({ account }) => `/accounts/${account}/register`,
    () => ({ pin: '123456' }),
    'account.number_registered',
  ],
  ['POST /api-keys', () => '/api-keys', () => named('another'), 'api_key.created'],
  [`PATCH ${aKey}`, key(''), () => ({ description: 'changed' }), 'api_key.updated'],
  [`POST ${aKey}/suspend`, key('/suspend'), () => ({ reason: 'abuse' }), 'api_key.suspended'],
  [`POST ${aKey}/reinstate`, key('/reinstate'), noBody, 'api_key.reinstated'],
  [`POST ${aKey}/keep-bodies`, key('/keep-bodies'), () => ({ minutes: 60 }), 'api_key.bodies_kept'],
  [`DELETE ${aKey}/keep-bodies`, key('/keep-bodies'), noBody, 'api_key.bodies_not_kept'],
  [`POST ${aKey}/rotate`, key('/rotate'), noBody, 'api_key.rotated'],
  [
    `POST ${aKey}/signing-secret/rotate`,
    key('/signing-secret/rotate'),
    noBody,
    'api_key.signing_secret_rotated',
  ],
  [
    `POST ${aKey}/webhook/rotate-secret`,
    key('/webhook/rotate-secret'),
    noBody,
    'api_key.webhook_secret_rotated',
  ],
  [`POST ${aKey}/end-overlap`, key('/end-overlap'), noBody, 'api_key.overlap_ended'],
  [`POST ${aKey}/webhook/test`, key('/webhook/test'), noBody, 'api_key.webhook_tested'],
  [
    `POST ${aKey}/webhook/recover`,
    key('/webhook/recover'),
    () => ({ since: new Date(Date.now() - 60_000).toISOString() }),
    'api_key.webhook_recovered',
  ],
  [
    'POST /webhook-deliveries/:id/redeliver',
    ({ delivery }) => `/webhook-deliveries/${delivery}/redeliver`,
    noBody,
    'api_key.webhook_redelivered',
  ],
  [`POST ${aKey}/webhook/enable`, key('/webhook/enable'), noBody, 'api_key.webhook_enabled'],
  [
    `POST ${aKey}/webhooks`,
    key('/webhooks'),
    () => ({ url: 'https://example.com/hook' }),
    'api_key.endpoint_created',
  ],
  [`PATCH ${anEndpoint}`, endpoint(''), () => ({ max_in_flight: 3 }), 'api_key.endpoint_updated'],
  [
    `POST ${anEndpoint}/rotate-secret`,
    endpoint('/rotate-secret'),
    noBody,
    'api_key.endpoint_secret_rotated',
  ],
  [`POST ${anEndpoint}/test`, endpoint('/test'), noBody, 'api_key.webhook_tested'],
  [
    `POST ${anEndpoint}/recover`,
    endpoint('/recover'),
    () => ({ since: new Date(Date.now() - 60_000).toISOString() }),
    'api_key.webhook_recovered',
  ],
  [`POST ${anEndpoint}/enable`, endpoint('/enable'), noBody, 'api_key.endpoint_enabled'],
  [`DELETE ${anEndpoint}`, endpoint(''), noBody, 'api_key.endpoint_deleted'],
  [
    `PUT ${aKey}/template-mappings/:template_id`,
    mapping,
    () => ({ variables: {} }),
    'template_mapping.saved',
  ],
  [
    'POST /campaigns',
    () => '/campaigns',
    (things) => ({
      name: 'Autumn',
      template_name: 'hello_world',
      language: 'en_US',
      api_key_id: things.key,
    }),
    'campaign.created',
  ],
  ['PATCH /campaigns/:id', draft(''), () => ({ per_second: 5 }), 'campaign.changed'],
  // An upload is many calls. The entry of the start says how many recipients there are.
  [
    'POST /campaigns/:id/recipients',
    draft('/recipients'),
    () => ({ recipients: [{ to: newRecipient() }] }),
    null,
  ],
  ['POST /campaigns/:id/start', draft('/start'), noBody, 'campaign.started'],
  [`DELETE ${aKey}/template-mappings/:template_id`, mapping, noBody, 'template_mapping.deleted'],
  [
    'POST /playground',
    () => '/playground',
    (things) => ({
      mode: 'send',
      type: 'button',
      api_key_id: things.key,
      payload: buttonMessage(),
    }),
    'message.sent_from_playground',
  ],
  [
    'POST /messages/:uuid/resend',
    ({ refused }) => `/messages/${refused}/resend`,
    noBody,
    'message.resent',
  ],
  [
    'POST /messages/:uuid/cancel',
    ({ queued }) => `/messages/${queued}/cancel`,
    noBody,
    'message.cancelled',
  ],
  ...(['pause', 'resume', 'cancel'] as const).map(
    (verb): Change => [
      `POST /campaigns/:id/${verb}`,
      ({ campaign }) => `/campaigns/${campaign}/${verb}`,
      noBody,
      { pause: 'campaign.paused', resume: 'campaign.resumed', cancel: 'campaign.cancelled' }[verb],
    ],
  ),
  [
    'POST /campaigns/:id/retry',
    ({ campaign }) => `/campaigns/${campaign}/retry`,
    () => ({ who: 'rest' }),
    'campaign.sent_to_rest',
  ],
  [
    'POST /jobs/preview',
    () => '/jobs/preview',
    () => ({ kind: 'cancel', filter: { reference: 'nothing has this' } }),
    null,
  ],
  [
    'POST /jobs',
    () => '/jobs',
    () => ({ kind: 'cancel', filter: { reference: 'nothing has this' } }),
    'job.started',
  ],
  ['POST /jobs/:id/stop', ({ job }) => `/jobs/${job}/stop`, noBody, 'job.stopped'],
  [
    'PUT /contacts/:id/consent',
    ({ contact }) => `/contacts/${contact}/consent`,
    () => ({ scope: 'marketing', state: 'opted_out', evidence: 'by phone' }),
    'contact.consent_set',
  ],
  [
    'POST /contacts/consent/import',
    () => `/contacts/consent/import?account_id=${installation.accountId}`,
    () => ({ items: [{ phone: '+14155550124', scope: 'all', state: 'opted_in' }] }),
    'contact.consents_imported',
  ],
  [`POST ${aKey}/revoke`, key('/revoke'), noBody, 'api_key.revoked'],
  [`DELETE ${aKey}`, key(''), noBody, 'api_key.deleted'],
  [
    'PATCH /alerts/:id',
    ({ alert }) => `/alerts/${alert}`,
    () => ({ owner_id: null, muted_until: null }),
    'alert.updated',
  ],
  ['POST /alerts/:id/resolve', ({ alert }) => `/alerts/${alert}/resolve`, noBody, 'alert.resolved'],
  [
    'POST /notifications/:id/retry',
    ({ notification }) => `/notifications/${notification}/retry`,
    noBody,
    'notification.retried',
  ],
  [
    'POST /templates/sync',
    () => `/templates/sync?mode=live&account_id=${installation.accountId}`,
    noBody,
    null,
  ],
  [
    'POST /simulator/messages/:wamid/reply',
    ({ wamid }) => `/simulator/messages/${wamid}/reply`,
    () => ({ button_id: 'yes' }),
    null,
  ],
  [
    'POST /simulator/inbound',
    () => '/simulator/inbound',
    () => ({ from: '+14155550123', text: 'Hello' }),
    null,
  ],
  [
    'POST /simulator/echoes',
    () => '/simulator/echoes',
    () => ({ to: '+14155550123', text: 'Hello' }),
    null,
  ],
  ['PUT /simulator/number', () => '/simulator/number', () => ({ standby: false }), null],
  [
    'PUT /simulator/user',
    () => '/simulator/user',
    () => ({ phone: '+14155550123', username: '@mia' }),
    null,
  ],
  [
    'POST /simulator/user/new-id',
    () => '/simulator/user/new-id',
    () => ({ phone: '+14155550123' }),
    null,
  ],
  [
    'POST /session',
    () => '/session',
    () => ({ email: installation.adminEmail, password: installation.adminPassword }),
    'session.started',
  ],
  [
    'POST /session/password',
    () => '/session/password',
    () => ({ current_password: installation.adminPassword, new_password: password }),
    'user.password_changed',
  ],
  [
    'POST /me/totp',
    () => '/me/totp',
    () => ({ current_password: password }),
    'user.second_factor_begun',
  ],
  [
    'POST /me/totp/confirm',
    () => '/me/totp/confirm',
    () => ({ totp: codeOf(totpSecret) }),
    'user.second_factor_on',
  ],
  [
    'DELETE /me/totp',
    () => '/me/totp',
    () => ({ current_password: password }),
    'user.second_factor_off',
  ],
  ['DELETE /session', () => '/session', noBody, 'session.ended'],
  ['DELETE /sessions', () => '/sessions', noBody, 'session.ended_everywhere'],
  [
    'POST /password-reset',
    () => '/password-reset',
    () => ({ token: linkToken, new_password: `${password}!` }),
    'user.password_reset',
  ],
];

/** The secret of the second factor that the operator is setting up. */
let totpSecret = '';

const linkToken = 'the-token-of-a-link';

function named(name: string): object {
  return { name, permissions: ['send_text'], account_id: installation.accountId };
}

describe('the audit log', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let operator: Dashboard;
  let things: Things;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({ webhooks: true });
    operator = await Dashboard.signIn(stack);
    await sync(operator);
    const created = await operator.newKey({
      webhook_url: receiver.url('/hook'),
      permissions: ['send_text', 'send_template', 'manage_campaigns', 'view_messages'],
    });
    const sent = await stack.send('button', buttonMessage(), {}, { apiKey: created.key });
    const refusedTo = newRecipient();
    await stack.rules.add({ match: { to: refusedTo }, fault: { code: 131_026 }, times: 1 });
    const refused = await stack.send(
      'button',
      buttonMessage({ to: refusedTo, reference: 'refused' }),
      {},
      { apiKey: created.key },
    );
    expect(refused.body.error.code).toBe('MESSAGE_SEND_FAILED');
    const [row] = await stack.sql(`select id from messages where reference = 'refused'`);
    const delivery = await until(async () => {
      const { deliveries } = await operator.get('GET', '/webhook-deliveries');
      return deliveries.find(({ status }: any) => status === 'succeeded')?.id;
    });
    const { user } = await operator.get('POST', '/users', newUser());
    await Dashboard.signIn(stack, user.email, password);
    const { sessions } = await operator.get('GET', `/users/${user.id}/sessions`);
    await stack.sql('update users set totp_confirmed_at = now() where id = $1', [user.id]);
    const { account } = await operator.get('POST', '/accounts', newAccount());
    await stack.sql(
      `update accounts set hold_kind = 'paused', hold_code = 190, hold_reason = 'token',
         hold_until = now() + interval '1 hour' where id = $1`,
      [account.id],
    );
    const [alert] = await stack.sql(
      `insert into alerts (id, account_id, kind, subject, message)
       values (gen_random_uuid(), $1, 'templates_stale', 'templates', 'stale') returning id`,
      [account.id],
    );
    const [notification] = await stack.sql(
      `insert into notification_events (id, notification_id, event_key, account_id, mode, kind, state,
         error, received_at)
       values (new_id(), new_id(), 'key', $1, 'live', 'message', 'set_aside', 'broken', now())
       returning id`,
      [account.id],
    );
    const [contact] = await stack.sql(
      `insert into contacts (id, account_id, mode, phone)
       values (new_id(), $1, 'live', '+14155550199') returning id`,
      [installation.accountId],
    );
    const [campaign, unstarted] = await stack.sql(
      `insert into campaigns (id, account_id, api_key_id, mode, name, template_name, language, message_events,
         status, send_at)
       select new_id(), $1, $2, 'live', 'Spring', 'hello_world', 'en_US', 'all', t.*
       from (values ('scheduled', now() + interval '1 hour'), ('draft', null)) t returning id`,
      [installation.accountId, created.api_key.id],
    );
    await stack.sql(
      `insert into campaign_recipients (campaign_id, position, recipient, address, variables)
       values ($1, 1, '+14155550125', '+14155550125', '{}')`,
      [campaign.id],
    );
    // Nobody works on it yet.
    const [job] = await stack.sql(
      `insert into jobs (id, account_id, kind, filter, state, total, user_name, resume_at)
       values (new_id(), $1, 'cancel', '{"status":"queued"}', 'running', 1, 'somebody', now() + interval '1 hour')
       returning id`,
      [installation.accountId],
    );
    const message = await stack.get(`/messages/${sent.body.data.message_id}`, {
      apiKey: created.key,
    });
    things = {
      key: created.api_key.id,
      user: user.id,
      session: sessions[0].id,
      account: account.id,
      template: await templateId(operator, 'hello_world'),
      delivery,
      alert: alert.id,
      contact: contact.id,
      notification: notification.id,
      wamid: message.body.data.platform_message_id,
      refused: row.id,
      queued: await insertMessage(stack, { nextAttemptIn: 600 }),
      campaign: campaign.id,
      draft: unstarted.id,
      job: job.id,
    };
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  it('is narrowed to a time, and is a file if it is asked for one', async () => {
    const { entries } = await operator.get('GET', `/audit-log?subject_id=${things.key}`);
    const at = new Date(entries[0].at);
    const after = new Date(at.getTime() + 1).toISOString();
    const path = `/audit-log?subject_id=${things.key}&from=${at.toISOString()}&to=${after}`;
    expect((await operator.get('GET', path)).entries).toEqual([entries[0]]);
    const { text } = await operator.call('GET', path, undefined, {
      headers: { accept: 'text/csv' },
    });
    const [heads, line, ...others] = text.trimEnd().split('\r\n');
    expect(heads).toMatch(/^id,at,action,actor,/);
    expect(line).toContain(`${entries[0].id},${entries[0].at},${entries[0].action},`);
    expect(others).toEqual([]);
  });

  describe('for administrators', () => {
    let administrator: Dashboard;
    let accountId: string;
    const entriesFor = async (who: Dashboard, query = ''): Promise<any[]> =>
      (await who.get('GET', `/audit-log${query}`)).entries;

    beforeAll(async () => {
      ({ accountId, administrator } = await neighbour(stack, operator));
      await administrator.newKey({ name: '100%_sure' });
      await administrator.newKey({ name: '100 is sure' });
      await administrator.newKey({ name: 'Ärzte' });
    });

    it('has the entries of their account, with none of the installation and of others', async () => {
      const own = await entriesFor(administrator);
      expect(new Set(own.map((entry) => entry.account_id))).toEqual(new Set([accountId]));
      expect(own.map(({ action }) => action)).toEqual([
        'api_key.created',
        'api_key.created',
        'api_key.created',
        'session.started',
        'user.created',
      ]);
      expect(await entriesFor(operator, `?account_id=${accountId}`)).toHaveLength(own.length);
      const everything = await entriesFor(operator);
      expect(everything.some((entry) => entry.account_id === null)).toBe(true);
      expect(await entriesFor(administrator, `?subject_id=${things.key}`)).toEqual([]);
    });

    it('does not name the account that a user came from', async () => {
      const { user } = await operator.get(
        'POST',
        '/users',
        newUser({ role: 'administrator', account_id: installation.accountId }),
      );
      await operator.get('PATCH', `/users/${user.id}`, {
        account_id: accountId,
        email: `moved-${user.email}`,
      });
      const query = `?subject_id=${user.id}&action=user.updated`;
      const [moved] = await entriesFor(operator, query);
      expect(moved.details.account_id).toEqual({ from: installation.accountId, to: accountId });
      const [shown] = await entriesFor(administrator, query);
      expect(shown).toEqual({ ...moved, details: { email: moved.details.email } });
    });

    it.each([
      ['SURE', ['100 is sure', '100%_sure']],
      ['%_', ['100%_sure']],
      ['0%', ['100%_sure']],
      ['0_', []],
      ['\\%', []],
      ['ÄRZ', ['Ärzte']],
      ['arzte', ['Ärzte']],
    ])('finds names with %s in them', async (q, names) => {
      const found = await entriesFor(administrator, `?q=${encodeURIComponent(q)}`);
      expect(found.map((entry) => entry.subject_name)).toEqual(names);
    });

    it('finds by who did it, beside the other filters, and as a file', async () => {
      const { user } = await administrator.get('GET', '/session');
      const query = `?q=${user.email.slice(0, 12).toUpperCase()}&action=api_key.created`;
      const found = await entriesFor(administrator, query);
      expect(found.map(({ actor }) => actor)).toEqual([user.email, user.email, user.email]);
      const { text } = await administrator.call(
        'GET',
        `/audit-log${query}&to=${found[0].at}`,
        undefined,
        {
          headers: { accept: 'application/x-ndjson' },
        },
      );
      expect(
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual(found.slice(1));
    });

    it('finds by all that the console shows of an entry, and names its endpoint', async () => {
      const { api_key: owner } = await administrator.newKey({ name: 'plain' });
      const { webhook } = await administrator.get('POST', `/api-keys/${owner.id}/webhooks`, {
        name: 'Lager',
        url: 'https://stock.example/hook',
      });
      await administrator.get('PATCH', `/api-keys/${owner.id}/webhooks/${webhook.id}`, {
        max_in_flight: 7,
      });
      await administrator.get('POST', '/jobs', {
        kind: 'redeliver',
        filter: { endpoint_id: webhook.id, status: 'failed' },
      });
      const stock = { id: webhook.id, name: 'Lager', url: 'https://stock.example/hook' };
      for (const [q, actions] of [
        ['stock.EXAMPLE', ['job.started', 'api_key.endpoint_updated', 'api_key.endpoint_created']],
        ['lager', ['job.started', 'api_key.endpoint_updated', 'api_key.endpoint_created']],
        ['Endpoint added', ['api_key.endpoint_created']],
        ['job STARTED', ['job.started']],
        ['redeliver all', ['job.started']],
        ['failed', ['job.started']],
        ['Most events at once', ['api_key.endpoint_updated']],
        // Parts of ids are not shown.
        [webhook.id.slice(0, 13), []],
        [accountId, []],
      ] as const) {
        const found = await entriesFor(administrator, `?q=${encodeURIComponent(q)}`);
        expect([q, found.map(({ action }) => action)]).toEqual([q, actions]);
        for (const entry of found) expect(entry.endpoint).toEqual(stock);
      }
      const byAddress = await entriesFor(administrator, '?q=127.0.0.1&action=job.started');
      expect(byAddress).toHaveLength(1);
    });

    it.each([
      ['a', 'must have at least 2 characters'],
      ['a'.repeat(101), 'must be at most 100 characters; this has 101'],
      ['%20%20', 'must not be blank'],
    ])('refuses the search for %s', async (q, reason) => {
      const { status, body } = await administrator.call('GET', `/audit-log?q=${q}`);
      expect([status, body.error.details.fields]).toEqual([400, { q: reason }]);
    });
  });

  it('covers every dashboard route that changes something', () => {
    const unsafe = dashboardRoutes().filter((route) => !route.startsWith('GET '));
    expect(changes.map(([route]) => route).toSorted()).toEqual(unsafe.toSorted());
  });

  it.each(changes)('has one entry of %s', async (route, path, body, entry) => {
    const [method = ''] = route.split(' ');
    if (route === 'DELETE /sessions') {
      operator = await Dashboard.signIn(stack, installation.adminEmail, password);
    }
    if (entry === 'api_key.webhook_enabled') {
      await stack.sql('update webhook_endpoints set disabled_at = now() where id = $1', [
        things.key,
      ]);
    }
    const known = new Set((await stack.sql('select id from audit_log')).map(({ id }) => id));
    if (route === 'POST /password-reset') {
      await stack.sql(
        `insert into reset_links (user_id, digest, expires_at)
         select id, sha256($2::text::bytea), now() + interval '1 hour' from users where email = $1`,
        [installation.adminEmail, linkToken],
      );
    }
    const data = await operator.get(method, path(things), body?.(things));
    if (entry === 'user.second_factor_begun') totpSecret = data.secret;
    const entries = await stack.sql('select * from audit_log order by id');
    const added = entries.filter(({ id }) => !known.has(id));
    expect(added.map(({ action }) => action)).toEqual(entry === null ? [] : [entry]);
    for (const one of added) {
      expect(one).toMatchObject({ actor: installation.adminEmail, address: '127.0.0.1' });
      expect(JSON.stringify(one)).not.toMatch(/pk_live_\w{40}|sec_|access-token-of|app-secret-of/);
    }
  });

  it.each(['update audit_log set actor = $$x$$', 'delete from audit_log', 'truncate audit_log'])(
    'cannot be changed: %s',
    async (statement) => {
      await expect(stack.sql(statement)).rejects.toThrow('the audit log takes entries');
    },
  );
});
