import { hourMs } from '#libs/durations';
import { Conversations } from './conversations.js';
import { Ledger } from './ledger.js';
import { BusinessNumbers } from './numbers.js';
import { Prices } from './prices.js';
import {
  ownNumberId,
  SimulatorUnderTest,
  textMessage,
  until,
  WebhookEndpoint,
} from './spec-support.js';
import { Users } from './users.js';

const free = 'free_customer_service';
const billedFromMs = Date.parse('2026-10-01T00:00:00Z');
const ad = { source_id: '1', source_type: 'ad', source_url: 'https://fb.me/1' };

/** Prices after a user wrote to a number at a time. */
function pricesAfter(message: object, atMs: number) {
  const conversations = new Conversations(new Ledger(), () => {});
  const [user, number] = [new Users().byPhone('16505551234'), new BusinessNumbers().get('7')];
  conversations.receive({
    number,
    user,
    message: { type: 'text', text: { body: 'Hello' }, ...message },
    atMs,
  });
  const prices = new Prices(conversations);
  const typeOf = (category: string, sentMs: number, phoneNumberId = '7') =>
    prices.typeOf({ category, user, phoneNumberId, atMs: sentMs });
  return { prices, typeOf };
}

describe('the price of a message', () => {
  const wroteMs = billedFromMs - 2 * hourMs;
  const beforeMs = billedFromMs - 1;

  it.each([
    ['an answer', 'service', free, 'regular'],
    ['utility inside the window', 'utility', free, 'regular'],
    ['marketing', 'marketing', 'regular', 'regular'],
    ['a one-time code', 'authentication', 'regular', 'regular'],
  ])('of %s depends on the date', (_, category, before, since) => {
    const { typeOf } = pricesAfter({}, wroteMs);
    expect(typeOf(category, beforeMs)).toBe(before);
    expect(typeOf(category, billedFromMs)).toBe(since);
  });

  it.each([
    ['service', free],
    ['utility', free],
    ['marketing', 'regular'],
  ])('is as before that date while service is free: %s', (category, type) => {
    const { prices, typeOf } = pricesAfter({}, wroteMs);
    prices.put({ service: 'free' });
    expect(typeOf(category, billedFromMs)).toBe(type);
    expect(typeOf('utility', wroteMs + 25 * hourMs)).toBe('regular');
    expect(typeOf('utility', billedFromMs, '8')).toBe('regular');
  });

  it('is nothing for 72 hours after the user clicked an ad, at the number to which it led', () => {
    const { typeOf } = pricesAfter({ referral: ad }, billedFromMs);
    for (const category of ['service', 'utility', 'marketing']) {
      expect(typeOf(category, billedFromMs + 71 * hourMs)).toBe('free_entry_point');
      expect(typeOf(category, billedFromMs + 73 * hourMs)).toBe('regular');
      expect(typeOf(category, billedFromMs + hourMs, '8')).toBe('regular');
    }
  });
});

describe('the price in a status', () => {
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
  beforeEach(() => simulator.reset());

  const put = (body: unknown) => simulator.call('PUT', '/_simulator/prices', body);
  const priceOf = async () => {
    const [{ id }] = (await simulator.send(textMessage())).json.messages;
    const sent = await until(() =>
      endpoint.statuses().find((told) => told.id === id && told.status === 'sent'),
    );
    return sent.pricing;
  };
  const ofService = (billable: boolean, type: string) => ({
    billable,
    pricing_model: 'PMP',
    type,
    category: 'service',
  });

  it('is billed, unless service is free', async () => {
    expect((await simulator.call('GET', '/_simulator/prices')).json).toEqual({ service: 'billed' });
    expect(await priceOf()).toEqual(ofService(true, 'regular'));
    expect((await put({ service: 'free' })).json).toEqual({ service: 'free' });
    expect(await priceOf()).toEqual(ofService(false, free));
    await put({ service: 'billed' });
    expect(await priceOf()).toEqual(ofService(true, 'regular'));
  });

  it.each([[{}], [{ service: 'cheap' }], [{ service: 'free', of: 'all' }]])(
    'is not set by %j',
    async (body) => {
      expect((await put(body)).http).toBe(400);
    },
  );

  it('is nothing after an ad was clicked, until everything is forgotten', async () => {
    await simulator.call('POST', '/_simulator/inbound', {
      from: '+16505551234',
      text: 'Hello',
      phone_number_id: ownNumberId,
      referral: ad,
    });
    expect(await priceOf()).toEqual(ofService(false, 'free_entry_point'));
    await simulator.call('DELETE', '/_simulator/messages');
    expect(await priceOf()).toEqual(ofService(true, 'regular'));
  });
});
