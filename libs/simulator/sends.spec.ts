import { connect } from 'node:net';
import {
  buttonMessage,
  message,
  ownNumberId,
  SimulatorUnderTest,
  textMessage,
} from './spec-support.js';

describe('sending', () => {
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start();
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());

  it('answers an accepted message with its id, the number as it came and as digits', async () => {
    const { http, json, headers } = await simulator.send(textMessage());
    expect(http).toBe(200);
    expect(json).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: '+16505551234', wa_id: '16505551234' }],
      messages: [{ id: expect.stringMatching(/^wamid\.HBg[\w+/=]{30,}$/) }],
    });
    expect(headers.get('x-fb-trace-id')).toMatch(/^A/);
    expect(JSON.parse(headers.get('x-business-use-case-usage') ?? '')).toHaveProperty(
      '102290129340398',
    );
  });

  it('gives every message its own id, even for the same message twice and after a restart', async () => {
    const other = await SimulatorUnderTest.start();
    const answers = [
      await simulator.send(textMessage()),
      await simulator.send(textMessage()),
      await other.send(textMessage()),
    ];
    await other.close();
    expect(new Set(answers.map(({ json }) => json.messages[0].id)).size).toBe(3);
  });

  it.each(['', '/v21.0', '/v26.0'])('takes the path with prefix "%s"', async (prefix) => {
    const { http } = await simulator.call(
      'POST',
      `${prefix}/${ownNumberId}/messages`,
      textMessage(),
    );
    expect(http).toBe(200);
  });

  it('answers a user id with user_id and without wa_id', async () => {
    const { json } = await simulator.send(textMessage({ to: undefined, recipient: 'US.1349' }));
    expect(json.contacts).toEqual([{ input: 'US.1349', user_id: 'US.1349' }]);
  });

  it.each([
    ['Brazil', '+5531987654321', '553187654321'],
    ['Mexico', '+5215587654321', '525587654321'],
    ['Argentina', '+541187654321', '5491187654321'],
    ['Argentina, as it is known', '+5491187654321', '5491187654321'],
  ])('answers a number of %s as WhatsApp knows it', async (_, to, waId) => {
    const { json } = await simulator.send(textMessage({ to }));
    expect(json.contacts).toEqual([{ input: to, wa_id: waId }]);
  });

  it('prefers the phone number over a user id', async () => {
    const { json } = await simulator.send(textMessage({ recipient: 'US.1349' }));
    expect(json.contacts).toEqual([{ input: '+16505551234', wa_id: '16505551234' }]);
  });

  it('says that a template message was accepted', async () => {
    const { json } = await simulator.send(
      message('template', { name: 'hello_world', language: { code: 'en_US' } }),
    );
    expect(json.messages[0].message_status).toBe('accepted');
  });

  it.each([
    ['no header', {}, undefined],
    ['an empty token', { authorization: 'Bearer ' }, undefined],
    ['another scheme', { authorization: 'Basic abc' }, undefined],
    ['the token "invalid"', { authorization: 'Bearer invalid' }, undefined],
    ['an expired token', { authorization: 'Bearer expired-1' }, 463],
  ])(
    'refuses %s with 401 and code 190 before it looks at the body',
    async (_, headers, subcode) => {
      const { http, json } = await simulator.send('{not json', headers);
      expect(http).toBe(401);
      expect(json.error).toMatchObject({ type: 'OAuthException', code: 190 });
      expect(json.error.error_subcode).toBe(subcode);
      expect(json.error.fbtrace_id).toMatch(/^A/);
    },
  );

  it('treats a number id that is not a number as an unknown object', async () => {
    const { http, json } = await simulator.call('POST', '/v25.0/me/messages', textMessage());
    expect(http).toBe(400);
    expect(json.error).toMatchObject({
      type: 'GraphMethodException',
      code: 100,
      error_subcode: 33,
    });
  });

  it('refuses the business number as its own recipient', async () => {
    await simulator.call('PUT', '/_simulator/numbers', {
      phone_number_id: '77',
      business_account_id: '88',
      display_phone_number: '+1 555 078 3881',
    });
    const { json } = await simulator.call(
      'POST',
      '/77/messages',
      textMessage({ to: '+15550783881' }),
    );
    // The number would also stand for a code; its own rule is what a caller sees first.
    expect(json.error.code).toBe(783881);
    const own = await simulator.call('PUT', '/_simulator/numbers', {
      phone_number_id: '78',
      business_account_id: '88',
      display_phone_number: '+44 20 7946 0000',
    });
    expect(own.json.display_phone_number).toBe('442079460000');
    const refused = await simulator.call(
      'POST',
      '/78/messages',
      textMessage({ to: '+442079460000' }),
    );
    expect(refused.json.error.code).toBe(131021);
  });

  it.each([
    ['POST', '/v25.0/1/nonsense', 400, 2500],
    ['GET', '/v25.0/a/b/c', 400, 2500],
    ['DELETE', '/v25.0/123', 400, 100],
    ['GET', '/v25.0/abc', 400, 100],
  ])('answers %s %s in the platform’s error form', async (method, path, http, code) => {
    const answer = await simulator.call(method, path);
    expect(answer.http).toBe(http);
    expect(answer.json.error).toMatchObject({ code, fbtrace_id: expect.any(String) });
  });

  it('returns the state of a business number, only the fields asked for', async () => {
    const { json } = await simulator.call(
      'GET',
      `/v25.0/${ownNumberId}?fields=health_status,throughput`,
    );
    expect(json).toMatchObject({
      id: ownNumberId,
      throughput: { level: 'STANDARD' },
      health_status: { can_send_message: 'AVAILABLE' },
    });
    expect(json).not.toHaveProperty('quality_rating');
  });

  it.each(['/health/live', '/health/ready'])('answers %s without a token', async (path) => {
    expect((await simulator.call('GET', path, undefined, {})).http).toBe(200);
  });

  it('serves many sends over one connection', async () => {
    const body = JSON.stringify(buttonMessage());
    const request =
      `POST /1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer t\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(simulator.simulator.port, '127.0.0.1');
    socket.write(request.repeat(3));
    let text = '';
    for await (const chunk of socket) {
      text += String(chunk);
      if (text.split('wamid.').length === 4) break;
    }
    expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(3);
  });
});
