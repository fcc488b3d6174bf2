import type { JsonObject } from './checks.js';
import {
  ownNumberId,
  SimulatorUnderTest,
  textMessage,
  until,
  WebhookEndpoint,
} from './spec-support.js';

const accountId = '102290129340398';
const pin = '123456';

describe('setting up a number', () => {
  const endpoint = new WebhookEndpoint();
  const clock = { ms: Date.UTC(2026, 10, 26) };
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start({
      appSecret: 'secret',
      webhookUrl: await endpoint.listen(),
      statusDelays: { sentMs: 1, deliveredMs: 2, readMs: 3 },
      now: () => clock.ms,
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

  const put = async (fields: JsonObject) =>
    simulator.call('PUT', '/_simulator/numbers', {
      phone_number_id: ownNumberId,
      business_account_id: accountId,
      ...fields,
    });
  const token = (fields: JsonObject) =>
    simulator.call('PUT', '/_simulator/tokens', { access_token: 'token', ...fields });
  const graph = (method: string, path: string, body?: unknown) =>
    simulator.call(method, `/v25.0/${path}`, body);
  const register = (given: unknown) =>
    graph('POST', `${ownNumberId}/register`, { messaging_product: 'whatsapp', pin: given });
  const statusOfNumber = async () =>
    (await graph('GET', `${ownNumberId}?fields=status,health_status`)).json;
  const apps = async () => (await graph('GET', `${accountId}/subscribed_apps`)).json.data;
  const debug = async (inspected = 'token') =>
    (await graph('GET', `debug_token?input_token=${inspected}`)).json.data;

  it('is not needed: a number is registered, subscribed and paid for', async () => {
    expect((await put({})).json).toMatchObject({
      registered: true,
      subscribed: true,
      has_payment_method: true,
    });
    expect(await statusOfNumber()).toMatchObject({ status: 'CONNECTED' });
    expect(await apps()).toHaveLength(1);
    const { json } = await graph('GET', `${accountId}?fields=primary_funding_id`);
    expect(json).toEqual({ id: accountId, primary_funding_id: '500000000000001' });
  });

  it('keeps what is not mentioned, and never shows the PIN', async () => {
    await put({ registered: false, pin, subscribed: false, has_payment_method: false });
    const { json } = await put({ display_phone_number: '+44 20 7946 0000' });
    expect(json).toEqual({
      phone_number_id: ownNumberId,
      business_account_id: accountId,
      display_phone_number: '442079460000',
      registered: false,
      quality_rating: 'GREEN',
      messaging_limit: 'TIER_UNLIMITED',
      name_status: 'APPROVED',
      standby: false,
      subscribed: false,
      has_payment_method: false,
    });
    expect((await simulator.call('GET', '/_simulator/numbers')).json.numbers).toEqual([json]);
  });

  it.each([
    [{ registered: 'no' }, 'registered must be true or false'],
    [{ subscribed: 1 }, 'subscribed must be true or false'],
    [{ has_payment_method: null }, 'has_payment_method must be true or false'],
    [{ quality_rating: 'red' }, 'quality_rating must be in capitals, such as GREEN'],
    [{ messaging_limit: 2000 }, 'messaging_limit must be in capitals, such as TIER_2K'],
    [{ pin: '12345' }, 'pin must be a string of six digits'],
  ])('takes no %j', async (fields, message) => {
    const { http, json } = await put(fields);
    expect([http, json.error.message]).toEqual([400, message]);
  });

  describe('its registration', () => {
    it('is needed to send', async () => {
      await put({ registered: false });
      expect((await simulator.send(textMessage())).json.error.code).toBe(133010);
      expect(await statusOfNumber()).toMatchObject({
        status: 'PENDING',
        health_status: { can_send_message: 'BLOCKED' },
      });
      expect((await register(pin)).json).toEqual({ success: true });
      expect((await simulator.send(textMessage())).http).toBe(200);
      expect(await statusOfNumber()).toMatchObject({ status: 'CONNECTED' });
      await graph('POST', `${ownNumberId}/deregister`);
      expect(await statusOfNumber()).toMatchObject({ status: 'PENDING' });
    });

    it('sets the PIN, and needs the same one from then on', async () => {
      await register(pin);
      const { http, json } = await register('654321');
      expect([http, json.error.code, json.error.type]).toEqual([400, 133005, 'OAuthException']);
      expect((await register(pin)).http).toBe(200);
      await put({ pin: null });
      expect((await register('654321')).http).toBe(200);
    });

    it.each([['12345'], ['1234567'], [123456], [undefined]])(
      'takes six digits, not %j',
      async (given) => {
        const { http, json } = await register(given);
        expect([http, json.error.code]).toEqual([400, 100]);
      },
    );

    it.each([['not JSON'], ['[]'], [{ pin }]])('takes no body %j', async (body) => {
      const { http, json } = await graph('POST', `${ownNumberId}/register`, body);
      expect([http, json.error.code]).toEqual([400, 100]);
    });
  });

  it('has the quality, the messaging limit and the name review that were put', async () => {
    await put({ quality_rating: 'RED', messaging_limit: 'TIER_2K', name_status: 'DECLINED' });
    const fields = 'quality_rating,name_status,whatsapp_business_manager_messaging_limit';
    expect((await graph('GET', `${ownNumberId}?fields=${fields}`)).json).toMatchObject({
      quality_rating: 'RED',
      whatsapp_business_manager_messaging_limit: 'TIER_2K',
      name_status: 'DECLINED',
    });
  });

  it('sends webhooks of an account only while an app is subscribed to it', async () => {
    await graph('DELETE', `${accountId}/subscribed_apps`);
    expect(await apps()).toEqual([]);
    const write = (text: string) =>
      simulator.call('POST', '/_simulator/inbound', {
        from: '+16505551234',
        text,
        phone_number_id: ownNumberId,
      });
    await write('before');
    expect((await graph('POST', `${accountId}/subscribed_apps`)).json).toEqual({ success: true });
    await write('after');
    await until(() => endpoint.messages().length > 0);
    expect(endpoint.messages().map(({ text }) => text.body)).toEqual(['after']);
  });

  it('has no id of funding without a payment method', async () => {
    await put({ has_payment_method: false });
    const { json } = await graph('GET', `${accountId}?fields=primary_funding_id`);
    expect(json).toEqual({ id: accountId });
    const unknown = await graph('GET', `${accountId}?fields=primary_funding_id,shoe_size`);
    expect(unknown.json.error).toMatchObject({ code: 100 });
  });

  describe('an access token', () => {
    it('has both permissions and no end', async () => {
      expect(await debug('another')).toMatchObject({
        is_valid: true,
        scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
        expires_at: 0,
      });
    });

    it('that WhatsApp does not know is not valid', async () => {
      expect(await debug('expired-1')).toMatchObject({
        is_valid: false,
        scopes: [],
        error: { code: 190 },
      });
      const { http, json } = await graph('GET', 'debug_token');
      expect([http, json.error.code]).toEqual([400, 100]);
    });

    it('without the permission to manage reaches no business account', async () => {
      await token({ scopes: ['whatsapp_business_messaging'] });
      expect((await debug()).scopes).toEqual(['whatsapp_business_messaging']);
      for (const path of [
        `${accountId}/subscribed_apps`,
        `${accountId}?fields=primary_funding_id`,
        `${accountId}/message_templates`,
      ]) {
        const { http, json } = await graph('GET', path);
        expect([http, json.error.code]).toEqual([403, 200]);
      }
      expect((await register(pin)).json.error.code).toBe(200);
      expect((await simulator.send(textMessage())).http).toBe(200);
    });

    it('ends at its time', async () => {
      const end = clock.ms / 1000 + 60;
      await token({ expires_at: end });
      expect(await debug()).toMatchObject({ is_valid: true, expires_at: end });
      clock.ms += 60_000;
      expect((await graph('GET', ownNumberId)).json.error.code).toBe(190);
    });

    it.each([
      [{ access_token: '' }],
      [{ scopes: 'all' }],
      [{ scopes: [1] }],
      [{ expires_at: -1 }],
      [{ expires_at: 'soon' }],
      [{ owner: 'me' }],
    ])('takes no %j', async (fields) => {
      expect((await token(fields)).http).toBe(400);
    });
  });

  describe('the handshake', () => {
    const shake = async (body: unknown) => simulator.call('POST', '/_simulator/handshake', body);

    it('is confirmed only by a receiver that repeats the challenge', async () => {
      const { json } = await shake({ verify_token: 'wrong' });
      expect(json).toEqual({ confirmed: false, status: 200 });
      expect((await shake({})).http).toBe(400);
    });

    it('needs a receiver', async () => {
      const silent = await SimulatorUnderTest.start();
      const body = { verify_token: 'x' };
      expect((await silent.call('POST', '/_simulator/handshake', body)).http).toBe(409);
      await silent.close();
    });
  });

  it('meets faults of the type management, which touch no send', async () => {
    await simulator.rule({ code: 133008 }, { type: 'management', phone_number_id: ownNumberId });
    expect((await register(pin)).json.error.code).toBe(133008);
    expect((await simulator.send(textMessage())).http).toBe(200);
    expect(await apps()).toHaveLength(1);
    await simulator.rule('bad-gateway', { type: 'management' });
    expect((await graph('GET', `${accountId}/subscribed_apps`)).http).toBe(502);
    await simulator.rule('drop', { type: 'management', phone_number_id: 'debug_token' });
    await simulator.call('DELETE', '/_simulator/rules/2');
    await expect(debug()).rejects.toThrow('fetch failed');
  });
});
