import { createHmac } from 'node:crypto';
import {
  message,
  SimulatorUnderTest,
  textMessage,
  until,
  WebhookEndpoint,
} from './spec-support.js';
import { escapeLikePlatform } from './webhook-body.js';

const appSecret = 'secret';
const signed = (raw: string) =>
  `sha256=${createHmac('sha256', appSecret).update(raw, 'latin1').digest('hex')}`;

describe('webhooks', () => {
  const endpoint = new WebhookEndpoint();
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start({
      appSecret,
      webhookUrl: await endpoint.listen(),
      webhookRetryMs: 20,
      statusDelays: { sentMs: 5, deliveredMs: 45, readMs: 85 },
    });
  });
  afterAll(async () => {
    await simulator.close();
    await endpoint.close();
  });
  beforeEach(async () => {
    await simulator.reset();
    await simulator.call('PUT', '/_simulator/numbers', {
      phone_number_id: '7',
      business_account_id: '8',
      display_phone_number: '+44 20 7946 0000',
    });
    endpoint.clear();
  });

  const send = async (body: unknown): Promise<string> =>
    (await simulator.call('POST', '/7/messages', body)).json.messages[0].id;
  const statuses = (count: number) =>
    until(() => endpoint.statuses().length >= count && endpoint.statuses());
  const names = async (count: number) => (await statuses(count)).map(({ status }) => status);

  it('report sent, delivered and read, each in a call of its own', async () => {
    const id = await send(textMessage({ biz_opaque_callback_data: 'ours' }));
    await statuses(3);
    expect(endpoint.calls).toHaveLength(3);
    // Each has a connection of its own, so one may overtake another.
    const inOrder = ['sent', 'delivered', 'read'].map((status) =>
      endpoint.statuses().find((told) => told.status === status),
    );
    expect(inOrder).toEqual([
      {
        id,
        status: 'sent',
        timestamp: expect.stringMatching(/^\d{10}$/),
        recipient_id: '16505551234',
        recipient_user_id: 'US.100016505551234',
        biz_opaque_callback_data: 'ours',
        pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' },
      },
      expect.objectContaining({ id, status: 'delivered', biz_opaque_callback_data: 'ours' }),
      expect.objectContaining({ id, status: 'read', biz_opaque_callback_data: 'ours' }),
    ]);
    expect(endpoint.calls[0]?.json).toMatchObject({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '8',
          changes: [
            {
              field: 'messages',
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: '442079460000', phone_number_id: '7' },
                contacts: [{ wa_id: '16505551234', profile: { name: expect.any(String) } }],
              },
            },
          ],
        },
      ],
    });
  });

  it('are signed over the very bytes, which escape slashes and everything beyond ASCII', async () => {
    await send(textMessage({ biz_opaque_callback_data: 'a/é/🙂' }));
    await statuses(3);
    for (const { raw, signature } of endpoint.calls) {
      expect(raw).toContain(String.raw`a\/\u00e9\/\ud83d\ude42`);
      expect(signature).toBe(signed(raw));
    }
    expect(endpoint.statuses()[0].biz_opaque_callback_data).toBe('a/é/🙂');
  });

  it('report a failure by number, without contacts and with the code', async () => {
    await send(textMessage({ to: '+15551131026' }));
    const [failed] = await statuses(1);
    expect(failed).toMatchObject({
      status: 'failed',
      errors: [
        {
          code: 131026,
          title: 'Message undeliverable',
          message: 'Message undeliverable',
          error_data: { details: 'Message Undeliverable.' },
        },
      ],
    });
    expect(failed).not.toHaveProperty('recipient_user_id');
    expect(endpoint.changes()[0].value).not.toHaveProperty('contacts');
  });

  it('stop after a reset without reports, and start again after the next reset', async () => {
    for (const wrong of [{ reports: 'no' }, 'null', '']) {
      expect((await simulator.call('POST', '/_simulator/reset', wrong)).http).toBe(400);
    }
    await send(textMessage());
    await simulator.call('POST', '/_simulator/reset', { reports: false });
    const { json } = await simulator.call('GET', '/_simulator/messages');
    expect(json.messages).toEqual([]);
    endpoint.clear();
    await send(textMessage());
    expect((await simulator.call('GET', '/_simulator/stats')).json.webhooks).toBeNull();
    await simulator.reset();
    const id = await send(textMessage());
    expect((await statuses(3)).map((each) => each.id)).toEqual([id, id, id]);
  });

  it('name the number as WhatsApp knows it, in any country by a rule', async () => {
    const [to, known] = ['+2250787654321', '22587654321'];
    await simulator.call('POST', '/_simulator/rules', { match: { to }, fault: { wa_id: known } });
    await send(textMessage({ to }));
    await send(textMessage({ to: '+5215587654321' }));
    const told = await statuses(6);
    expect(new Set(told.map((each) => each.recipient_id))).toEqual(
      new Set([known, '525587654321']),
    );
  });

  it('name no phone when the message went to a user id', async () => {
    await send(textMessage({ to: undefined, recipient: 'US.1349' }));
    const [sent] = await statuses(1);
    expect(sent).toMatchObject({ recipient_user_id: 'US.1349' });
    expect(sent).not.toHaveProperty('recipient_id');
    await statuses(3);
  });

  it('end with "sent" for a reaction', async () => {
    const reaction = { message_id: 'wamid.x', emoji: '👍' };
    const reacted = await send(message('reaction', reaction));
    const after = await send(textMessage());
    // The text's reports all come later than those of the reaction would.
    const told = await statuses(4);
    expect(told.filter(({ id }) => id === reacted)).toMatchObject([
      { status: 'sent', pricing: { category: 'service' } },
    ]);
    expect(told.filter(({ id }) => id === after)).toHaveLength(3);
  });

  it('come twice and out of order for +15552000005', async () => {
    await send(textMessage({ to: '+15552000005' }));
    // Each copy is a request of its own, so a busy machine may let the last two statuses change places.
    const [first, second, ...others] = await names(6);
    expect([first, second]).toEqual(['read', 'read']);
    expect(others.map(String).toSorted()).toEqual(['delivered', 'delivered', 'sent', 'sent']);
  });

  it.each<[string, unknown, string[]]>([
    ['twice', 'statuses-twice', ['sent', 'sent', 'delivered', 'delivered', 'read', 'read']],
    ['out of order', 'statuses-out-of-order', ['read', 'sent', 'delivered']],
    ['as a failure', { failed: 131049 }, ['failed']],
  ])('come %s by rule', async (_, fault, expected) => {
    await simulator.rule(fault);
    await send(textMessage());
    expect(await names(expected.length)).toEqual(expected);
  });

  it('do not come by rule, and come late by rule', async () => {
    await simulator.rule('no-statuses', {}, 1);
    await simulator.rule({ statuses_delay_ms: 60 });
    await send(textMessage());
    const startedAt = performance.now();
    const late = await send(textMessage());
    const [first] = await statuses(1);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
    expect(first).toMatchObject({ id: late, status: 'sent' });
    await statuses(3);
    expect(endpoint.statuses()).toHaveLength(3);
  });

  it('come before the answer by rule', async () => {
    await simulator.rule('statuses-before-answer');
    const id = await send(textMessage());
    expect(endpoint.statuses()).toMatchObject([{ id, status: 'sent' }]);
    await statuses(3);
  });

  it('share a call by rule', async () => {
    await simulator.rule({ batch: 6 });
    await send(textMessage());
    await send(textMessage({ to: '+16505550002' }));
    await statuses(6);
    expect(endpoint.calls).toHaveLength(1);
    expect(endpoint.changes()).toHaveLength(1);
  });

  it('carry a wrong signature by rule, and are not repeated', async () => {
    await simulator.rule('bad-signature');
    endpoint.answers.push(401, 401, 401);
    await send(textMessage());
    await statuses(3);
    for (const { raw, signature } of endpoint.calls) expect(signature).not.toBe(signed(raw));
    await until(
      async () => (await simulator.call('GET', '/_simulator/stats')).json.webhooks.waiting === 0,
    );
  });

  it.each([500, 201, 401])('come again with the same bytes after a %i', async (status) => {
    await simulator.rule({ failed: 131026 });
    endpoint.answers.push(status, status);
    await send(textMessage());
    await statuses(3);
    expect(new Set(endpoint.calls.map(({ raw }) => raw)).size).toBe(1);
  });

  it('share calls when many wait, and lose none', async () => {
    await simulator.rule({ failed: 131026 });
    await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        send(textMessage({ biz_opaque_callback_data: `m${index}` })),
      ),
    );
    const all = await statuses(400);
    expect(new Set(all.map(({ biz_opaque_callback_data: id }) => id)).size).toBe(400);
  });

  it('do not report a message that was lost', async () => {
    await send(textMessage({ to: 'US.13491208655302741918' }));
    const id = await send(textMessage());
    const all = await statuses(3);
    expect(new Set(all.map((status) => status.id))).toEqual(new Set([id]));
  });

  it('need a secret to be signed with', async () => {
    await expect(SimulatorUnderTest.start({ webhookUrl: 'http://127.0.0.1:1/' })).rejects.toThrow(
      'SIMULATOR_APP_SECRET is required',
    );
  });
});

describe('webhooks to a receiver that is down', () => {
  it('wait until it is back', async () => {
    const away = new WebhookEndpoint();
    const url = await away.listen();
    const simulator = await SimulatorUnderTest.start({
      appSecret,
      webhookUrl: url,
      webhookRetryMs: 10,
      statusDelays: { sentMs: 0, deliveredMs: 0, readMs: 0 },
    });
    away.answers.push(...Array.from({ length: 12 }, () => 503));
    await simulator.send(textMessage());
    await simulator.send(textMessage());
    const seen = () => new Set(away.statuses().map(({ id, status }) => `${id} ${status}`)).size;
    await until(
      async () => (await simulator.call('GET', '/_simulator/stats')).json.webhooks.waiting === 0,
    );
    expect(seen()).toBe(6);
    await simulator.close();
    await away.close();
  });
});

describe('escapeLikePlatform', () => {
  it.each([
    ['plain', 'plain'],
    ['https://x', String.raw`https:\/\/x`],
    ['é', String.raw`\u00e9`],
    ['🙂', String.raw`\ud83d\ude42`],
  ])('writes %s as %s', (text, escaped) => {
    expect(escapeLikePlatform(text)).toBe(escaped);
  });
});
