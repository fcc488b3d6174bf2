import { Webhook } from 'standardwebhooks';
import { hourMs } from '#libs/durations';
import { version } from '../../src/config/version.js';
import { addAccount } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { installation, stores } from '../support/installation.js';
import { newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import {
  addWebhookKey,
  demoNumber,
  notification,
  notify,
  sealWebhookSecret,
  textMessage,
} from '../support/webhooks.js';

describe.each(stores)('deliveries of events, over %s', (store) => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let dashboard: Dashboard;
  let accountId: string;
  let number: typeof demoNumber;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({ store, env: { WEBHOOK_RETRY_SECONDS: '0.1,0.1' } });
    dashboard = await Dashboard.signIn(stack);
  });

  beforeEach(async () => {
    accountId = await addAccount(stack);
    const [account] = await stack.sql('select phone_number_id from accounts where id = $1', [
      accountId,
    ]);
    number = { ...demoNumber, phoneNumberId: account.phone_number_id };
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  let hooks = 0;
  const newHook = () => `/${store}/${(hooks += 1)}`;
  const addKey = (hook: string, setting = {}) =>
    addWebhookKey(stack, receiver.url(hook), {
      accountId,
      events: ['message.received'],
      ...setting,
    });
  const say = (count = 1) =>
    notify(
      stack,
      notification({ messages: Array.from({ length: count }, () => textMessage()) }, number),
      {
        secret: 'secret',
      },
    );
  const deliveriesOf = async (keyId: string, query = '') =>
    (await dashboard.get('GET', `/webhook-deliveries?key_id=${keyId}${query}`)).deliveries;
  const ended = (keyId: string, status: string) =>
    until(async () => {
      const [delivery] = await deliveriesOf(keyId);
      return delivery?.status === status && delivery;
    });

  it('fail when their tries are used up, and go out again with the same id and bytes on demand', async () => {
    const hook = newHook();
    receiver.react(hook, (count) => ({ status: count <= 3 ? 503 : 200, body: `try ${count}` }));
    const { id } = await addKey(hook);
    await say();
    const failed = await ended(id, 'failed');
    expect(failed).toMatchObject({
      event: 'message.received',
      next_attempt_at: null,
      error: 'http_503',
    });
    expect(
      failed.attempts.map(({ number: n, status_code, response, error }: any) => [
        n,
        status_code,
        response,
        error,
      ]),
    ).toEqual([
      [1, 503, 'try 1', 'http_503'],
      [2, 503, 'try 2', 'http_503'],
      [3, 503, 'try 3', 'http_503'],
    ]);
    await dashboard.get('POST', `/webhook-deliveries/${failed.id}/redeliver`);
    const succeeded = await ended(id, 'succeeded');
    expect(succeeded.attempts).toHaveLength(4);
    const requests = receiver.at(hook);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([failed.webhook_id]),
    );
    expect(new Set(requests.map(({ raw }) => raw)).size).toBe(1);
    const { body } = await dashboard.get('GET', `/webhook-deliveries/${failed.id}`);
    expect(body).toBe(requests[0]?.raw);
  });

  it('keep the address that each attempt called, also when the key has another one', async () => {
    const [before, after] = [newHook(), newHook()];
    receiver.react(before, () => ({ status: 410 }));
    const { id } = await addKey(before);
    await say();
    const failed = await ended(id, 'failed');
    await dashboard.get('PATCH', `/api-keys/${id}`, { webhook_url: receiver.url(after) });
    const shown = async () =>
      (await dashboard.get('GET', `/webhook-deliveries/${failed.id}`)).delivery;
    expect(await shown()).toMatchObject({
      url: receiver.url(after),
      attempts: [{ url: receiver.url(before) }],
    });
    await dashboard.get('POST', `/webhook-deliveries/${failed.id}/redeliver`);
    await ended(id, 'succeeded');
    expect((await shown()).attempts.map(({ url }: any) => url)).toEqual([
      receiver.url(before),
      receiver.url(after),
    ]);
  });

  it('leave an endpoint on whose address was changed before the old one answered 410', async () => {
    const [before, after] = [newHook(), newHook()];
    receiver.react(before, () => ({ status: 410, delayMs: 1_000 }));
    const { id } = await addKey(before);
    await say();
    await until(() => receiver.at(before).length === 1);
    await dashboard.get('PATCH', `/api-keys/${id}`, { webhook_url: receiver.url(after) });
    const failed = await ended(id, 'failed');
    await dashboard.get('POST', `/webhook-deliveries/${failed.id}/redeliver`);
    await ended(id, 'succeeded');
    expect((await dashboard.get('GET', `/api-keys/${id}`)).api_key.webhook.disabled_at).toBeNull();
  });

  it('are found by their endpoint and their time', async () => {
    const hook = newHook();
    const { id, key } = await addKey(hook);
    const made = await stack.request('/webhooks', {
      body: { url: receiver.url(`${hook}/other`), events: ['message.received'] },
      apiKey: key,
    });
    await say();
    await until(async () => (await deliveriesOf(id)).length === 2);
    const own = made.body.data.webhook.id;
    const [only, ...others] = await deliveriesOf(id, `&endpoint_id=${own}`);
    expect([only.endpoint_id, others]).toEqual([own, []]);
    const at = Date.parse(only.created_at);
    const within = (from: number, to: number) =>
      deliveriesOf(
        id,
        `&endpoint_id=${own}&from=${new Date(at + from).toISOString()}&to=${new Date(at + to).toISOString()}`,
      );
    expect(await within(0, 1)).toHaveLength(1);
    expect(await within(1, 2)).toEqual([]);
    expect(await within(-1, 0)).toEqual([]);
    const refused = await dashboard.call('GET', '/webhook-deliveries?from=yesterday');
    expect(Object.keys(refused.body.error.details.fields)).toEqual(['from']);
  });

  it('are found by each form of a number', async () => {
    const { id } = await addKey(newHook());
    const messages = [textMessage({ from: '553187652222' })];
    await notify(stack, notification({ messages }, number), { secret: 'secret' });
    await until(async () => (await deliveriesOf(id)).length === 1);
    for (const form of ['+553187652222', '+5531987652222']) {
      expect(await deliveriesOf(id, `&phone=${encodeURIComponent(form)}`)).toHaveLength(1);
    }
    for (const [filter, total, isExact] of [
      ['', 1, true],
      ['&phone=%2B5531987652222', 1, true],
      ['&message_id=01900000-0000-7000-8000-000000000000', 0, true],
    ] as const) {
      const path = `/webhook-deliveries?key_id=${id}&limit=1&count=true${filter}`;
      const { body } = await dashboard.call('GET', path);
      expect(body.meta).toMatchObject({ total, total_is_exact: isExact });
    }
  });

  it('are found by their user, whom each of them names, and are a file if it is asked for one', async () => {
    const { id } = await addKey(newHook());
    const [one, other] = [newRecipient(), newRecipient()];
    const messages = [one, other].map((from) => textMessage({ from: from.slice(1) }));
    await notify(stack, notification({ messages }, number), { secret: 'secret' });
    await until(async () => (await deliveriesOf(id)).length === 2);
    const about = `&to=${encodeURIComponent(one)}`;
    const found = await deliveriesOf(id, about);
    expect(found.map(({ user }: any) => user)).toEqual([one]);
    expect(await deliveriesOf(id, `&phone=${encodeURIComponent(newRecipient())}`)).toEqual([]);
    const { text, headers } = await dashboard.call(
      'GET',
      `/webhook-deliveries?key_id=${id}${about}`,
      undefined,
      { headers: { accept: 'text/csv' } },
    );
    expect(headers.get('content-disposition')).toContain(
      `deliveries-${id.slice(0, 8)}-${one.slice(1)}.csv`,
    );
    const [, ...lines] = text.trimEnd().split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual([found[0].id]);
  });

  it('are found by what people type: numbers, names, ids, references', async () => {
    const { id } = await addKey(newHook());
    const names = { '12125550177': 'Ada Lovelace', '12125550188': 'Grace Hopper' };
    const contacts = Object.entries(names).map(([wa_id, name]) => ({ profile: { name }, wa_id }));
    const messages = Object.keys(names).map((from) => textMessage({ from }));
    await notify(stack, notification({ contacts, messages }, number), { secret: 'secret' });
    const about = (q: string) => deliveriesOf(id, `&q=${encodeURIComponent(q)}`);
    const [ofAda] = await until(async () => {
      const found = await about('ada l');
      return found.length === 1 && found[0].status === 'succeeded' && found;
    });
    expect(ofAda.user).toBe('+12125550177');
    for (const q of ['(212) 555-0177', '0177', '+1 212 555 0177', ofAda.id, ofAda.webhook_id])
      expect([q, await about(q)]).toEqual([q, [ofAda]]);
    const message = await addMessage(id, 'order-104');
    const [ofMessage] = await about(message);
    expect(ofMessage).toMatchObject({ message_id: message, event: 'message.status' });
    expect(await about('order-10')).toEqual([ofMessage]);
    for (const q of ['order-9', '0199', 'nobody', accountId]) expect(await about(q)).toEqual([]);
  });

  /** A message with a reference, and a delivery about it. */
  async function addMessage(keyId: string, reference: string): Promise<string> {
    const [{ id }] = await stack.sql(
      `insert into messages (id, account_id, api_key_id, mode, type, recipient, reference, payload, waiting,
         next_attempt_at, give_up_at, created_at)
       values (new_id(), $1, $2, 'live', 'text', '+4930555010', $3, '{}', false, now(), now(), now()) returning id`,
      [accountId, keyId, reference],
    );
    await stack.sql(
      `insert into done_events (id, event_id, endpoint_id, account_id, mode, type, body, message_id, status, attempts, created_at)
       values (new_id(), new_id(), $1, $2, 'live', 'message.status', '{}', $3, 'succeeded', 1, now())`,
      [keyId, accountId, id],
    );
    return String(id);
  }

  it('are searched a part at a time, however many there are', async () => {
    const { id } = await addKey(newHook());
    const others = 12_000;
    const sought = newRecipient();
    await stack.sql(
      `insert into done_events (id, event_id, endpoint_id, account_id, mode, type, body, status, attempts, created_at)
       select new_id(), new_id(), $1, $2, 'live', 'message.received',
         format('{"event":"message.received","data":{"from":"%s"}}', case n when 1 then $3 else '+14155550000' end), 'succeeded', 1, now()
       from generate_series(1, $4::int) n order by n`,
      [id, accountId, sought, others],
    );
    const search = `/webhook-deliveries?account_id=${accountId}&phone=${encodeURIComponent(sought)}`;
    const first = await dashboard.get('GET', search);
    expect(first).toEqual({ deliveries: [], next_cursor: expect.any(String) });
    const second = await dashboard.get('GET', `${search}&cursor=${first.next_cursor}`);
    expect(second.deliveries.map(({ user }: any) => user)).toEqual([sought]);
    expect(second.next_cursor).toBeNull();
    const inOnePart = await dashboard.get(
      'GET',
      `${search}&status=succeeded&event=message.received`,
    );
    expect(inOnePart).toEqual(first);
  });

  it('are not redirected, and log only the first KiB of what came back', async () => {
    const [hook, elsewhere] = [newHook(), newHook()];
    receiver.react(hook, () => ({
      status: 302,
      headers: { location: receiver.url(elsewhere) },
      body: 'x'.repeat(100_000),
    }));
    const { id } = await addKey(hook);
    await say();
    const { attempts } = await ended(id, 'failed');
    expect(attempts[0]).toMatchObject({ status_code: 302, response: 'x'.repeat(1_024) });
    expect(receiver.at(elsewhere)).toEqual([]);
  });

  it('end with 410, which switches the endpoint off until it is enabled and recovers what it missed', async () => {
    const hook = newHook();
    receiver.react(hook, (count) => ({ status: count === 1 ? 410 : 200 }));
    const since = new Date().toISOString();
    const { id } = await addKey(hook);
    await say();
    const first = await ended(id, 'failed');
    expect(first.attempts).toHaveLength(1);
    const webhook = await until(async () => {
      const { api_key } = await dashboard.get('GET', `/api-keys/${id}`);
      return api_key.webhook.disabled_at && api_key.webhook;
    });
    expect(webhook.reason).toBe('gone');
    const alertsOf = async (state: string) =>
      (await dashboard.get('GET', `/alerts?account_id=${accountId}&state=${state}`)).alerts;
    expect(await alertsOf('open')).toMatchObject([{ kind: 'webhook_disabled', subject: id }]);
    await say();
    await until(async () => (await deliveriesOf(id)).length === 2);
    expect((await deliveriesOf(id))[0]).toMatchObject({
      status: 'failed',
      error: 'endpoint_off',
      attempts: [],
    });
    expect(
      (await dashboard.call('POST', `/api-keys/${id}/webhook/recover`, { since })).status,
    ).toBe(409);
    await dashboard.get('POST', `/api-keys/${id}/webhook/enable`);
    expect(await alertsOf('open')).toEqual([]);
    expect(await dashboard.get('POST', `/api-keys/${id}/webhook/recover`, { since })).toEqual({
      recovered: 2,
    });
    await until(async () => (await deliveriesOf(id, '&status=succeeded')).length === 2);
    expect(new Set(receiver.at(hook).map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('switch an endpoint off that took nothing for 120 hours, and not before', async () => {
    const hook = newHook();
    receiver.react(hook, () => ({ status: 500 }));
    const { id } = await addKey(hook);
    await say(4);
    await until(async () => (await deliveriesOf(id, '&status=failed')).length === 4);
    expect((await dashboard.get('GET', `/api-keys/${id}`)).api_key.webhook.disabled_at).toBeNull();
    await stack.sql(
      `update webhook_failures set since = since - interval '121 hours' where endpoint_id = $1`,
      [id],
    );
    await say();
    await until(
      async () => (await dashboard.get('GET', `/api-keys/${id}`)).api_key.webhook.disabled_at,
    );
    expect((await dashboard.get('GET', `/api-keys/${id}`)).api_key.webhook.reason).toBe('failing');
  });

  it('show the failures of an endpoint, and count none of them against another one', async () => {
    const hook = newHook();
    receiver.react(hook, () => ({ status: 503 }));
    const { id } = await addKey(hook);
    const failing = async () =>
      (await dashboard.get('GET', `/api-keys/${id}`)).api_key.webhook.failing;
    expect(await failing()).toBeNull();
    await say();
    await ended(id, 'failed');
    const seen = await failing();
    expect(seen).toMatchObject({ failures: 3, since: expect.any(String) });
    expect(Date.parse(seen.off_at) - Date.parse(seen.since)).toBe(120 * hourMs);
    await dashboard.get('PATCH', `/api-keys/${id}`, { webhook_url: receiver.url(newHook()) });
    expect(await failing()).toBeNull();
  });

  it('are counted by outcome', async () => {
    const hook = newHook();
    receiver.react(hook, (count) => ({ status: count === 1 ? 500 : 200 }));
    const { id } = await addKey(hook);
    const report = () => dashboard.get('GET', `/api-keys/${id}/webhook`);
    const nothing = { succeeded: 0, retried: 0, failed: 0, waiting: 0 };
    expect(await report()).toEqual({ ...nothing, median_ms: null, last_success_at: null });
    await say();
    await ended(id, 'succeeded');
    expect(await report()).toEqual({
      ...nothing,
      succeeded: 1,
      retried: 1,
      median_ms: expect.any(Number),
      last_success_at: expect.any(String),
    });
  });

  it('show in short the event, its message, its key and its address', async () => {
    const hook = newHook();
    const { id } = await addKey(hook);
    await say();
    expect(await ended(id, 'succeeded')).toMatchObject({
      summary: 'Hello',
      message_id: null,
      api_key_name: (await dashboard.get('GET', `/api-keys/${id}`)).api_key.name,
      url: receiver.url(hook),
    });
  });

  it('forget failures with the first success', async () => {
    const hook = newHook();
    receiver.react(hook, (count) => ({ status: count === 1 ? 500 : 200 }));
    const { id } = await addKey(hook);
    await say();
    await ended(id, 'succeeded');
    await until(async () => {
      const rows = await stack.sql('select from webhook_failures where endpoint_id = $1', [id]);
      return rows.length === 0;
    });
  });

  it('carry the signatures of both secrets during a rotation, and of one after it', async () => {
    const hook = newHook();
    const { id, secret } = await addKey(hook);
    const { webhook_secret } = await dashboard.get(
      'POST',
      `/api-keys/${id}/webhook/rotate-secret`,
      { overlap_seconds: 3_600 },
    );
    await say();
    const event = await until(() => receiver.at(hook)[0]);
    for (const one of [secret, webhook_secret])
      new Webhook(one).verify(event.raw, event.headers as any);
    await stack.sql('update webhook_endpoints set previous_expires_at = now() where id = $1', [id]);
    // The database was changed behind the product's back: its worker learns that within a second.
    const later = await until(async () => {
      await say();
      const last = receiver.at(hook).at(-1);
      return last && !String(last.headers['webhook-signature']).includes(' ') && last;
    });
    expect(new Webhook(webhook_secret).verify(later.raw, later.headers as any)).toBeDefined();
    expect(() => new Webhook(secret).verify(later.raw, later.headers as any)).toThrow(
      'No matching signature',
    );
    expect(sealWebhookSecret(id, secret)).not.toContain(secret.slice(6));
  });

  it('carry the signature of a secret until its overlap ends, whatever is rotated meanwhile', async () => {
    const hook = newHook();
    const { id, secret } = await addKey(hook);
    const path = `/api-keys/${id}/webhook/rotate-secret`;
    const second = await dashboard.get('POST', path, { overlap_seconds: 3_600 });
    const third = await dashboard.get('POST', path);
    await say();
    const event = await until(() => receiver.at(hook)[0]);
    for (const one of [secret, second.webhook_secret, third.webhook_secret])
      new Webhook(one).verify(event.raw, event.headers as any);
    await dashboard.get('POST', `/api-keys/${id}/end-overlap`, { only: 'webhook' });
    // What was on its way still has three signatures.
    const later = await until(async () => {
      await say();
      const last = receiver.at(hook).at(-1);
      return last && !String(last.headers['webhook-signature']).includes(' ') && last;
    });
    new Webhook(third.webhook_secret).verify(later.raw, later.headers as any);
  });

  it('send a test event on demand', async () => {
    const hook = newHook();
    const { id } = await addKey(hook);
    const { delivery } = await dashboard.get('POST', `/api-keys/${id}/webhook/test`);
    expect(delivery).toMatchObject({ event: 'webhook.test', api_key_id: id });
    const event = await until(() => receiver.at(hook)[0]);
    expect(event.body).toMatchObject({
      event: 'webhook.test',
      data: { message: expect.any(String) },
    });
    expect(event.headers['webhook-id']).toBe(delivery.webhook_id);
    expect(event.headers['user-agent']).toBe(`Parley/${version}`);
  });

  it('are seen by those of the account only', async () => {
    const hook = newHook();
    const { id } = await addKey(hook);
    await say();
    const delivery = await ended(id, 'succeeded');
    const stranger = await Dashboard.administratorOf(stack, dashboard, installation.accountId);
    const own = await Dashboard.administratorOf(stack, dashboard, accountId);
    expect((await own.get('GET', `/webhook-deliveries/${delivery.id}`)).delivery.id).toBe(
      delivery.id,
    );
    expect((await stranger.call('GET', `/webhook-deliveries/${delivery.id}`)).status).toBe(404);
    expect(
      (await stranger.call('POST', `/webhook-deliveries/${delivery.id}/redeliver`)).status,
    ).toBe(404);
    expect((await stranger.call('POST', `/api-keys/${id}/webhook/test`)).status).toBe(404);
    const { deliveries } = await stranger.get('GET', '/webhook-deliveries');
    expect(deliveries.every((one: any) => one.account_id === installation.accountId)).toBe(true);
  });

  it('reach the key when you write on the sandbox phone', async () => {
    const hook = newHook();
    const { id } = await addWebhookKey(stack, receiver.url(hook));
    expect(id).toBeDefined();
    expect(await dashboard.get('GET', '/simulator/messages')).toEqual({
      messages: expect.any(Array),
    });
    const answer = await dashboard.call('POST', '/simulator/inbound', {
      from: '+14155550166',
      text: 'Hi',
      phone_number_id: demoNumber.phoneNumberId,
    });
    expect(answer.body.data).toEqual({ id: expect.stringMatching(/^wamid\./) });
    expect(
      (await dashboard.call('POST', '/simulator/messages/wamid.none/reply', { text: 'x' })).status,
    ).toBe(404);
  });
});
