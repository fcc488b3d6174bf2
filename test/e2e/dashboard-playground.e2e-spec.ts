import { newId } from '../../src/database/ids.js';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard, newKey } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, listMessage, newRecipient, Stack } from '../support/stack.js';
import { definitions, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, row) => ({ id: `${from + row}`, title: 'Row' }));

const buttons = (...titles: string[]) => titles.map((title, id) => ({ id: `${id}`, title }));

describe('the playground', () => {
  let stack: Stack;
  let operator: Dashboard;
  let keyId: string;
  let key: string;

  beforeAll(async () => {
    stack = await Stack.start({ env: { SEND_WAIT_MS: '20000' } });
    operator = await Dashboard.signIn(stack);
    const created = await operator.newKey({
      permissions: ['send_text', 'send_media', 'view_messages'],
    });
    keyId = created.api_key.id;
    key = created.key;
  });

  afterAll(() => stack?.stop());

  const run = (change: Record<string, unknown> = {}) =>
    operator.call('POST', '/playground', {
      api_key_id: keyId,
      type: 'button',
      payload: buttonMessage(),
      ...change,
    });

  it('takes test keys only from viewers', async () => {
    const viewer = await Dashboard.viewerOf(stack, operator, installation.accountId);
    const { api_key: live } = await operator.newKey();
    const { api_key: test } = await operator.newKey({ mode: 'test' });
    const to = newRecipient();
    const attempt = (id: string, mode: string) =>
      viewer.call('POST', '/playground', {
        api_key_id: id,
        mode,
        type: 'text',
        payload: { to, body: 'Hello' },
      });
    for (const mode of ['simulate', 'send']) {
      const refused = await attempt(live.id, mode);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect(await stack.ledger(to)).toEqual([]);
    expect((await attempt(test.id, 'simulate')).body.data.valid).toBe(true);
    expect((await attempt(test.id, 'send')).status).toBe(200);
    expect(await stack.ledger(to)).toHaveLength(1);
  });

  it.each([
    ['list', listMessage({ header: 'Delivery 📦', footer: 'Lucky Shrub' })],
    ['button', buttonMessage({ header: { type: 'text', text: 'Parcel' }, reference: 'order-1' })],
    ['text', { body: 'Your parcel', preview_url: true }],
    ['media', { type: 'image', link: 'https://example.com/parcel.jpg', caption: 'Your parcel' }],
  ] as const)('shows exactly what a %s would send, and sends nothing', async (type, message) => {
    const to = newRecipient();
    const { status, body } = await run({ type, payload: { ...message, to } });
    expect({ status, meta: body.meta }).toMatchObject({ status: 200, meta: { warnings: [] } });
    expect(await stack.ledger(to)).toEqual([]);
    const isInteractive = type === 'list' || type === 'button';
    const route = `/messages/${isInteractive ? `interactive/${type}` : type}`;
    const sent = await stack.request(route, { apiKey: key, body: { ...message, to } });
    const [entry] = await stack.ledger(to);
    expect(body.data).toEqual({
      valid: true,
      platform_payload: { ...entry?.body, biz_opaque_callback_data: expect.any(String) },
    });
    expect(sent.status).toBe(200);
  });

  it.each([
    ['list', listMessage({ sections: [{ rows: rows(10) }] }), []],
    [
      'list',
      listMessage({
        sections: [
          { title: 'One', rows: rows(6) },
          { title: 'Two', rows: rows(5, 6) },
        ],
      }),
      [/^sections: .*at most 10 rows.* this has 11/],
    ],
    [
      'list',
      listMessage({ sections: [{ title: 'One', rows: rows(1) }, { rows: rows(1, 1) }] }),
      [/^sections\[1\]\.title: /],
    ],
    ['button', buttonMessage({ buttons: buttons('Yes', 'YES', 'no') }), [/^buttons\[1\]\.title: /]],
    [
      'carousel',
      {
        to: newRecipient(),
        body: 'Our shoes',
        cards: [buttons('Buy', 'More'), buttons('Buy', 'buy')].map((each, card) => ({
          header: { type: 'image', image: { link: 'https://example.com/a.png' } },
          buttons: each.map(({ id, title }) => ({ id: `${card}${id}`, title })),
        })),
      },
      [/^cards\[1\]\.buttons\[1\]\.title: /],
    ],
    ['button', buttonMessage({ buttons: [{ id: ' yes', title: 'Yes' }] }), [/^buttons\[0\]\.id: /]],
  ] as const)('warns of a %s where, and only where, WhatsApp refuses it: %j', async (...given) => {
    const [type, payload, warnings] = given;
    const { status, body } = await run({ type, payload });
    expect({ status, valid: body.data.valid }).toEqual({ status: 200, valid: true });
    expect(body.meta.warnings).toEqual(warnings.map((text) => expect.stringMatching(text)));
    const route = `/messages/interactive/${type}`;
    const real = { apiKey: key, body: payload };
    for (const sent of [
      await run({ mode: 'send', type, payload }),
      await stack.request(route, real),
      await stack.request(route, { ...real, headers: { Prefer: 'respond-async' } }),
    ]) {
      const { error, meta } = sent.body;
      const isRefused = warnings.length > 0 && sent.status !== 202;
      expect(error?.code ?? 'OK').toBe(isRefused ? 'MESSAGE_SEND_FAILED' : 'OK');
      expect(meta.warnings).toEqual(warnings.length > 0 ? body.meta.warnings : undefined);
    }
  });

  it('sends for real when asked to, with the send’s own answer', async () => {
    const to = newRecipient();
    const { status, body } = await run({ mode: 'send', payload: buttonMessage({ to }) });
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: { message_id: expect.any(String), status: 'sent' },
    });
    expect(body.meta.rate_limit).toMatchObject({ limit: 60 });
    expect(await stack.ledger(to)).toHaveLength(1);
    const read = await stack.get(`/messages/${body.data.message_id}`, { apiKey: key });
    expect(read.status).toBe(200);
    const { entries } = await operator.get('GET', `/audit-log?subject_id=${keyId}&limit=1`);
    expect(entries).toMatchObject([{ action: 'message.sent_from_playground' }]);
  });

  it.each([
    ['button', buttonMessage({ buttons: buttons('1', '2', '3', '4') })],
    ['button', buttonMessage({ to: '12345' })],
    ['list', listMessage({ sections: [{ rows: [{ id: 'a', title: 'x'.repeat(25) }] }] })],
    ['list', {}],
  ] as const)('answers a bad %s as its own route does: %j', async (type, payload) => {
    const own = await stack.send(type, payload, {}, { apiKey: key });
    for (const mode of ['simulate', 'send']) {
      const { status, body } = await run({ mode, type, payload });
      expect({ status, error: body.error }).toEqual({ status: 400, error: own.body.error });
    }
  });

  it('says of a simulation what the send would be refused for, and logs no refused send', async () => {
    const { api_key: sender, key: senderKey } = await operator.newKey({
      permissions: ['send_text', 'send_template', 'manage_contacts'],
    });
    await putTemplates(stack, [{ ...definitions.plain, name: 'sale', category: 'MARKETING' }]);
    await sync(operator);
    const to = newRecipient();
    const consent = { phone: to, scope: 'marketing', state: 'opted_out' };
    await stack.request('/contacts/consent', { method: 'PUT', apiKey: senderKey, body: consent });
    const sale = { to, template_name: 'sale', language: 'en_US', components: [] };
    const late = { to, body: 'Late', send_at: '2020-01-01T00:00:00Z' };
    for (const [type, payload, route, code] of [
      ['template', sale, '/messages/template', 'RECIPIENT_OPTED_OUT'],
      ['text', late, '/messages/text', 'VALIDATION_ERROR'],
    ] as const) {
      const own = await stack.request(route, { method: 'POST', apiKey: senderKey, body: payload });
      expect(own.body.error.code).toBe(code);
      for (const mode of ['simulate', 'send']) {
        const { body } = await run({ mode, type, payload, api_key_id: sender.id });
        expect(body.error).toEqual(own.body.error);
      }
    }
    const { entries } = await operator.get('GET', `/audit-log?subject_id=${sender.id}`);
    expect(entries).toMatchObject([{ action: 'api_key.created' }]);
  });

  it.each([
    ['mode', 'dry'],
    ['api_key_id', 'mine'],
    ['api_key_id', undefined],
    ['type', 'fax'],
    ['payload', 'text'],
    ['payload', undefined],
    ['to', '+14155550123'],
  ])('is not run with %s %j', async (field, value) => {
    const { status, body } = await run({ [field]: value });
    expect(status).toBe(400);
    expect(Object.keys(body.error.details.fields)).toEqual([field]);
  });

  it.each([
    ['REVOKED_API_KEY', 401, {}, 'POST', '/revoke', undefined],
    ['SUSPENDED_API_KEY', 401, {}, 'POST', '/suspend', { reason: 'abuse' }],
    ['INVALID_API_KEY', 401, { active: false }, null, '', undefined],
    ['PERMISSION_DENIED', 403, { permissions: ['view_messages'] }, null, '', undefined],
    ['NOT_FOUND', 404, {}, 'DELETE', '', undefined],
  ] as const)('answers %s as a request of the key would', async (...given) => {
    const [code, status, settings, method, action, body] = given;
    const { api_key } = await operator.newKey(settings);
    if (method) await operator.get(method, `/api-keys/${api_key.id}${action}`, body);
    for (const mode of ['simulate', 'send']) {
      const answer = await run({ mode, api_key_id: api_key.id });
      expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status, code });
    }
  });

  it('ignores the address list and the signature rule of the key', async () => {
    const settings = { allowed_ips: ['192.0.2.1'], require_signature: true };
    const { api_key } = await operator.newKey(settings);
    expect((await run({ mode: 'send', api_key_id: api_key.id })).status).toBe(200);
  });

  it('uses the key’s quota: a send counts for the day, a simulation for the minute only', async () => {
    const { api_key } = await operator.newKey({ daily_limit: 1 });
    const id = { api_key_id: api_key.id };
    const dayUsed = async () =>
      (await operator.get('GET', `/api-keys/${api_key.id}/usage`)).day.used;
    for (let runs = 0; runs < 3; runs += 1) {
      await until(async () => (await dayUsed()) === 0);
      expect((await run(id)).status).toBe(200);
    }
    await until(async () => (await dayUsed()) === 0);
    expect((await run({ ...id, mode: 'send' })).status).toBe(200);
    const refused = await run({ ...id, mode: 'send' });
    expect({ status: refused.status, code: refused.body.error.code }).toEqual({
      status: 429,
      code: 'DAILY_LIMIT_EXCEEDED',
    });
  });

  it('sends with a test key to the simulator, in its mode', async () => {
    const { api_key } = await operator.get('POST', '/api-keys', newKey({ mode: 'test' }));
    const { body } = await run({ mode: 'send', api_key_id: api_key.id });
    const message = await operator.get('GET', `/messages/${body.data.message_id}`);
    expect(message).toMatchObject({ mode: 'test', status: 'sent' });
  });
});

describe('what the dashboard shows', () => {
  let stack: Stack;
  let operator: Dashboard;
  let keyId: string;
  let failed: string;

  beforeAll(async () => {
    // Long enough for a busy machine: every send has its outcome before it is answered.
    stack = await Stack.start({ env: { SEND_WAIT_MS: '20000' } });
    operator = await Dashboard.signIn(stack);
    const created = await operator.newKey({ name: 'orders' });
    keyId = created.api_key.id;
    const options = { apiKey: created.key };
    await stack.send('button', buttonMessage(), {}, options);
    await stack.send('list', listMessage({ reference: 'order-7' }), {}, options);
    const refused = await stack.send('button', buttonMessage({ to: '+15550131026' }), {}, options);
    failed = refused.body.error.details.message_id;
    await stack.send('button', buttonMessage({ to: '+15552000002' }), {}, options);
    await stack.send('button', {}, {}, options);
    await operator.newKey({ active: false });
  });

  afterAll(() => stack?.stop());

  it('totals keys, calls of the last 24 hours, messages, failures and the backlog', async () => {
    await until(async () => (await operator.get('GET', '/overview')).calls_last_24h === 5);
    const overview = await operator.get('GET', '/overview');
    expect(overview).toEqual({
      total_keys: 3,
      active_keys: 2,
      calls_last_24h: 5,
      templates_configured: 0,
      templates_approved: expect.any(Number),
      templates_mapped: 0,
      broken_mappings: [],
      failing_endpoints: [],
      backlogs: [],
      calls_by_hour: expect.any(Array),
      fallbacks_last_24h: 0,
      messages_by_status: {
        scheduled: 0,
        queued: 0,
        cancelled: 0,
        sending: 0,
        unconfirmed: 1,
        sent: 2,
        delivered: 0,
        read: 0,
        failed: 1,
      },
      failures_by_code: { 131026: 1 },
      queue: {
        queued: 0,
        oldest_age_seconds: 0,
        unconfirmed: 1,
        unconfirmed_since: expect.any(String),
        unconfirmed_not_resent: { count: 1, since: expect.any(String) },
      },
      alerts: [],
    });
    expect(overview.calls_by_hour).toHaveLength(24);
    const sum = (field: string) =>
      overview.calls_by_hour.reduce((total: number, hour: any) => total + hour[field], 0);
    expect([sum('calls'), sum('refused')]).toEqual([5, 2]);
  });

  it('has a message with its key, its text, what went to WhatsApp and how it went', async () => {
    const message = await operator.get('GET', `/messages/${failed}`);
    expect(message).toMatchObject({
      message_id: failed,
      type: 'button',
      mode: 'live',
      status: 'failed',
      account_id: installation.accountId,
      api_key_id: keyId,
      api_key_name: 'orders',
      text: buttonMessage().body,
      error: { whatsapp_error_code: 131_026 },
      attempts: [
        {
          number: 1,
          started_at: expect.any(String),
          duration_ms: expect.any(Number),
          outcome: expect.any(String),
          http_status: 400,
          error_code: 131_026,
        },
      ],
    });
    expect(message.timeline.map(({ status }: any) => status)).toEqual([
      'queued',
      'sending',
      'failed',
    ]);
    const [entry] = await stack.tries(failed);
    expect(message.platform_payload).toEqual(entry?.body);
  });

  it.each([
    ['type=list', 1],
    ['status=failed', 1],
    ['reference=order-7', 1],
    ['mode=test', 0],
    ['to=%2B14155550123', 2],
    ['type=button&mode=live', 3],
  ])('lists messages by %s', async (filter, count) => {
    const { messages } = await operator.get('GET', `/messages?key_id=${keyId}&${filter}`);
    expect(messages).toHaveLength(count);
  });

  it('lists messages page by page, newest first', async () => {
    const all = await operator.get('GET', '/messages');
    const first = await operator.get('GET', '/messages?limit=3');
    const second = await operator.get('GET', `/messages?limit=3&cursor=${first.next_cursor}`);
    expect([...first.messages, ...second.messages]).toEqual(all.messages);
    expect(second.next_cursor).toBeNull();
  });

  it('keeps the messages of a deleted key, without its name', async () => {
    const { api_key, key } = await operator.newKey();
    const { body } = await stack.send('button', buttonMessage(), {}, { apiKey: key });
    await operator.get('DELETE', `/api-keys/${api_key.id}`);
    const message = await operator.get('GET', `/messages/${body.data.message_id}`);
    expect(message).toMatchObject({ api_key_id: api_key.id, api_key_name: null });
  });

  it('has an alert until it is resolved', async () => {
    const [{ id }] = await stack.sql(
      `insert into alerts (id, account_id, kind, subject, message)
       values (gen_random_uuid(), $1, 'number_paused', 'number', 'paused') returning id`,
      [installation.accountId],
    );
    expect((await operator.get('GET', '/overview')).alerts).toMatchObject([{ id }]);
    const { alert } = await operator.get('POST', `/alerts/${id}/resolve`);
    expect(alert).toMatchObject({ id, resolved_at: expect.any(String) });
    expect((await operator.get('GET', '/alerts')).alerts).toEqual([]);
    const { alerts } = await operator.get('GET', '/alerts?state=resolved');
    expect(alerts).toEqual([alert]);
    expect((await operator.get('POST', `/alerts/${id}/resolve`)).alert).toEqual(alert);
  });

  // Last, because it adds an account and messages.
  describe('of one mode', () => {
    let accountId: string;
    let administrator: Dashboard;

    beforeAll(async () => {
      accountId = await addAccount(stack);
      administrator = await Dashboard.administratorOf(stack, operator, accountId);
      const live = await addApiKey(stack, { accountId });
      const test = await addApiKey(stack, { accountId, mode: 'test' });
      await stack.send('button', buttonMessage(), {}, { apiKey: live.key });
      for (const to of ['+15550131026', newRecipient()]) {
        await stack.send('button', buttonMessage({ to }), {}, { apiKey: test.key });
      }
      for (const { id, status } of [
        { id: live.id, status: 'succeeded' },
        { id: test.id, status: 'failed' },
        { id: test.id, status: 'failed' },
      ]) {
        await stack.sql(
          `insert into done_events (id, event_id, endpoint_id, account_id, mode, type, body, status, attempts, created_at)
           select $1, $1, k.id, k.account_id, k.mode, 'message.received', '{}', $3, 1, now() from api_keys k where k.id = $2`,
          [newId(), id, status],
        );
      }
      await stack.sql(
        `update webhook_endpoints set url = 'https://example.com/' || mode, disabled_at = now() where account_id = $1`,
        [accountId],
      );
      await until(async () => (await overview()).calls_last_24h === 3);
    });

    const overview = (query = '') => administrator.get('GET', `/overview?${query}`);
    const totals = { total_keys: 2, active_keys: 2, calls_last_24h: 3, templates_configured: 0 };

    it.each([
      ['', { sent: 2, failed: 1 }, 3, ['live', 'test']],
      ['mode=live', { sent: 1, failed: 0 }, 1, ['live']],
      ['mode=test', { sent: 1, failed: 1 }, 2, ['test']],
    ])(
      'are its messages, its failures and its calls, beside the totals of both: "%s"',
      async (query, counts, calls, modes) => {
        const seen = await overview(query);
        expect(seen).toMatchObject({
          ...totals,
          messages_by_status: counts,
          queue: { queued: 0, unconfirmed: 0 },
        });
        expect(seen.failures_by_code).toEqual(counts.failed === 0 ? {} : { 131026: 1 });
        const called = seen.calls_by_hour.reduce((sum: number, hour: any) => sum + hour.calls, 0);
        expect(called).toBe(calls);
        const failing = seen.failing_endpoints.map(({ url }: any) => url);
        expect(failing.toSorted()).toEqual(modes.map((mode) => `https://example.com/${mode}`));
        for (const range of ['1h', '24h']) {
          expect(await administrator.get('GET', `/outcomes?range=${range}&${query}`)).toMatchObject(
            counts,
          );
        }
      },
    );

    it.each([
      ['/api-keys', 'api_keys', 1, 1],
      ['/webhook-endpoints', 'endpoints', 1, 1],
      ['/webhook-deliveries', 'deliveries', 1, 2],
      ['/messages', 'messages', 1, 2],
      ['/requests', 'requests', 1, 2],
    ])('are the rows of %s', async (path, name, live, test) => {
      const list = async (mode: string, user = administrator) =>
        (await user.get('GET', `${path}?mode=${mode}`))[name] as { mode: string }[];
      const counted = async (mode: string) => (await list(mode)).filter((row) => row.mode === mode);
      await until(async () => (await counted('test')).length === test);
      expect(await list('live')).toHaveLength(live);
      expect(await list('test')).toHaveLength(test);
      expect(await counted('live')).toHaveLength(live);
    });

    it.each([
      '/overview',
      '/outcomes',
      '/api-keys',
      '/campaigns',
      '/webhook-endpoints',
      '/webhook-deliveries',
      '/notifications',
    ])('are not shown to another account, and no other mode is known: %s', async (path) => {
      const stranger = await Dashboard.administratorOf(stack, operator, await addAccount(stack));
      for (const mode of ['live', 'test']) {
        const seen = await stranger.call('GET', `${path}?mode=${mode}`);
        expect(seen.status).toBe(200);
        expect(seen.text).not.toContain(accountId);
        const asked = await stranger.call('GET', `${path}?mode=${mode}&account_id=${accountId}`);
        expect(asked.body.error.code).toBe('NOT_FOUND');
      }
      const { body } = await stranger.call('GET', `${path}?mode=both`);
      expect(body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { fields: { mode: 'must be live or test' } },
      });
    });
  });
});
