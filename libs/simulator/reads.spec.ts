import { message, ownNumberId, SimulatorUnderTest, textMessage } from './spec-support.js';

describe('marking as read', () => {
  const from = '+16505551234';
  const clock = { ms: Date.UTC(2026, 10, 25) };
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start({ now: () => clock.ms });
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());

  const inbound = async (more: object = {}): Promise<string> => {
    const body = { from, text: 'Hello', phone_number_id: ownNumberId, ...more };
    return (await simulator.call('POST', '/_simulator/inbound', body)).json.id;
  };
  const read = (message_id: unknown, more: object = {}) =>
    simulator.send({ messaging_product: 'whatsapp', status: 'read', message_id, ...more });
  const typing = { typing_indicator: { type: 'text' } };
  const conversation = async (query = '', of = from) =>
    (await simulator.call('GET', `/_simulator/conversation?to=${of.slice(1)}${query}`)).json;
  /** The ids of the messages that are read, in the order of the conversation. */
  const readIds = async (of = from): Promise<string[]> =>
    (await conversation('', of)).messages
      .filter((turn: { is_read?: boolean }) => turn.is_read === true)
      .map(({ id }: { id: string }) => id);

  it('is answered with success, and is no message', async () => {
    const { http, json } = await read(await inbound());
    expect([http, json]).toEqual([200, { success: true }]);
    expect((await simulator.call('GET', '/_simulator/stats')).json.arrived).toBe(0);
  });

  it('holds for the message and what the user had written before it', async () => {
    const ids = [await inbound(), await inbound(), await inbound()];
    expect(await readIds()).toEqual([]);
    await read(ids[1]);
    expect(await readIds()).toEqual(ids.slice(0, 2));
  });

  it('holds for an older message that came late', async () => {
    const [newer, older] = [await inbound(), await inbound({ timestamp: 1_700_000_000 })];
    await read(newer);
    expect(await readIds()).toEqual([older, newer]);
  });

  it('leaves other users and other business numbers alone', async () => {
    const other = '+16505559999';
    await inbound({ from: other });
    await inbound({ phone_number_id: '55' });
    const id = await inbound();
    await read(id);
    expect(await readIds(other)).toEqual([]);
    expect(await readIds()).toEqual([id]);
  });

  it('is no field of the messages to the user', async () => {
    await simulator.send(textMessage());
    expect((await conversation()).messages[0]).not.toHaveProperty('is_read');
  });

  it.each<[string, object, number, RegExp]>([
    ['no message', { message_id: undefined }, 100, /message_id is required/],
    ['an id that is a number', { message_id: 1 }, 100, /message_id must be a string/],
    ['another status', { status: 'delivered' }, 100, /status must be one of {READ}/],
    ['an unknown field', { to: from }, 100, /Unexpected key "to"/],
    ['no product', { messaging_product: undefined }, 100, /messaging_product is required/],
    ['typing of another type', { typing_indicator: { type: 'audio' } }, 100, /one of {TEXT}/],
    ['an unknown field of typing', { typing_indicator: { type: 'text', x: 1 } }, 100, /key "x"/],
    ['a message that nobody sent', { message_id: 'wamid.x' }, 131009, /#131009/],
  ])('is refused with %s', async (_, parts, code, text) => {
    const id = await inbound();
    const { http, json } = await read(id, parts);
    expect([http, json.error]).toEqual([
      400,
      expect.objectContaining({ code, message: expect.stringMatching(text) }),
    ]);
    expect(await readIds()).toEqual([]);
  });

  it('is refused for a message to another business number, and for one of ours', async () => {
    const [{ id }] = (await simulator.send(textMessage())).json.messages;
    for (const each of [await inbound({ phone_number_id: '55' }), id]) {
      expect((await read(each)).json.error.code).toBe(131009);
    }
  });

  it('needs a token', async () => {
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: await inbound() };
    expect((await simulator.send(body, {})).http).toBe(401);
  });

  it('counts for the throughput of the number, but not for that of a pair', async () => {
    const id = await inbound();
    await simulator.rule({ pair_refill_seconds: 1000, burst: 1 });
    await simulator.rule({ messages_per_second: 0.001, burst: 2 });
    expect((await read(id)).http).toBe(200);
    expect((await simulator.send(textMessage())).http).toBe(200);
    expect((await read(id)).json.error.code).toBe(130429);
    expect((await simulator.send(textMessage())).json.error.code).toBe(131056);
  });

  it('fails by a rule of type "read", and by no other', async () => {
    const id = await inbound();
    await simulator.rule({ code: 131016 });
    expect((await read(id)).http).toBe(200);
    await simulator.rule({ code: 131000 }, { type: 'read' });
    expect((await read(id)).json.error.code).toBe(131000);
  });

  it('is listed, by business number', async () => {
    const id = await inbound();
    const elsewhere = await inbound({ phone_number_id: '55' });
    await read(id);
    await read(id, typing);
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: elsewhere };
    await simulator.call('POST', '/55/messages', body);
    const list = async (query = '') =>
      (await simulator.call('GET', `/_simulator/reads${query}`)).json.reads;
    const at = new Date(clock.ms).toISOString();
    expect(await list(`?phone_number_id=${ownNumberId}`)).toEqual([
      { phone_number_id: ownNumberId, message_id: id, typing: false, at },
      { phone_number_id: ownNumberId, message_id: id, typing: true, at },
    ]);
    expect(await list()).toHaveLength(3);
    await simulator.call('DELETE', '/_simulator/messages');
    expect(await list()).toEqual([]);
  });

  describe('with typing', () => {
    const typingUntil = async (query = '') => (await conversation(query)).typing_until;

    it('shows it for 25 seconds', async () => {
      const id = await inbound();
      await read(id);
      expect(await typingUntil()).toBeNull();
      await read(id, typing);
      const end = clock.ms + 25_000;
      clock.ms = end - 1;
      expect(await typingUntil()).toBe(new Date(end).toISOString());
      clock.ms = end;
      expect(await typingUntil()).toBeNull();
    });

    it('shows it from this business number only', async () => {
      await read(await inbound(), typing);
      expect(await typingUntil('&phone_number_id=55')).toBeNull();
      expect(await typingUntil(`&phone_number_id=${ownNumberId}`)).not.toBeNull();
    });

    it('shows it until the next message to the user is accepted', async () => {
      await read(await inbound(), typing);
      await simulator.send(textMessage({ to: '+16505559999' }));
      await simulator.send(message('text', { body: '' }));
      expect(await typingUntil()).not.toBeNull();
      await simulator.send(textMessage());
      expect(await typingUntil()).toBeNull();
    });
  });
});
