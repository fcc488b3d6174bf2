import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { hourMs } from '#libs/durations';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, newRecipient, type RequestOptions, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { demoNumber, notification, notify, textMessage } from '../support/webhooks.js';

/** The health of an endpoint that has got nothing. */
const unused = {
  succeeded: 0,
  failed: 0,
  waiting: 0,
  oldest_waiting_at: null,
  last_success_at: null,
  last_failure: null,
};

describe('webhook endpoints of a key', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let operator: Dashboard;
  let accountId: string;
  let number: typeof demoNumber;
  let key: { id: string; key: string };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({ env: { WEBHOOK_RETRY_SECONDS: '0.1,0.1' } });
    operator = await Dashboard.signIn(stack);
  });

  beforeEach(async () => {
    accountId = await addAccount(stack);
    const [account] = await stack.sql('select phone_number_id from accounts where id = $1', [
      accountId,
    ]);
    number = { ...demoNumber, phoneNumberId: account.phone_number_id };
    key = await addApiKey(stack, { accountId });
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  let hooks = 0;
  const newHook = () => `/endpoints/${(hooks += 1)}`;
  const call = (path: string, options: RequestOptions = {}) =>
    stack.request(`/webhooks${path}`, { apiKey: key.key, ...options });
  const create = async (body: object = {}, apiKey = key.key) => {
    const hook = newHook();
    const answer = await call('', {
      method: 'POST',
      body: { url: receiver.url(hook), ...body },
      apiKey,
    });
    return { hook, ...answer, ...answer.body.data };
  };
  const say = (message = textMessage()) =>
    notify(stack, notification({ messages: [message] }, number), { secret: 'secret' });
  const send = (apiKey = key.key) =>
    stack.send('button', buttonMessage({ to: newRecipient() }), {}, { apiKey });
  const failing = async () =>
    (await operator.get('GET', `/overview?account_id=${accountId}`)).failing_endpoints;
  const eventsAt = (hook: string) => receiver.at(hook).map(({ body }) => body.event);
  const idsAt = (hook: string) => receiver.at(hook).map(({ headers }) => headers['webhook-id']);

  it('are made, listed, changed and deleted', async () => {
    expect((await call('')).body.data).toEqual({ webhooks: [], next_cursor: null });
    const made = await create({ events: ['message.status'], statuses: ['failed'] });
    expect(made.secret).toMatch(/^whsec_/);
    const { id } = made.webhook;
    expect(made.webhook).toEqual({
      id: expect.any(String),
      secret: made.secret,
      name: new URL(receiver.url('/')).host,
      url: receiver.url(made.hook),
      format: 'parley',
      events: ['message.status'],
      statuses: ['failed'],
      message_types: null,
      scope: 'key',
      max_in_flight: 64,
      health: unused,
      disabled_at: null,
      disabled_reason: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const changed = await call(`/${id}`, {
      method: 'PATCH',
      body: { name: ' Orders ', statuses: null, max_in_flight: 2 },
    });
    expect(changed.body.data.webhook).toMatchObject({
      name: 'Orders',
      events: ['message.status'],
      statuses: null,
      max_in_flight: 2,
    });
    expect((await call(`/${id}`)).body.data).toEqual(changed.body.data);
    expect((await call('')).body.data).toEqual({
      webhooks: [changed.body.data.webhook],
      next_cursor: null,
    });
    expect((await call(`/${id}`, { method: 'DELETE' })).body.data).toEqual({ deleted: true });
    expect((await call(`/${id}`)).body.error).toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no such webhook endpoint.',
    });
    expect((await call('')).body.data).toEqual({ webhooks: [], next_cursor: null });
  });

  it('include the one that webhook_url sets, named default', async () => {
    const url = receiver.url(newHook());
    await operator.get('PATCH', `/api-keys/${key.id}`, { webhook_url: url });
    const { webhooks } = (await call('')).body.data;
    expect(webhooks).toMatchObject([{ id: key.id, name: 'default', url }]);
    await call(`/${key.id}`, { method: 'PATCH', body: { events: ['message.status'] } });
    const { api_key } = await operator.get('GET', `/api-keys/${key.id}`);
    expect(api_key.webhook).toMatchObject({ url, events: ['message.status'] });
    const renamed = await call(`/${key.id}`, { method: 'PATCH', body: { name: 'Other' } });
    expect(renamed.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { name: expect.any(String) } },
    });
    await call(`/${key.id}`, { method: 'DELETE' });
    expect((await operator.get('GET', `/api-keys/${key.id}`)).api_key.webhook.url).toBeNull();
    await operator.get('PATCH', `/api-keys/${key.id}`, { webhook_url: url });
    expect((await call('')).body.data.webhooks).toHaveLength(1);
  });

  it('get what they have asked for, each event under one id and signed with its own secret', async () => {
    const all = await create();
    const failures = await create({ events: ['message.status'], statuses: ['failed'] });
    const taps = await create({ events: ['message.received'], message_types: ['button'] });
    const texts = await create({ message_types: ['text', 'image'], statuses: ['read'] });
    await send();
    await say();
    await until(() => eventsAt(all.hook).length === 2 && eventsAt(texts.hook).length === 1);
    expect(new Set(eventsAt(all.hook))).toEqual(new Set(['message.received', 'message.status']));
    expect(eventsAt(texts.hook)).toEqual(['message.received']);
    await say(textMessage({ type: 'button', button: { text: 'Yes', payload: 'y' } }));
    const [tap] = await until(() => eventsAt(taps.hook).length === 1 && receiver.at(taps.hook));
    await until(() => eventsAt(all.hook).length === 3);
    expect(idsAt(all.hook)).toContain(tap?.headers['webhook-id']);
    expect(idsAt(all.hook)).toContain(idsAt(texts.hook)[0]);
    expect(receiver.at(all.hook).map(({ raw }) => raw)).toContain(tap?.raw);
    expect(eventsAt(failures.hook)).toEqual([]);
    for (const { hook, secret } of [all, taps, texts]) {
      for (const { raw, headers } of receiver.at(hook)) {
        new Webhook(secret).verify(raw, headers as Record<string, string>);
      }
    }
    expect(() => new Webhook(all.secret).verify(tap?.raw ?? '', tap?.headers as any)).toThrow(
      'No matching signature',
    );
  });

  it('do not wait for one that is dead or one that is slow', async () => {
    const [dead, slow, well] = [await create(), await create({ max_in_flight: 1 }), await create()];
    receiver.react(dead.hook, () => ({ status: 500 }));
    receiver.react(slow.hook, () => ({ status: 200, delayMs: 100 }));
    const count = 6;
    for (let said = 0; said < count; said += 1) await say();
    await until(() => eventsAt(well.hook).length === count);
    await until(() => eventsAt(slow.hook).length === count);
    expect(new Set(idsAt(slow.hook))).toEqual(new Set(idsAt(well.hook)));
    expect(receiver.mostAtOnce(slow.hook)).toBe(1);
    const { health } = await until(async () => {
      const { webhook } = (await call(`/${dead.webhook.id}`)).body.data;
      return webhook.health.failed === count && webhook;
    });
    expect(health).toEqual({
      ...unused,
      failed: count,
      last_failure: { at: expect.any(String), error: expect.any(String), status_code: 500 },
    });
    const listed = (await call('')).body.data.webhooks;
    expect(listed.map((webhook: any) => webhook.health.succeeded)).toEqual([0, count, count]);
    // What the dead one has missed comes when it is back.
    receiver.react(dead.hook, () => ({ status: 200 }));
    const since = new Date(Date.now() - 60_000).toISOString();
    const recovered = await call(`/${dead.webhook.id}/recover`, {
      method: 'POST',
      body: { since },
    });
    expect(recovered.body.data).toEqual({ recovered: count });
  });

  it('tell since when they keep events waiting, and why an attempt failed', async () => {
    const { hook, webhook } = await create({ max_in_flight: 1 });
    const health = async () => (await call(`/${webhook.id}`)).body.data.webhook.health;
    let answers = 0;
    receiver.react(hook, () => ({ status: (answers += 1) === 1 ? 503 : 200, delayMs: 500 }));
    await say();
    await say();
    const { oldest_waiting_at } = await until(async () => {
      const now = await health();
      return now.oldest_waiting_at !== null && now;
    });
    const [{ at }] = await stack.sql(
      'select created_at as at from webhook_endpoints where id = $1',
      [webhook.id],
    );
    expect(Date.parse(oldest_waiting_at)).toBeGreaterThan(at.getTime());
    const after = await until(async () => {
      const now = await health();
      return now.succeeded === 2 && now;
    });
    expect(after).toMatchObject({ failed: 0, waiting: 0, oldest_waiting_at: null });
    expect(after.last_failure).toMatchObject({ status_code: 503 });
    expect(Date.parse(after.last_success_at)).toBeGreaterThan(Date.parse(after.last_failure.at));
    // A success before a redelivery is no failure.
    const { deliveries } = await operator.get('GET', `/webhook-deliveries?key_id=${key.id}`);
    for (const { id } of deliveries) {
      await operator.get('POST', `/webhook-deliveries/${id}/redeliver`);
    }
    await until(() => answers === 5);
    const again = await until(async () => {
      const now = await health();
      return now.succeeded === 2 && now;
    });
    expect(again.last_failure).toEqual(after.last_failure);
  });

  it('listen to other keys of the account if they ask to, and may', async () => {
    const other = await addApiKey(stack, { accountId });
    const foreign = await addApiKey(stack, { accountId: await addAccount(stack) });
    const test = await addApiKey(stack, { accountId, mode: 'test' });
    const wide = await create({ scope: 'account' });
    const own = await create();
    for (const each of [foreign, test]) await send(each.key);
    const { message_id } = (await send(other.key)).body.data;
    const [event] = await until(() => receiver.at(wide.hook).length > 0 && receiver.at(wide.hook));
    expect(event?.body.data.message_id).toBe(message_id);
    await send();
    await until(() => eventsAt(wide.hook).length === 2 && eventsAt(own.hook).length === 1);
    // Without the permission it gets no more than its own key.
    await operator.get('PATCH', `/api-keys/${key.id}`, {
      permissions: ['send_text', 'manage_webhooks'],
    });
    const late = await create({ scope: 'account' });
    expect([late.status, late.body.error.code, late.body.error.details.permission]).toEqual([
      403,
      'PERMISSION_DENIED',
      'view_messages',
    ]);
    await send(other.key);
    const last = (await send()).body.data;
    await until(() => eventsAt(own.hook).length === 2 && eventsAt(wide.hook).length > 2);
    expect(eventsAt(wide.hook)).toHaveLength(3);
    expect(receiver.at(wide.hook).at(-1)?.body.data.message_id).toBe(last.message_id);
  });

  it('hear of answers to messages of other keys if they listen to the account', async () => {
    const other = await addApiKey(stack, { accountId });
    const own = await create();
    const wide = await create({ scope: 'account' });
    const senders = await create({ events: ['message.received'] }, other.key);
    const { message_id } = (await send(other.key)).body.data;
    const [row] = await stack.sql('select platform_message_id as id from messages where id = $1', [
      message_id,
    ]);
    await say(textMessage({ context: { id: row.id } }));
    await until(() => eventsAt(senders.hook).length === 1);
    await until(() => eventsAt(wide.hook).includes('message.received'));
    expect(eventsAt(own.hook)).not.toContain('message.received');
  });

  it('are ten for a key at most, the default one included', async () => {
    const url = receiver.url(newHook());
    const made = await Promise.all(Array.from({ length: 12 }, () => create()));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(made.filter(({ status }) => status === 409)).toHaveLength(2);
    const eleventh = await create();
    expect(eleventh.body.error).toMatchObject({ code: 'WEBHOOK_LIMIT', details: { max: 10 } });
    const patch = () => operator.call('PATCH', `/api-keys/${key.id}`, { webhook_url: url });
    expect((await patch()).body.error.code).toBe('WEBHOOK_LIMIT');
    const [first] = (await call('')).body.data.webhooks;
    await call(`/${first.id}`, { method: 'DELETE' });
    expect((await patch()).status).toBe(200);
    expect((await create()).body.error.code).toBe('WEBHOOK_LIMIT');
  });

  it('need attention once three attempts have failed, until one succeeds', async () => {
    const { hook, webhook } = await create();
    receiver.react(hook, () => ({ status: 500 }));
    await say();
    const [first] = await until(async () => (await failing())[0] && (await failing()));
    expect(first).toMatchObject({
      endpoint_id: webhook.id,
      endpoint_name: webhook.name,
      api_key_id: key.id,
      failures: 3,
      since: expect.any(String),
      disabled_at: null,
      reason: null,
    });
    expect(Date.parse(first.off_at) - Date.parse(first.since)).toBe(120 * hourMs);
    receiver.react(hook, () => ({ status: 200 }));
    await call(`/${webhook.id}/test`, { method: 'POST' });
    await until(async () => (await failing()).length === 0);
  });

  it('are switched off when they are gone, and on again on request', async () => {
    const { hook, webhook } = await create();
    receiver.react(hook, () => ({ status: 410 }));
    await say();
    const off = await until(async () => {
      const now = (await call(`/${webhook.id}`)).body.data.webhook;
      return now.disabled_at !== null && now;
    });
    expect(off.disabled_reason).toBe('gone');
    const { alerts } = await operator.get('GET', '/alerts?state=open');
    expect(alerts.find(({ subject }: any) => subject === webhook.id)).toMatchObject({
      kind: 'webhook_disabled',
      details: { api_key_id: key.id, endpoint_id: webhook.id, reason: 'gone' },
    });
    expect(await failing()).toEqual([
      {
        endpoint_id: webhook.id,
        endpoint_name: webhook.name,
        api_key_id: key.id,
        api_key_name: expect.any(String),
        account_id: accountId,
        url: webhook.url,
        failures: 0,
        since: off.disabled_at,
        off_at: null,
        disabled_at: off.disabled_at,
        reason: 'gone',
      },
    ]);
    const test = () => call(`/${webhook.id}/test`, { method: 'POST' });
    expect((await test()).body.error.code).toBe('CONFLICT');
    receiver.react(hook, () => ({ status: 200 }));
    const on = await call(`/${webhook.id}/enable`, { method: 'POST' });
    expect(on.body.data.webhook).toMatchObject({ disabled_at: null, disabled_reason: null });
    const { delivery_id } = (await test()).body.data;
    await until(() => eventsAt(hook).includes('webhook.test'));
    const { delivery } = await operator.get('GET', `/webhook-deliveries/${delivery_id}`);
    expect(delivery).toMatchObject({
      endpoint_id: webhook.id,
      endpoint_name: webhook.name,
      api_key_id: key.id,
      url: receiver.url(hook),
    });
  });

  describe('that are made twice with one idempotency key', () => {
    const createOnce = (idempotencyKey: string, body: object = {}, apiKey = key.key) =>
      call('', {
        method: 'POST',
        body: { url: receiver.url('/once'), ...body },
        apiKey,
        headers: { 'Idempotency-Key': idempotencyKey },
      });
    const endpoints = async () => (await call('')).body.data.webhooks;

    it('are one, and the second answer is the first, with its secret', async () => {
      const name = randomUUID();
      const first = await createOnce(name);
      await call(`/${first.body.data.webhook.id}`, { method: 'PATCH', body: { name: 'Other' } });
      const again = await createOnce(name);
      expect([again.status, again.body.data]).toEqual([200, first.body.data]);
      expect(again.body.data.webhook.secret).toMatch(/^whsec_/);
      expect(first.headers.has('idempotency-replayed')).toBe(false);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await endpoints()).toHaveLength(1);
      const [{ answer }] = await stack.sql(
        'select answer::text from campaign_replays where key = $1',
        [name],
      );
      expect(answer).not.toContain(first.body.data.secret.slice(0, 20));
    });

    it('are one when both requests come at once', async () => {
      const name = randomUUID();
      const answers = await Promise.all(Array.from({ length: 10 }, () => createOnce(name)));
      expect(new Set(answers.map(({ body }) => body.data.secret)).size).toBe(1);
      expect(await endpoints()).toHaveLength(1);
    });

    it('are refused with another body', async () => {
      const name = randomUUID();
      await createOnce(name);
      const other = await createOnce(name, { name: 'Other' });
      expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(await endpoints()).toHaveLength(1);
    });

    it('are answered on a day that is used up', async () => {
      key = await addApiKey(stack, { accountId, dailyLimit: 1 });
      const name = randomUUID();
      const first = await createOnce(name);
      expect((await createOnce(randomUUID())).body.error.code).toBe('DAILY_LIMIT_EXCEEDED');
      expect((await createOnce(name)).body.data).toEqual(first.body.data);
    });

    it('may be tested and switched on under a key, which changes nothing; rotations and files refuse it', async () => {
      const { id } = (await createOnce(randomUUID())).body.data.webhook;
      const headers = { 'Idempotency-Key': randomUUID() };
      const post = (path: string) =>
        stack.request(path, { method: 'POST', apiKey: key.key, headers });
      const tests = [await post(`/webhooks/${id}/test`), await post(`/webhooks/${id}/test`)];
      expect(new Set(tests.map(({ body }) => body.data.delivery_id)).size).toBe(2);
      expect((await post(`/webhooks/${id}/enable`)).status).toBe(200);
      for (const path of [`/webhooks/${id}/rotate-secret`, '/media']) {
        const { status, body } = await post(path);
        expect([status, body.error.code, body.error.details.fields]).toEqual([
          400,
          'VALIDATION_ERROR',
          { 'Idempotency-Key': 'does not work on this route; leave it out' },
        ]);
      }
    });

    it('have the first secret as long as it signs, and none when it is gone', async () => {
      const name = randomUUID();
      const { webhook, secret } = (await createOnce(name)).body.data;
      const rotate = () => call(`/${webhook.id}/rotate-secret`, { method: 'POST' });
      await rotate();
      expect((await createOnce(name)).body.data.secret).toBe(secret);
      await rotate();
      await rotate();
      const { status, body } = await createOnce(name);
      expect({ status, error: body.error }).toEqual({
        status: 409,
        error: {
          code: 'CONFLICT',
          message: expect.stringContaining('Rotate the secret'),
          details: { endpoint_id: webhook.id },
        },
      });
      await call(`/${webhook.id}`, { method: 'DELETE' });
      expect((await createOnce(name)).body.error).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('was deleted'),
      });
    });
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const { hook, webhook, secret } = await create();
    const rotated = await call(`/${webhook.id}/rotate-secret`, { method: 'POST' });
    expect(rotated.body.data.webhook.id).toBe(webhook.id);
    await say();
    const [event] = await until(() => receiver.at(hook).length > 0 && receiver.at(hook));
    for (const each of [secret, rotated.body.data.secret]) {
      new Webhook(each).verify(event?.raw ?? '', event?.headers as Record<string, string>);
    }
    const [{ hours }] = await stack.sql(
      `select round(extract(epoch from previous_expires_at - now()) / 3600)::int as hours
       from webhook_endpoints where id = $1`,
      [webhook.id],
    );
    expect(hours).toBe(24);
  });

  it('end with their key: what waits for them is not delivered', async () => {
    const { hook, webhook } = await create();
    receiver.react(hook, () => ({ status: 500 }));
    await say();
    await until(() => eventsAt(hook).length > 0);
    await operator.get('DELETE', `/api-keys/${key.id}`);
    const open = () => stack.sql('select from open_events where endpoint_id = $1', [webhook.id]);
    await until(async () => (await open()).length === 0);
    expect(
      await stack.sql('select from webhook_endpoints where api_key_id = $1', [key.id]),
    ).toEqual([]);
  });

  it('belong to their key: another one does not see them', async () => {
    const { webhook } = await create();
    const { key: apiKey } = await addApiKey(stack, { accountId });
    const calls = [
      call(`/${webhook.id}`, { apiKey }),
      call(`/${webhook.id}`, { method: 'PATCH', body: {}, apiKey }),
      call(`/${webhook.id}`, { method: 'DELETE', apiKey }),
      ...['test', 'enable', 'rotate-secret'].map((what) =>
        call(`/${webhook.id}/${what}`, { method: 'POST', apiKey }),
      ),
      call(`/${webhook.id}/recover`, { method: 'POST', body: { since: '2026-01-01' }, apiKey }),
      call('/none'),
    ];
    for (const { body } of await Promise.all(calls)) expect(body.error.code).toBe('NOT_FOUND');
    expect((await call('', { apiKey })).body.data).toEqual({ webhooks: [], next_cursor: null });
  });

  it('need the permission manage_webhooks', async () => {
    const { key: apiKey } = await addApiKey(stack, { accountId, permissions: ['view_messages'] });
    const { status, body } = await call('', { apiKey });
    expect([status, body.error.details]).toEqual([403, { permission: 'manage_webhooks' }]);
  });

  it.each([
    [{ url: undefined }, 'url'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: 'https://user:secret@example.com' }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['message.sent'] }, 'events[0]'],
    [{ statuses: ['queued'] }, 'statuses[0]'],
    [{ message_types: ['emoji'] }, 'message_types[0]'],
    [{ scope: 'all' }, 'scope'],
    [{ max_in_flight: 0 }, 'max_in_flight'],
    [{ max_in_flight: 129 }, 'max_in_flight'],
    [{ name: 'default' }, 'name'],
  ])('refuse %j', async (body, field) => {
    const { error } = (await create(body)).body;
    expect([error.code, Object.keys(error.details.fields)]).toEqual(['VALIDATION_ERROR', [field]]);
  });

  it('have entries that say from where a key changed them', async () => {
    const { body } = await create({ url: receiver.url(newHook()), name: 'From a program' });
    const { id } = body.data.webhook;
    await call(`/${id}/test`, { method: 'POST' });
    await call(`/${id}`, { method: 'DELETE' });
    const { entries } = await operator.get('GET', '/audit-log?limit=20');
    const own = entries.filter(({ actor }: any) => actor.startsWith('API key “'));
    expect(own.slice(0, 3).map(({ action, address }: any) => [action, address])).toEqual([
      ['api_key.endpoint_deleted', '127.0.0.1'],
      ['api_key.webhook_tested', '127.0.0.1'],
      ['api_key.endpoint_created', '127.0.0.1'],
    ]);
  });

  it('are managed in the dashboard, too', async () => {
    const path = `/api-keys/${key.id}/webhooks`;
    const hook = newHook();
    const made = await operator.get('POST', path, { url: receiver.url(hook), name: 'Orders' });
    expect(made.secret).toMatch(/^whsec_/);
    const at = `${path}/${made.webhook.id}`;
    const { secret: _, ...listed } = made.webhook;
    expect((await operator.get('GET', path)).webhooks).toEqual([listed]);
    expect((await operator.get('PATCH', at, { events: null })).webhook.name).toBe('Orders');
    await operator.get('POST', `${at}/test`);
    await until(() => eventsAt(hook).includes('webhook.test'));
    expect((await operator.get('POST', `${at}/rotate-secret`)).secret).not.toBe(made.secret);
    expect((await operator.get('POST', `${at}/enable`)).webhook.disabled_at).toBeNull();
    const since = new Date().toISOString();
    expect(await operator.get('POST', `${at}/recover`, { since })).toEqual({ recovered: 0 });
    expect(await operator.get('DELETE', at)).toEqual({ deleted: true });
    const { entries } = await operator.get('GET', `/audit-log?limit=20`);
    const own = entries.filter(({ subject_id }: any) => subject_id === key.id);
    expect(own.map(({ action }: any) => action)).toEqual([
      'api_key.endpoint_deleted',
      'api_key.webhook_recovered',
      'api_key.endpoint_enabled',
      'api_key.endpoint_secret_rotated',
      'api_key.webhook_tested',
      'api_key.endpoint_updated',
      'api_key.endpoint_created',
    ]);
  });
});
