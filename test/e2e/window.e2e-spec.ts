import { dayMs } from '#libs/durations';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, listMessage, newRecipient, Stack } from '../support/stack.js';
import { definitions, map, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import {
  addWebhookKey,
  demoNumber,
  newWamid,
  notification,
  notify,
  textMessage,
} from '../support/webhooks.js';

const fallback = { template_name: 'plain', language: 'en_US', components: [] };

describe('the 24-hour window', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    await putTemplates(stack, Object.values(definitions));
    await sync(await Dashboard.signIn(stack));
    // WhatsApp has told of everything for a day.
    await write(newRecipient(), 25);
    await until(async () => (await windowOf(newRecipient())).state === 'closed');
  });

  afterAll(() => stack?.stop());

  const windowOf = async (phone: string) =>
    (await stack.get(`/contacts/window?phone=${encodeURIComponent(phone)}`)).body.data;

  /** A user writes, by WhatsApp's time so many hours ago. */
  async function write(from: string, hours: number): Promise<void> {
    const timestamp = String(Math.floor(Date.now() / 1_000 - hours * 3_600));
    const message = textMessage({ from: from.replace('+', ''), timestamp });
    expect((await notify(stack, notification({ messages: [message] }))).status).toBe(200);
  }

  /** A call begins or ends now. */
  async function reportCall(call: Record<string, unknown>, contact: object): Promise<void> {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const body = notification({
      contacts: [{ profile: { name: 'Mia' }, ...contact }],
      calls: [{ id: `wacid.${newWamid()}`, timestamp, ...call }],
    });
    for (const each of body.entry[0]?.changes ?? []) each.field = 'calls';
    expect((await notify(stack, body)).status).toBe(200);
  }

  /** A user whose window is open. */
  async function openUser(hours = 1): Promise<string> {
    const phone = newRecipient();
    await write(phone, hours);
    await until(async () => (await windowOf(phone)).state === 'open');
    return phone;
  }

  const sentTo = async (to: string) => (await stack.ledger(to)).map(({ type }) => type);

  it.each([
    ['an edit', { type: 'edit', edit: { original_message_id: 'wamid.A', message: {} } }],
    ['a revocation', { type: 'revoke', revoke: { original_message_id: 'wamid.A' } }],
    ['a message in a group', { group_id: 'group.1' }],
  ])('is not opened by %s', async (_, change) => {
    const phone = newRecipient();
    const message = textMessage({ from: phone.slice(1), ...change });
    await notify(stack, notification({ messages: [message] }));
    await until(async () => {
      const seen = await stack.get(`/contacts?phone=${encodeURIComponent(phone)}`);
      return seen.body.data.contacts.length === 1;
    });
    expect((await windowOf(phone)).state).toBe('closed');
  });

  it('is told by number and by user id', async () => {
    const phone = await openUser();
    const { state, expires_at, last_inbound_at } = await windowOf(phone);
    expect(state).toBe('open');
    expect(Date.parse(expires_at) - Date.parse(last_inbound_at)).toBe(dayMs);
    expect((await stack.get('/contacts/window?user_id=US.404')).body.data).toEqual({
      state: 'closed',
      expires_at: null,
      last_inbound_at: null,
    });
    const neither = await stack.get('/contacts/window');
    expect(neither.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { phone: expect.stringContaining('phone number') } },
    });
    const { key } = await addApiKey(stack, { permissions: ['view_messages'] });
    expect((await stack.get('/contacts/window?phone=%2B14155550123', { apiKey: key })).status).toBe(
      200,
    );
  });

  it('that is open lets every message pass, with and without a fallback', async () => {
    const to = await openUser();
    const plain = await stack.send('button', buttonMessage({ to, window: 'require_open' }));
    expect(plain.body.data).toEqual({ message_id: expect.any(String), status: 'sent' });
    const other = await stack.send('button', buttonMessage({ to, fallback }));
    expect(other.body.data).toMatchObject({ status: 'sent', sent_as: 'message' });
    expect(await sentTo(to)).toEqual(['interactive', 'interactive']);
  });

  it('is opened by a call of the user, and by no other call', async () => {
    const caller = newRecipient();
    const called = newRecipient();
    const userId = `US.${caller.slice(1)}`;
    const byUser = { from: caller.slice(1), to: demoNumber.displayPhoneNumber };
    const made = { from: byUser.to, to: called.slice(1), direction: 'BUSINESS_INITIATED' };
    const contact = { wa_id: called.slice(1) };
    await reportCall({ ...made, event: 'connect' }, contact);
    const others = [
      { event: 'terminate', direction: 'USER_INITIATED' },
      { event: 'connect', direction: 'SIDEWAYS' },
    ];
    for (const other of others) await reportCall({ ...made, from: made.to, ...other }, contact);
    await reportCall(
      { ...byUser, event: 'connect', direction: 'USER_INITIATED' },
      { wa_id: byUser.from, user_id: userId },
    );
    await until(async () => (await windowOf(caller)).state === 'open');
    await until(async () => {
      const [row] = await stack.sql(
        'select count(*)::int as open from platform_notifications where next_attempt_at is not null',
      );
      return row.open === 0;
    });
    expect((await windowOf(called)).state).toBe('closed');
    const byId = await stack.get(`/contacts/window?user_id=${userId}`);
    expect(byId.body.data.state).toBe('open');
    const message = buttonMessage({ to: caller, window: 'require_open' });
    expect((await stack.send('button', message)).body.data).toMatchObject({ status: 'sent' });
    const refused = buttonMessage({ to: called, window: 'require_open' });
    expect((await stack.send('button', refused)).body.error.code).toBe('WINDOW_CLOSED');
  });

  it('that is closed changes nothing where the message does not ask', async () => {
    const to = newRecipient();
    for (const window of [undefined, null, 'ignore']) {
      const sent = await stack.send('button', buttonMessage({ to, window }));
      expect(sent.body.data).toEqual({ message_id: expect.any(String), status: 'sent' });
    }
  });

  it('that is closed refuses a message that requires it, and the day is not charged', async () => {
    const { key } = await addApiKey(stack, { dailyLimit: 1 });
    const to = newRecipient();
    const refused = await stack.send(
      'list',
      listMessage({ to, window: 'require_open' }),
      {},
      { apiKey: key },
    );
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({
      code: 'WINDOW_CLOSED',
      details: { expired_at: null },
    });
    await write(to, 30);
    await until(async () => (await windowOf(to)).expires_at !== null);
    const again = await stack.send(
      'list',
      listMessage({ to, window: 'require_open' }),
      {},
      { apiKey: key },
    );
    const { expires_at } = await windowOf(to);
    expect(again.body.error.details.expired_at).toBe(expires_at);
    expect(await sentTo(to)).toEqual([]);
    const sent = await stack.send('list', listMessage({ to }), {}, { apiKey: key });
    expect(sent.status).toBe(200);
  });

  it.each([
    ['text', { body: 'Hello' }],
    ['media', { type: 'image', link: 'https://example.com/a.jpg' }],
  ])('that is closed sends the fallback of a message: %s', async (route, content) => {
    const to = newRecipient();
    const sent = await stack.request(`/messages/${route}`, {
      method: 'POST',
      body: { to, ...content, fallback },
    });
    expect(sent.body.data).toEqual({
      message_id: expect.any(String),
      status: 'sent',
      sent_as: 'fallback',
    });
    expect(await sentTo(to)).toEqual(['template']);
    const read = await stack.get(`/messages/${sent.body.data.message_id}`);
    expect(read.body.data).toMatchObject({ type: 'template', sent_as: 'fallback' });
  });

  it('is closed for the fallbacks that the overview counts', async () => {
    const operator = await Dashboard.signIn(stack);
    const counted = async () => (await operator.get('GET', '/overview')).fallbacks_last_24h;
    const before = await counted();
    const to = newRecipient();
    await stack.send('button', buttonMessage({ to, fallback }));
    expect(await counted()).toBe(before + 1);
  });

  it('that closes within half a minute sends the fallback', async () => {
    const to = await openUser(24 - 25 / 3_600);
    const sent = await stack.send('button', buttonMessage({ to, fallback }));
    expect(sent.body.data).toMatchObject({ sent_as: 'fallback' });
  });

  it('fills a fallback by the mapping of the key', async () => {
    const { id, key } = await addApiKey(stack);
    await map(await Dashboard.signIn(stack), id, 'plain', {});
    const to = newRecipient();
    const { components: _, ...named } = fallback;
    const sent = await stack.send(
      'button',
      buttonMessage({ to, fallback: named }),
      {},
      { apiKey: key },
    );
    expect(sent.body.data).toMatchObject({ sent_as: 'fallback' });
  });

  it('answers a repetition as it answered the first request, whatever the window is by then', async () => {
    const to = newRecipient();
    const headers = { 'idempotency-key': to };
    const first = await stack.send('button', buttonMessage({ to, fallback }), headers);
    expect(first.body.data.sent_as).toBe('fallback');
    await write(to, 1);
    await until(async () => (await windowOf(to)).state === 'open');
    const again = await stack.send('button', buttonMessage({ to, fallback }), headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    expect(await sentTo(to)).toEqual(['template']);
  });

  it('answers a repetition of a message that it would refuse by now', async () => {
    const to = await openUser(24 - 40 / 3_600);
    const headers = { 'idempotency-key': to };
    const body = buttonMessage({ to, window: 'require_open' });
    const first = await stack.send('button', body, headers);
    expect(first.body.data.status).toBe('sent');
    await stack.sql(
      `update contacts set last_inbound_at = last_inbound_at - interval '1 hour' where phone = $1`,
      [to],
    );
    expect((await windowOf(to)).state).toBe('closed');
    expect((await stack.send('button', body, headers)).body.data).toEqual(first.body.data);
  });

  describe('refuses, before anything is stored,', () => {
    const refused = async (given: object, apiKey?: string) => {
      const to = newRecipient();
      const options = apiKey === undefined ? {} : { apiKey };
      const answer = await stack.send(
        'button',
        buttonMessage({ to, fallback: given }),
        {},
        options,
      );
      expect(answer.status).toBeGreaterThanOrEqual(400);
      const listed = await stack.get(`/messages?to=${encodeURIComponent(to)}`);
      expect(listed.body.data.messages).toEqual([]);
      return answer.body.error;
    };

    it('a fallback without the permission for templates', async () => {
      const { key } = await addApiKey(stack, { permissions: ['send_text', 'view_messages'] });
      expect(await refused(fallback, key)).toMatchObject({
        code: 'PERMISSION_DENIED',
        details: { permission: 'send_template' },
      });
    });

    it.each<[string, object, string]>([
      ['an unknown template', { ...fallback, template_name: 'nothing' }, 'TEMPLATE_NOT_FOUND'],
      [
        'variables without a mapping',
        { template_name: 'plain', language: 'en_US' },
        'TEMPLATE_NOT_CONFIGURED',
      ],
      [
        'components that do not fit',
        { ...fallback, components: [{ type: 'body', parameters: [{ type: 'text', text: 'a' }] }] },
        'INVALID_TEMPLATE_PARAMS',
      ],
    ])('%s', async (_, given, code) => {
      expect((await refused(given)).code).toBe(code);
    });

    it('variables and components together, and fields that are wrong', async () => {
      const error = await refused({ ...fallback, variables: {} });
      expect(error.details.fields).toEqual({
        'fallback.variables': 'must not be given together with components',
      });
      expect((await refused({ components: [] })).details.fields).toEqual({
        'fallback.template_name': 'is required',
        'fallback.language': 'is required',
      });
    });
  });

  it('is checked in the playground as well', async () => {
    const { id } = await addApiKey(stack);
    const dashboard = await Dashboard.signIn(stack);
    const run = (change: object) =>
      dashboard.call('POST', '/playground', {
        api_key_id: id,
        type: 'button',
        payload: buttonMessage({ to: newRecipient(), ...change }),
      });
    const simulated = await run({ fallback });
    expect(simulated.body.data.platform_payload).toMatchObject({ type: 'template' });
    expect((await run({ window: 'require_open' })).body.error.code).toBe('WINDOW_CLOSED');
  });
});

describe('a message that WhatsApp refuses because the window is closed', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({ webhooks: true });
    await putTemplates(stack, Object.values(definitions));
    await sync(await Dashboard.signIn(stack));
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  /** A recipient to whom WhatsApp refuses everything but templates. */
  async function closedUser(fault: unknown): Promise<string> {
    const to = newRecipient();
    await stack.rules.add({ match: { to, type: 'interactive' }, fault });
    return to;
  }

  const byAnswer = () => closedUser({ code: 131047 });
  const byReport = () => closedUser({ failed: 131047 });

  const rowsTo = async (to: string) =>
    stack.sql(
      `select id, type, coalesce(receipt, status) as status, sent_as, fallback_for, fallback_message_id,
         error->>'fallbackReason' as reason
       from messages where recipient = $1 order by id`,
      [to],
    );

  const typesTo = async (to: string) => (await stack.ledger(to)).map(({ type }) => type);

  /** Both rows once the message is replaced and its fallback sent. */
  const pairTo = (to: string) =>
    until(async () => {
      const [original, second, ...others] = await rowsTo(to);
      const isSent = second?.status !== 'queued' && second?.status !== 'sending';
      return second && isSent && { original, second, others };
    }).catch(async () => {
      const open = await stack.sql(
        `select id, attempts, next_attempt_at from platform_notifications where next_attempt_at is not null`,
      );
      const events = await stack.sql(
        'select kind, state, attempts, error from notification_events order by id desc limit 5',
      );
      const told = { rows: await rowsTo(to), open, events };
      const simulated = { sends: await stack.ledger(to), stats: await stack.stats() };
      throw new Error(`no pair: ${JSON.stringify({ ...told, ...simulated })}`);
    });

  it('is replaced by its fallback, and the caller who waits hears of that', async () => {
    const to = await byAnswer();
    const sent = await stack.send('button', buttonMessage({ to, fallback, reference: 'r' }));
    const { original, second, others } = await pairTo(to);
    expect(sent.status).toBe(200);
    expect(sent.body.data).toEqual({
      message_id: second.id,
      status: 'sent',
      sent_as: 'fallback',
      fallback_for: original.id,
    });
    expect(others).toEqual([]);
    expect(original).toMatchObject({ status: 'failed', fallback_message_id: second.id });
    expect(second).toMatchObject({
      type: 'template',
      sent_as: 'fallback',
      fallback_for: original.id,
    });
    expect(await typesTo(to)).toEqual(['interactive', 'template']);
    const read = await stack.message(original.id);
    expect(read).toMatchObject({
      status: 'failed',
      sent_as: 'message',
      error: { whatsapp_error_code: 131047, fallback_message_id: second.id },
    });
    expect(await stack.message(second.id)).toMatchObject({
      sent_as: 'fallback',
      fallback_for: original.id,
      reference: 'r',
    });
  });

  it('is replaced once where WhatsApp says so later, however often', async () => {
    const to = await byReport();
    const sent = await stack.send('button', buttonMessage({ to, fallback }));
    expect(sent.body.data).toMatchObject({ status: 'sent', sent_as: 'message' });
    const { original } = await pairTo(to);
    const [{ id: wamid } = { id: '' }] = await stack.tries(original.id);
    const failed = {
      id: wamid,
      status: 'failed',
      timestamp: String(Math.floor(Date.now() / 1_000)),
      biz_opaque_callback_data: original.id,
      errors: [{ code: 131047, title: 'Re-engagement message' }],
    };
    for (let time = 0; time < 2; time += 1) {
      expect((await notify(stack, notification({ statuses: [failed] }))).status).toBe(200);
    }
    await until(async () => {
      const [row] = await stack.sql(
        'select count(*)::int as open from platform_notifications where next_attempt_at is not null',
      );
      return row.open === 0;
    });
    expect(await rowsTo(to)).toHaveLength(2);
    expect(await typesTo(to)).toEqual(['interactive', 'template']);
  });

  it('is answered as its fallback to every repetition', async () => {
    const to = await byReport();
    const headers = { 'idempotency-key': to };
    const body = buttonMessage({ to, fallback });
    await stack.send('button', body, headers);
    const { original, second } = await pairTo(to);
    const again = await stack.send('button', body, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual({
      message_id: second.id,
      status: 'sent',
      sent_as: 'fallback',
      fallback_for: original.id,
    });
  });

  it('costs no further unit of the day', async () => {
    const { key } = await addApiKey(stack, { dailyLimit: 1 });
    const to = await byAnswer();
    const sent = await stack.send('button', buttonMessage({ to, fallback }), {}, { apiKey: key });
    expect(sent.body.data.sent_as).toBe('fallback');
  });

  it('and whose fallback is refused as well is answered with the refusal of that', async () => {
    const to = await byAnswer();
    await stack.rules.add({ match: { to, type: 'template' }, fault: { code: 131026 } });
    const sent = await stack.send('button', buttonMessage({ to, fallback }));
    const { second } = await pairTo(to);
    expect(sent.status).toBe(400);
    expect(sent.body.error).toMatchObject({
      code: 'MESSAGE_SEND_FAILED',
      details: { message_id: second.id, whatsapp_error_code: 131026 },
    });
  });

  it('tells the webhook of its key which message took its place', async () => {
    const { key } = await addWebhookKey(stack, receiver.url('/replaced'));
    const to = await byAnswer();
    const sent = await stack.send('button', buttonMessage({ to, fallback }), {}, { apiKey: key });
    const failed = await until(async () =>
      receiver.at('/replaced').find(({ body }) => body.data.status === 'failed'),
    );
    expect(failed.body.data).toMatchObject({
      message_id: sent.body.data.fallback_for,
      error: { whatsapp_error_code: 131047, fallback_message_id: sent.body.data.message_id },
    });
  });

  it('is not sent again from the dashboard', async () => {
    const to = await byAnswer();
    await stack.send('button', buttonMessage({ to, fallback }));
    const { original, second } = await pairTo(to);
    const dashboard = await Dashboard.signIn(stack);
    const answer = await dashboard.call('POST', `/messages/${original.id}/resend`);
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      expect.stringContaining(second.id),
    ]);
  });

  describe('is not replaced', () => {
    const failsAlone = async (to: string, reason: string | null) => {
      const [row, ...others] = await until(async () => {
        const rows = await rowsTo(to);
        return rows[0]?.status === 'failed' && rows;
      });
      expect({ reason: row.reason, replaced: row.fallback_message_id, others }).toEqual({
        reason,
        replaced: null,
        others: [],
      });
      return row;
    };

    it('after another refusal', async () => {
      for (const code of [131026, 130472, 131049]) {
        const to = await closedUser({ code });
        const sent = await stack.send('button', buttonMessage({ to, fallback }));
        expect(sent.body.error.details.whatsapp_error_code).toBe(code);
        await failsAlone(to, null);
      }
    });

    it('without a fallback', async () => {
      const to = await byAnswer();
      await stack.send('button', buttonMessage({ to }));
      await failsAlone(to, null);
    });

    it.each<[string, string, string]>([
      [
        'too_late',
        'the refusal comes more than an hour later',
        `update messages set sent_at = sent_at - interval '2 hours' where id = $1`,
      ],
      [
        'key_not_allowed',
        'the key is revoked',
        `update api_keys set revoked_at = now() where id = (select api_key_id from messages where id = $1)`,
      ],
      [
        'key_not_allowed',
        'the key has lost the permission',
        `update api_keys set permissions = '{send_text}' where id = (select api_key_id from messages where id = $1)`,
      ],
      [
        'template_not_approved',
        'the template is paused',
        `update templates set status = 'PAUSED' where name = 'plain' and account_id = (select account_id from messages where id = $1)`,
      ],
    ])('%s: %s', async (reason, _, change) => {
      const { key } = await addApiKey(stack);
      const to = await closedUser('no-statuses');
      const sent = await stack.send('button', buttonMessage({ to, fallback }), {}, { apiKey: key });
      const id = sent.body.data.message_id;
      await stack.sql(change, [id]);
      const [{ id: wamid } = { id: '' }] = await stack.tries(id);
      const failed = {
        id: wamid,
        status: 'failed',
        timestamp: String(Math.floor(Date.now() / 1_000)),
        biz_opaque_callback_data: id,
        errors: [{ code: 131047, title: 'Re-engagement message' }],
      };
      await notify(stack, notification({ statuses: [failed] }));
      await failsAlone(to, reason);
      await stack.sql(`update templates set status = 'APPROVED' where name = 'plain'`);
      const read = await stack.message(id);
      expect(read.error).toMatchObject({ whatsapp_error_code: 131047, fallback_reason: reason });
    });
  });
});
