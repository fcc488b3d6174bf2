import { createHmac, randomBytes } from 'node:crypto';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, newRecipient, type RequestOptions, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import {
  change,
  demoNumber,
  newWamid,
  notification,
  notify,
  textMessage,
} from '../support/webhooks.js';

describe.each(['postgres', 'redis'] as const)(
  'endpoints in the form of WhatsApp, on %s',
  (store) => {
    let stack: Stack;
    let receiver: WebhookReceiver;
    let operator: Dashboard;
    let accountId: string;
    let number: typeof demoNumber;
    let key: { id: string; key: string };

    beforeAll(async () => {
      receiver = await WebhookReceiver.start();
      stack = await Stack.start({ store, env: { WEBHOOK_RETRY_SECONDS: '0.1,0.1' } });
      operator = await Dashboard.signIn(stack);
    });

    beforeEach(async () => {
      accountId = await addAccount(stack);
      const [account] = await stack.sql(
        'select phone_number_id, business_account_id from accounts where id = $1',
        [accountId],
      );
      number = {
        ...demoNumber,
        businessAccountId: account.business_account_id,
        phoneNumberId: account.phone_number_id,
      };
      key = await addApiKey(stack, { accountId });
    });

    afterAll(async () => {
      await stack?.stop();
      await receiver.close();
    });

    let hooks = 0;
    const newHook = () => `/whatsapp/${(hooks += 1)}`;
    const call = (path: string, options: RequestOptions = {}) =>
      stack.request(`/webhooks${path}`, { apiKey: key.key, ...options });
    const create = async (body: object = {}, options: RequestOptions = {}) => {
      const hook = newHook();
      const answer = await call('', {
        method: 'POST',
        body: { url: receiver.url(hook), format: 'whatsapp', ...body },
        ...options,
      });
      return { hook, ...answer, ...answer.body.data };
    };
    const tell = (value: Record<string, unknown>, others: Record<string, unknown>[] = []) => {
      const body = notification(value, number);
      body.entry[0]?.changes.push(...(others as never[]));
      return notify(stack, body, { secret: 'secret' });
    };
    const valueOf = ({ body }: { body: any }) => body.entry[0].changes[0].value;
    const eventually = (hook: string, count: number) =>
      until(() => receiver.at(hook).length >= count && receiver.at(hook));
    /** Everything that came so far is processed: a later message has arrived. */
    const settled = async (hook: string) => {
      const id = newWamid();
      await tell({ messages: [textMessage({ id })] });
      await until(() => receiver.at(hook).some((one) => valueOf(one).messages?.[0].id === id));
    };

    it('are made with a secret of 32 hex digits, or a given one, and never show it again', async () => {
      const made = await create({ fields: ['messages'] });
      expect(made.secret).toMatch(/^[0-9a-f]{32}$/);
      expect(made.webhook).toMatchObject({
        format: 'whatsapp',
        fields: ['messages'],
        has_verify_token: false,
        handshake: { state: 'not_done', at: null },
        left_out: 0,
        scope: 'account',
        events: null,
        statuses: null,
        message_types: null,
        secret: made.secret,
      });
      const { webhook } = (await call(`/${made.webhook.id}`)).body.data;
      expect(webhook).not.toHaveProperty('secret');
      expect(webhook).not.toHaveProperty('verify_token');
      const shared = 'one-secret-for-all!';
      const [first, second] = [await create({ secret: shared }), await create({ secret: shared })];
      expect([first.secret, second.secret]).toEqual([shared, shared]);
      const parley = await create({ format: 'parley' });
      expect(parley.webhook).toMatchObject({ format: 'parley', scope: 'key' });
      for (const name of ['fields', 'has_verify_token', 'handshake', 'left_out']) {
        expect(parley.webhook).not.toHaveProperty(name);
      }
    });

    it.each([
      [{ events: ['message.received'] }, 'events'],
      [{ statuses: ['sent'] }, 'statuses'],
      [{ message_types: ['text'] }, 'message_types'],
      [{ scope: 'key' }, 'scope'],
      [{ fields: [] }, 'fields'],
      [{ fields: ['Messages'] }, 'fields[0]'],
      [{ verify_token: 'with blank' }, 'verify_token'],
      [{ verify_token: '' }, 'verify_token'],
      [{ secret: 'fifteen-letters' }, 'secret'],
      [{ format: 'graph' }, 'format'],
      [{ format: 'parley', fields: ['messages'] }, 'fields'],
      [{ format: 'parley', verify_token: 'x' }, 'verify_token'],
      [{ format: 'parley', secret: 'sixteen-letters!' }, 'secret'],
    ])('with %j are refused at %s', async (body, field) => {
      const { status, body: answer } = await create(body);
      expect([status, Object.keys(answer.error?.details?.fields ?? {})]).toEqual([400, [field]]);
    });

    it('keep their format, and need view_messages', async () => {
      const { webhook } = await create();
      const patch = (body: object) => call(`/${webhook.id}`, { method: 'PATCH', body });
      expect((await patch({ format: 'parley' })).body.error.details.fields).toHaveProperty(
        'format',
      );
      expect((await patch({ events: ['message.received'] })).status).toBe(400);
      expect((await patch({ fields: ['messages', 'messages'] })).body.data.webhook.fields).toEqual([
        'messages',
      ]);
      expect((await patch({ fields: null })).body.data.webhook.fields).toBeNull();
      const weak = await addApiKey(stack, { accountId, permissions: ['manage_webhooks'] });
      const refused = await create({}, { apiKey: weak.key });
      expect([refused.status, refused.body.error.details.permission]).toEqual([
        403,
        'view_messages',
      ]);
    });

    it('go to another address only while their key may read messages, unless a person says so', async () => {
      const { webhook } = await create();
      const elsewhere = { url: receiver.url(newHook()) };
      const patch = (body: object) => call(`/${webhook.id}`, { method: 'PATCH', body });
      await stack.sql(`update api_keys set permissions = '{manage_webhooks}' where id = $1`, [
        key.id,
      ]);
      const refused = await patch(elsewhere);
      expect([refused.status, refused.body.error?.details.permission]).toEqual([
        403,
        'view_messages',
      ]);
      expect((await patch({ name: 'Renamed', url: webhook.url })).status).toBe(200);
      const path = `/api-keys/${key.id}/webhooks/${webhook.id}`;
      const moved = await operator.get('PATCH', path, elsewhere);
      expect(moved.webhook.url).toBe(elsewhere.url);
    });

    it('get one message a request, as it came, signed as WhatsApp signs', async () => {
      const made = await create();
      const anna = { profile: { name: 'Anna' }, wa_id: '4915112345678' };
      const bo = { profile: { name: 'Bo' }, wa_id: '4915112345679' };
      const messages = [
        textMessage({ from: anna.wa_id }),
        textMessage({ from: bo.wa_id, type: 'new_kind', new_kind: { deep: [1, { a: null }] } }),
      ];
      await tell({ contacts: [anna, bo], messages });
      const got = await eventually(made.hook, 2);
      const values = got.map(valueOf);
      expect(values.flatMap((value) => value.messages)).toEqual(expect.arrayContaining(messages));
      expect(values.map(({ contacts }) => contacts[0].wa_id)).toEqual(
        values.map((value) => value.messages[0].from),
      );
      for (const { headers, raw, body } of got) {
        const mac = createHmac('sha256', made.secret).update(raw).digest('hex');
        expect(headers['x-hub-signature-256']).toBe(`sha256=${mac}`);
        expect(headers['webhook-id']).toMatch(/^evt_[0-9a-f]{32}$/);
        expect(headers).not.toHaveProperty('webhook-signature');
        expect(body).toMatchObject({
          object: 'whatsapp_business_account',
          entry: [{ id: number.businessAccountId, changes: [{ field: 'messages' }] }],
        });
      }
    });

    it('keep every digit of a number', async () => {
      const { hook } = await create();
      const big = '98765432109876543210';
      const text = JSON.stringify(notification({ messages: [textMessage()] }, number)).replace(
        '"timestamp"',
        `"big":${big},"timestamp"`,
      );
      await notify(stack, text, { secret: 'secret' });
      const [got] = await eventually(hook, 1);
      expect(got?.raw).toContain(`"big":${big},`);
    });

    it('get a repeated notification once, also in another package', async () => {
      const { hook, webhook } = await create();
      const [one, two, three] = [textMessage(), textMessage(), textMessage()];
      await tell({ messages: [one, two] });
      await tell({ messages: [one, two] });
      await tell({ messages: [two, three] });
      await tell({ messages: [three] }, [change({ messages: [one] }, number)]);
      await settled(hook);
      const [{ count }] = await stack.sql(
        `select count(*)::int as count from (
           select endpoint_id from open_events union all select endpoint_id from done_events) e
         where endpoint_id = $1`,
        [webhook.id],
      );
      expect(count).toBe(4);
      const got = await eventually(hook, 4);
      const ids = got.map((each) => valueOf(each).messages[0].id as string);
      expect(ids).toEqual(expect.arrayContaining([one, two, three].map(({ id }) => id)));
    });

    it('get statuses of our messages, without what Parley put into them', async () => {
      const { hook, webhook } = await create();
      const sent = await stack.send(
        'button',
        buttonMessage({ to: newRecipient() }),
        {},
        { apiKey: key.key },
      );
      const id = sent.body.data.message_id as string;
      const wamid = (await stack.get(`/messages/${id}`, { apiKey: key.key })).body.data
        .platform_message_id as string;
      const status = {
        id: wamid,
        status: 'delivered',
        timestamp: '1764000000',
        recipient_id: '4915112345678',
      };
      await tell({ statuses: [{ ...status, biz_opaque_callback_data: id }] });
      await tell({
        statuses: [{ ...status, status: 'read', biz_opaque_callback_data: 'of another program' }],
      });
      const statusesOf = () => receiver.at(hook).map((each) => valueOf(each).statuses[0]);
      await until(() => statusesOf().some((each) => each.status === 'read'));
      expect(statusesOf()).toEqual(
        expect.arrayContaining([
          status,
          { ...status, status: 'read', biz_opaque_callback_data: 'of another program' },
        ]),
      );
      const { deliveries } = await operator.get(
        'GET',
        `/webhook-deliveries?event=whatsapp.messages&endpoint_id=${webhook.id}&message_id=${id}`,
      );
      expect(deliveries.length).toBeGreaterThanOrEqual(2);
      expect(deliveries[0]).toMatchObject({ event: 'whatsapp.messages', user: '+4915112345678' });
      const message = await stack.get(`/messages/${id}`, { apiKey: key.key });
      expect(message.body.data.status).toBe('read');
    });

    it('get every other field whole, and only those that they name', async () => {
      const all = await create();
      const some = await create({ fields: ['account_update', 'messages'] });
      const update = { event: 'VERIFIED_ACCOUNT', phone_number: '15550783881' };
      await tell({ messages: [textMessage()] }, [
        { field: 'a_new_field', value: { list: [1, 2], note: randomBytes(4).toString('hex') } },
        { field: 'account_update', value: { ...update, note: randomBytes(4).toString('hex') } },
      ]);
      await eventually(all.hook, 3);
      await settled(some.hook);
      const fieldsAt = (hook: string) =>
        receiver.at(hook).map(({ body }) => body.entry[0].changes[0].field as string);
      expect([...new Set(fieldsAt(all.hook))].toSorted()).toEqual([
        'a_new_field',
        'account_update',
        'messages',
      ]);
      expect([...new Set(fieldsAt(some.hook))].toSorted()).toEqual(['account_update', 'messages']);
    });

    it('take no answers away from others, and get none of Parley’s events', async () => {
      const { hook } = await create();
      const other = await addApiKey(stack, { accountId });
      const parley = newHook();
      await call('', { method: 'POST', body: { url: receiver.url(parley) }, apiKey: other.key });
      const sent = await stack.send(
        'button',
        buttonMessage({ to: newRecipient() }),
        {},
        { apiKey: key.key },
      );
      const { platform_message_id: wamid } = (
        await stack.get(`/messages/${sent.body.data.message_id}`, { apiKey: key.key })
      ).body.data;
      await tell({ messages: [textMessage({ context: { from: '1', id: wamid } })] });
      await until(() => receiver.at(parley).some(({ body }) => body.event === 'message.received'));
      await settled(hook);
      expect(receiver.at(hook).every(({ body }) => body.event === undefined)).toBe(true);
    });

    it('of other accounts, of keys without the permission and of suspended keys get nothing', async () => {
      const { hook } = await create();
      const elsewhere = await addApiKey(stack, { accountId: await addAccount(stack) });
      const foreign = await create({}, { apiKey: elsewhere.key });
      const weak = await addApiKey(stack, { accountId });
      const withheld = await create({}, { apiKey: weak.key });
      await stack.sql(`update api_keys set permissions = '{send_text}' where id = $1`, [weak.id]);
      const stopped = await addApiKey(stack, { accountId });
      const silent = await create({}, { apiKey: stopped.key });
      await stack.sql('update api_keys set suspended_at = now() where id = $1', [stopped.id]);
      await settled(hook);
      expect([foreign, withheld, silent].map((one) => receiver.at(one.hook))).toEqual([[], [], []]);
    });

    it('are asked for their challenge, and work whatever they answer', async () => {
      const hook = newHook();
      receiver.knowToken(hook, 'let-me-in');
      const query = '?team=a%20b&flag';
      const url = `${receiver.url(hook)}${query}`;
      const { webhook } = await create({ url, verify_token: 'let-me-in' });
      expect(webhook).toMatchObject({
        has_verify_token: true,
        handshake: { state: 'answered', at: expect.any(String) },
      });
      const asked = `${hook}${query}&hub.mode=subscribe&hub.verify_token=let-me-in&hub.challenge=`;
      expect(receiver.events.some(({ path }) => path.startsWith(asked))).toBe(true);
      const patch = async (body: object) =>
        (await call(`/${webhook.id}`, { method: 'PATCH', body })).body.data.webhook;
      expect((await patch({ verify_token: 'wrong' })).handshake.state).toBe('refused');
      expect((await patch({ name: 'Renamed' })).handshake.state).toBe('refused');
      expect((await patch({ url: 'http://127.0.0.1:9/' })).handshake.state).toBe('failed');
      expect((await patch({ url, verify_token: 'let-me-in' })).handshake.state).toBe('answered');
      const removed = await patch({ verify_token: null });
      expect([removed.has_verify_token, removed.handshake]).toEqual([
        false,
        { state: 'not_done', at: null },
      ]);
      await tell({ messages: [textMessage()] });
      await eventually(`${hook}${query}`, 1);
    });

    it('are made once under an idempotency key, with the same secret', async () => {
      const hook = newHook();
      receiver.knowToken(hook, 'token');
      const body = { url: receiver.url(hook), format: 'whatsapp', verify_token: 'token' };
      const headers = { 'Idempotency-Key': randomBytes(8).toString('hex') };
      const [first, again] = [
        await call('', { method: 'POST', body, headers }),
        await call('', { method: 'POST', body, headers }),
      ];
      expect(first.body.data.webhook.handshake.state).toBe('answered');
      expect(again.body.data).toEqual(first.body.data);
    });

    it('sign with the new secret alone after a rotation', async () => {
      const { webhook, hook } = await create();
      const rotate = (body?: object) =>
        call(`/${webhook.id}/rotate-secret`, { method: 'POST', body });
      const made = (await rotate()).body.data.secret;
      expect(made).toMatch(/^[0-9a-f]{32}$/);
      const given = (await rotate({ secret: 'a-secret-of-my-own' })).body.data;
      expect(given.secret).toBe('a-secret-of-my-own');
      await settled(hook);
      const [got] = receiver.at(hook);
      const mac = createHmac('sha256', 'a-secret-of-my-own')
        .update(got?.raw ?? '')
        .digest('hex');
      expect(got?.headers['x-hub-signature-256']).toBe(`sha256=${mac}`);
      const parley = await create({ format: 'parley' });
      const refused = await call(`/${parley.webhook.id}/rotate-secret`, {
        method: 'POST',
        body: { secret: 'a-secret-of-my-own' },
      });
      expect([refused.status, refused.body.error.details.fields]).toEqual([
        400,
        { secret: expect.any(String) },
      ]);
    });

    it('are tested with a text of a fictional user, whatever fields says', async () => {
      const hook = newHook();
      receiver.knowToken(hook, 'token');
      const { webhook } = await create({
        url: receiver.url(hook),
        verify_token: 'token',
        fields: ['account_update'],
      });
      receiver.knowToken(hook, 'another one');
      const { delivery_id } = (await call(`/${webhook.id}/test`, { method: 'POST' })).body.data;
      const [got] = await eventually(hook, 1);
      expect(got && valueOf(got).messages[0]).toMatchObject({
        from: '15550100000',
        id: expect.stringMatching(/^wamid\.PARLEY_TEST_[0-9a-f]{32}$/),
        type: 'text',
      });
      expect((await call(`/${webhook.id}`)).body.data.webhook.handshake.state).toBe('refused');
      const { delivery } = await operator.get('GET', `/webhook-deliveries/${delivery_id}`);
      expect(delivery).toMatchObject({ event: 'webhook.test', user: '+15550100000' });
    });

    it('leave out what is over 1 MiB, and count it', async () => {
      const { webhook, hook } = await create();
      await tell({
        messages: [textMessage({ text: { body: 'x'.repeat(1024 * 1024) } }), textMessage()],
      });
      await eventually(hook, 1);
      expect((await call(`/${webhook.id}`)).body.data.webhook.left_out).toBe(1);
      expect(receiver.at(hook)).toHaveLength(1);
    });

    it('get what Parley cannot read', async () => {
      const { hook } = await create();
      const unreadable = { from: '1', type: 'text' };
      const status = { id: 'wamid.\u0000', status: 'sent', recipient_id: '1' };
      await tell({ messages: [unreadable, 'not an object'], statuses: [status] });
      const values = (await eventually(hook, 3)).map(valueOf);
      expect(values.flatMap(({ messages, statuses }) => messages ?? statuses)).toEqual(
        expect.arrayContaining([unreadable, 'not an object', status]),
      );
      // What can be read beside it is still processed.
      const message = textMessage();
      await tell({ messages: [message], statuses: [{ ...status, id: 'wamid.\u0000\u0000' }] });
      await until(async () => {
        const [contact] = await stack.sql('select from contacts where account_id = $1 limit 1', [
          accountId,
        ]);
        return contact !== undefined;
      });
    });
  },
);
