import { webhookEvents } from '../../src/events/event-types.js';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { stores } from '../support/installation.js';
import { withinOneMinute } from '../support/one-minute.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { demoNumber, notification, notify, textMessage } from '../support/webhooks.js';

describe.each(stores)('the feed of events, over %s', (store) => {
  let stack: Stack;
  let operator: Dashboard;
  let accountId: string;
  let number: typeof demoNumber;
  let key: { id: string; key: string };

  beforeAll(async () => {
    stack = await Stack.start({ store });
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

  afterAll(() => stack?.stop());

  const read = (query = '', apiKey = key.key) => stack.request(`/events${query}`, { apiKey });
  const setFeed = (isOn: boolean, id = key.id) =>
    operator.get('PATCH', `/api-keys/${id}`, { event_feed: isOn });
  const send = (apiKey = key.key) =>
    stack.send('button', buttonMessage({ to: newRecipient() }), {}, { apiKey });
  const say = (fields = {}) =>
    notify(stack, notification({ messages: [textMessage(fields)] }, number), { secret: 'secret' });

  it('is a setting of the key, and off at first', async () => {
    expect((await operator.get('GET', `/api-keys/${key.id}`)).api_key.event_feed).toBe(false);
    const off = await read();
    expect([off.status, off.body.error.code]).toEqual([409, 'FEED_STATE']);
    expect((await setFeed(true)).api_key.event_feed).toBe(true);
    expect((await read()).body.data).toEqual({ events: [], next_cursor: expect.any(String) });
  });

  it('has the events since it was switched on, as a webhook of the key gets them', async () => {
    const receiver = await WebhookReceiver.start();
    await send();
    await setFeed(true);
    await stack.request('/webhooks', { body: { url: receiver.url('/feed') }, apiKey: key.key });
    const { message_id } = (await send()).body.data;
    await say();
    const events = await until(async () => {
      const page = (await read('?wait=2')).body.data;
      return page.events.length === 2 && page.events;
    });
    expect(events.map(({ event }: any) => event)).toEqual(['message.status', 'message.received']);
    expect(events[0].data).toMatchObject({ message_id, status: 'sent' });
    const posted = await until(() => receiver.at('/feed').length === 2 && receiver.at('/feed'));
    expect(posted.map(({ headers, body }) => ({ id: headers['webhook-id'], ...body }))).toEqual(
      expect.arrayContaining(events),
    );
    await receiver.close();
  });

  it('needs no webhook: what nobody has asked for goes into the feed', async () => {
    await setFeed(true);
    await say();
    const [event] = (await read('?wait=25')).body.data.events;
    expect(event.event).toBe('message.received');
  });

  it('is read page by page, and of some types', async () => {
    await setFeed(true);
    for (let sent = 0; sent < 3; sent += 1) await send();
    await say();
    const all = await until(async () => {
      const { events } = (await read('?wait=2')).body.data;
      return events.length === 4 && events;
    });
    const pages = [];
    for (let cursor = ''; pages.length < 3; ) {
      const { events, next_cursor } = (await read(`?limit=2${cursor}`)).body.data;
      pages.push(events);
      cursor = `&cursor=${next_cursor}`;
    }
    expect(pages).toEqual([all.slice(0, 2), all.slice(2), []]);
    const received = (await read('?types=message.received,contact.changed')).body.data.events;
    expect(received.map(({ event }: any) => event)).toEqual(['message.received']);
    for (const type of webhookEvents) expect((await read(`?types=${type}`)).status).toBe(200);
    expect((await read('?types=message.received,nothing')).body.error.code).toBe(
      'VALIDATION_ERROR',
    );
  });

  it('waits for the next event', async () => {
    await setFeed(true);
    const { next_cursor } = (await read()).body.data;
    const waiting = read(`?wait=25&cursor=${next_cursor}`);
    await send();
    const { events } = (await waiting).body.data;
    expect(events.map(({ event }: any) => event)).toEqual(['message.status']);
  });

  it.each([
    ['revoked', 'POST', '/revoke', {}, 401, 'REVOKED_API_KEY'],
    ['suspended', 'POST', '/suspend', { reason: 'Leaked' }, 401, 'SUSPENDED_API_KEY'],
    ['switched off', 'PATCH', '', { active: false }, 401, 'INVALID_API_KEY'],
    ['deleted', 'DELETE', '', undefined, 401, 'INVALID_API_KEY'],
    ['without its feed', 'PATCH', '', { event_feed: false }, 409, 'FEED_STATE'],
    ['held to addresses', 'PATCH', '', { allowed_ips: ['192.0.2.1'] }, 401, 'IP_NOT_ALLOWED'],
    [
      'without the permission',
      'PATCH',
      '',
      { permissions: ['send_text'] },
      403,
      'PERMISSION_DENIED',
    ],
  ] as const)(
    'refuses a reader that waits while its key is %s as it would a new one',
    async (_, method, path, body, status, code) => {
      await setFeed(true);
      const { next_cursor } = (await read()).body.data;
      const waiting = read(`?wait=3&cursor=${next_cursor}`);
      // One more than may wait gets an empty page at once: the first one waits.
      const others = Array.from({ length: 20 }, () => read(`?wait=3&cursor=${next_cursor}`));
      await Promise.race([waiting, ...others]);
      await operator.get(method, `/api-keys/${key.id}${path}`, body);
      await stack.sql(
        `insert into feed_events (id, api_key_id, type, body) values (new_id(), $1, 'message.received',
           '{"event":"message.received"}')`,
        [key.id],
      );
      const answers = await Promise.all([waiting, ...others]);
      const refused = answers.filter((answer) => answer.status === status);
      expect(refused).toHaveLength(20);
      expect(new Set(refused.map((answer) => answer.body.error.code))).toEqual(new Set([code]));
    },
  );

  it('answers an empty page when nothing comes', async () => {
    await setFeed(true);
    const { events, next_cursor } = (await read('?wait=1')).body.data;
    expect([events, next_cursor]).toEqual([[], expect.any(String)]);
  });

  it('forgets what it had when it is switched off', async () => {
    await setFeed(true);
    await send();
    // Each read waits: a reader has 120 a minute.
    await until(async () => (await read('?wait=2')).body.data.events.length === 1);
    await setFeed(false);
    await setFeed(true);
    expect((await read()).body.data.events).toEqual([]);
  });

  it('has the events of its own key alone', async () => {
    const other = await addApiKey(stack, { accountId });
    await setFeed(true);
    await setFeed(true, other.id);
    await send(other.key);
    await until(async () => (await read('?wait=2', other.key)).body.data.events.length === 1);
    expect((await read()).body.data.events).toEqual([]);
  });

  it('goes with its key', async () => {
    await setFeed(true);
    await send();
    // Each read waits: a reader has 120 a minute.
    await until(async () => (await read('?wait=2')).body.data.events.length === 1);
    await operator.get('DELETE', `/api-keys/${key.id}`);
    expect(await stack.sql('select from feed_events where api_key_id = $1', [key.id])).toEqual([]);
  });

  it('takes nothing of the minute and the day of its key, and counts as calls', async () => {
    key = await addApiKey(stack, { accountId, rateLimit: 1, dailyLimit: 1 });
    await setFeed(true);
    for (let reads = 0; reads < 3; reads += 1) {
      const { status, headers, body } = await read();
      expect([status, body.meta.rate_limit.limit]).toEqual([200, 120]);
      expect(headers.get('ratelimit-policy')).toBe('"minute";q=120;w=60');
      expect(headers.get('ratelimit')).toMatch(/^"minute";r=1\d\d;t=\d+$/);
    }
    expect((await send()).status).toBe(200);
    expect((await read()).status).toBe(200);
    await until(async () => {
      const usage = await operator.get('GET', `/api-keys/${key.id}/usage`);
      return usage.calls_last_24h === 5;
    });
  });

  it(
    'is read 120 times a minute, by each key',
    withinOneMinute(async () => {
      key = await addApiKey(stack, { accountId, rateLimit: 1 });
      await setFeed(true);
      const answers = await Promise.all(Array.from({ length: 125 }, () => read()));
      const refused = answers.filter(({ status }) => status === 429);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
      expect(refused).toHaveLength(5);
      for (const { body, headers } of refused) {
        expect(body.error).toMatchObject({
          code: 'RATE_LIMIT_EXCEEDED',
          details: { retry_after: Number(headers.get('retry-after')) },
        });
        expect(body.meta.rate_limit).toMatchObject({ limit: 120, remaining: 0 });
      }
      expect((await send()).status).toBe(200);
      const other = await addApiKey(stack, { accountId });
      await setFeed(true, other.id);
      expect((await read('', other.key)).status).toBe(200);
    }),
  );

  it('lets twenty readers of a key wait, and gives one more an empty page at once', async () => {
    await setFeed(true);
    const { next_cursor } = (await read()).body.data;
    const waiting = Array.from({ length: 21 }, () => read(`?wait=25&cursor=${next_cursor}`));
    const first = await Promise.race(waiting);
    expect(first.body.data.events).toEqual([]);
    await send();
    const pages = (await Promise.all(waiting)).map(({ body }) => body.data.events.length);
    expect(pages.filter((events) => events === 0)).toHaveLength(1);
    expect(pages.filter((events) => events === 1)).toHaveLength(20);
  });

  it('leaves no counter behind when its key is deleted', async () => {
    await setFeed(true);
    await read();
    await operator.get('DELETE', `/api-keys/${key.id}`);
    const counters = 'select from quota_counters where right(api_key_id::text, 20) = right($1, 20)';
    expect(await stack.sql(counters, [key.id])).toEqual([]);
  });

  it('needs the permission view_messages', async () => {
    const { key: apiKey } = await addApiKey(stack, { accountId, permissions: ['send_text'] });
    const { status, body } = await read('', apiKey);
    expect([status, body.error.details]).toEqual([403, { permission: 'view_messages' }]);
  });

  it.each([
    ['cursor=abc', 'cursor'],
    ['types=message.sent', 'types'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['wait=26', 'wait'],
    ['wait=-1', 'wait'],
  ])('refuses %s', async (query, field) => {
    await setFeed(true);
    const { error } = (await read(`?${query}`)).body;
    expect([error.code, Object.keys(error.details.fields)]).toEqual(['VALIDATION_ERROR', [field]]);
  });
});
