import {
  buttonMessage,
  message,
  ownNumberId,
  SimulatorUnderTest,
  textMessage,
  until,
  WebhookEndpoint,
} from './spec-support.js';

describe('the 24-hour window', () => {
  const endpoint = new WebhookEndpoint();
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start({
      appSecret: 's',
      webhookUrl: await endpoint.listen(),
      statusDelays: { sentMs: 1, deliveredMs: 2, readMs: 3 },
    });
  });
  afterAll(async () => {
    await simulator.close();
    await endpoint.close();
  });
  beforeEach(async () => {
    await simulator.reset();
    endpoint.clear();
  });

  const from = '+16505551234';
  const put = (path: string, body: unknown) => simulator.call('PUT', `/_simulator/${path}`, body);
  const forAll = (window: string) => put('window', { window });
  const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
  const inbound = (more: object = {}) =>
    simulator.call('POST', '/_simulator/inbound', {
      from,
      text: 'Hello',
      phone_number_id: ownNumberId,
      ...more,
    });
  /** 200, or the code of the refusal. */
  const sent = async (body: unknown = textMessage()): Promise<number> => {
    const { http, json } = await simulator.send(body);
    return http === 200 ? http : json.error.code;
  };
  const lastEntry = async () =>
    (await simulator.call('GET', '/_simulator/messages')).json.messages.at(-1);
  /** Calls of the test before may still come in, but none of them says `failed`. */
  const failures = () => endpoint.statuses().filter(({ status }) => status === 'failed');
  /** The last status of a message: `read` or `failed`. */
  const statusOf = async (body: unknown = textMessage()): Promise<string> => {
    const [{ id }] = (await simulator.send(body)).json.messages;
    const reported = () => endpoint.statuses().filter((status) => status.id === id);
    return until(() => reported().find(({ status }) => /read|failed/.test(status))?.status);
  };

  it('is off by default', async () => {
    expect((await simulator.call('GET', '/_simulator/window')).json).toEqual({ window: 'off' });
    expect(await sent()).toBe(200);
    expect(await statusOf()).toBe('read');
  });

  it('refuses by answer', async () => {
    expect((await forAll('answer')).json).toEqual({ window: 'answer' });
    const { http, json } = await simulator.send(textMessage());
    expect([http, json.error]).toEqual([
      400,
      expect.objectContaining({
        message: '(#131047) Re-engagement message',
        code: 131047,
        error_data: {
          messaging_product: 'whatsapp',
          details: expect.stringContaining('more than 24 hours have passed'),
        },
      }),
    ]);
    const refused = { outcome: 'refused', error_code: 131047, answered: 400, id: null };
    expect(await lastEntry()).toMatchObject(refused);
    expect(failures()).toEqual([]);
  });

  it('accepts, and reports only that it failed', async () => {
    await forAll('notification');
    const [{ id }] = (await simulator.send(textMessage())).json.messages;
    await until(() => failures().length > 0);
    expect(endpoint.statuses().filter((status) => status.id === id)).toEqual([
      expect.objectContaining({
        status: 'failed',
        recipient_id: '16505551234',
        errors: [expect.objectContaining({ code: 131047, title: 'Re-engagement message' })],
      }),
    ]);
    expect(await lastEntry()).toMatchObject({ outcome: 'accepted', status: 'failed' });
  });

  it.each<[string, unknown]>([
    ['buttons', buttonMessage()],
    ['a reaction', message('reaction', { message_id: 'wamid.x', emoji: '👍' })],
    ['a message to a user id', textMessage({ to: undefined, recipient: 'US.100016505551234' })],
  ])('holds for %s', async (_, body) => {
    await forAll('answer');
    expect(await sent(body)).toBe(131047);
    await inbound();
    expect(await sent(body)).toBe(200);
  });

  it.each<[string, object]>([
    ['a template', message('template', { name: 'hello_world', language: { code: 'en_US' } })],
    ['a message to a group', textMessage({ recipient_type: 'group', to: 'g' })],
    ['a message that is lost anyhow', textMessage({ to: 'US.1349' })],
  ])('does not hold for %s', async (_, body) => {
    await forAll('answer');
    expect(await sent(body)).toBe(200);
  });

  it('does not hold for marking a message as read', async () => {
    await forAll('answer');
    const { json } = await inbound({ timestamp: secondsAgo(2 * 24 * 60 * 60) });
    const read = { messaging_product: 'whatsapp', status: 'read', message_id: json.id };
    expect(await sent(read)).toBe(200);
    expect(await sent()).toBe(131047);
  });

  it('comes after the checks of the message', async () => {
    await forAll('answer');
    expect(await sent(message('text', { body: '' }))).toBe(100);
  });

  it('is open for 24 hours after a message, and then closed', async () => {
    await forAll('answer');
    const day = 24 * 60 * 60;
    await inbound({ timestamp: secondsAgo(day + 1) });
    expect(await sent()).toBe(131047);
    await inbound({ timestamp: secondsAgo(day - 60) });
    expect(await sent()).toBe(200);
    await inbound({ timestamp: secondsAgo(2 * day) });
    expect(await sent()).toBe(200);
  });

  it('is opened by an answer', async () => {
    const [{ id }] = (await simulator.send(textMessage())).json.messages;
    await forAll('answer');
    const path = `/_simulator/messages/${encodeURIComponent(id)}/reply`;
    await simulator.call('POST', path, { text: 'Yes' });
    expect(await sent()).toBe(200);
  });

  it.each<[string, object]>([
    [
      'a reaction',
      { message: { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } } },
    ],
    ['a message to another number', { phone_number_id: '7' }],
    ['a message of another user', { from: '+16505550000' }],
  ])('is not opened by %s', async (_, received) => {
    await forAll('answer');
    expect((await inbound(received)).http).toBe(200);
    expect(await sent()).toBe(131047);
  });

  it('is the user’s, however they are named', async () => {
    await forAll('answer');
    await put('users', { phone: from, user_id: 'US.1234', hides_phone: true });
    await inbound();
    expect(await sent(textMessage({ to: undefined, recipient: 'US.1234' }))).toBe(200);
    await inbound({ from: undefined, user_id: 'US.777' });
    expect(await sent(textMessage({ to: undefined, recipient: 'US.777' }))).toBe(200);
    expect(await sent(textMessage({ to: undefined, recipient: 'US.888' }))).toBe(131047);
  });

  it('can be closed for one user only', async () => {
    expect((await put('users', { phone: from, window: 'answer' })).json.window).toBe('answer');
    expect(await sent()).toBe(131047);
    expect(await sent(textMessage({ to: '+16505550000' }))).toBe(200);
    await put('users', { phone: from, name: 'Mia' });
    const change = { phone: from, new_user_id: 'US.4321' };
    await simulator.call('POST', '/_simulator/users/change', {
      ...change,
      phone_number_id: ownNumberId,
    });
    expect(await sent()).toBe(131047);
  });

  it('follows the setting of all unless the user has one', async () => {
    await forAll('answer');
    await put('users', { phone: from, window: 'notification' });
    expect(await statusOf()).toBe('failed');
    expect(await sent(textMessage({ to: '+16505550000' }))).toBe(131047);
    for (const window of ['off', null]) {
      await put('users', { phone: from, window: 'notification' });
      expect((await put('users', { phone: from, window })).json.window).toBe('off');
      expect(await sent()).toBe(131047);
    }
    await forAll('off');
    expect(await sent()).toBe(200);
  });

  it.each(['answer', 'notification'])('leaves the last word to a fault: %s', async (window) => {
    await forAll(window);
    await simulator.rule({ code: 131026 }, {}, 1);
    expect(await sent()).toBe(131026);
    await simulator.rule({ failed: 131049 }, {}, 1);
    expect(await statusOf()).toBe('failed');
    expect(failures()).toEqual([
      expect.objectContaining({ errors: [expect.objectContaining({ code: 131049 })] }),
    ]);
    expect(await sent(textMessage({ to: '+15550131056' }))).toBe(131056);
    await simulator.rule({ status_code: 200, body: {}, accept: true }, {}, 1);
    expect(await sent()).toBe(200);
    expect(await until(async () => (await lastEntry()).status === 'read')).toBe(true);
  });

  it('goes together with faults that say nothing about it', async () => {
    await forAll('notification');
    await simulator.rule('statuses-twice');
    expect(await statusOf()).toBe('failed');
    expect(await until(() => failures().length === 2)).toBe(true);
    await forAll('answer');
    expect(await sent()).toBe(131047);
  });

  it('is told for one user', async () => {
    const told = async (more = `&phone_number_id=${ownNumberId}`) =>
      (await simulator.call('GET', `/_simulator/window?phone=%2B16505551234${more}`)).json;
    expect(await told()).toEqual({ window: 'off', is_open: false });
    await forAll('answer');
    expect(await told()).toEqual({ window: 'answer', is_open: false });
    await put('users', { phone: from, window: 'notification' });
    await inbound();
    expect(await told()).toEqual({ window: 'notification', is_open: true });
    expect(await told('')).toEqual({ window: 'notification', is_open: true });
    expect(await told('&phone_number_id=7')).toEqual({ window: 'notification', is_open: false });
    expect((await told('&phone_number_id=x')).error.message).toMatch(/phone_number_id/);
  });

  it.each<[string, string, unknown, RegExp]>([
    ['another word', 'window', { window: 'closed' }, /window must be one of off, answer, notif/],
    ['null for all', 'window', { window: null }, /window must be one of/],
    ['nothing for all', 'window', {}, /window must be one of/],
    ['another field', 'window', { window: 'off', phone: from }, /takes window, not "phone"/],
    ['a list', 'window', [], /the body must be a JSON object/],
    ['another word for a user', 'users', { phone: from, window: true }, /window must be one of/],
  ])('is not set by %s', async (_, path, body, reason) => {
    const { http, json } = await put(path, body);
    expect([http, json.error.message]).toEqual([400, expect.stringMatching(reason)]);
    expect(await sent()).toBe(200);
  });

  it('is off again after a reset', async () => {
    await forAll('answer');
    await put('users', { phone: from, window: 'notification' });
    await simulator.reset();
    expect((await simulator.call('GET', '/_simulator/window')).json).toEqual({ window: 'off' });
    expect(await statusOf()).toBe('read');
  });
});
