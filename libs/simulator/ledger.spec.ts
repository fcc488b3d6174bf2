import { Ledger } from './ledger.js';
import { ownNumberId, SimulatorUnderTest, textMessage } from './spec-support.js';

describe('what arrived', () => {
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start();
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());

  const list = async (query = '') =>
    (await simulator.call('GET', `/_simulator/messages${query}`)).json.messages;

  it('is listed as it arrived', async () => {
    const sent = textMessage({ biz_opaque_callback_data: 'one' });
    const { json } = await simulator.send(sent);
    expect(await list()).toEqual([
      {
        sequence: expect.any(Number),
        id: json.messages[0].id,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        phone_number_id: ownNumberId,
        to: '+16505551234',
        type: 'text',
        body: sent,
        biz_opaque_callback_data: 'one',
        outcome: 'accepted',
        error_code: null,
        answered: 200,
        status: 'accepted',
      },
    ]);
  });

  it('keeps a body that is not JSON as text', async () => {
    await simulator.send('{"to":');
    expect((await list())[0]).toMatchObject({ body: '{"to":', outcome: 'refused' });
  });

  it('can be narrowed to a recipient, read on from a sequence, and cut', async () => {
    for (const to of ['+16505550001', '+16505550002', '+16505550001']) {
      await simulator.send(textMessage({ to }));
    }
    const all = await list();
    expect(await list('?to=%2B16505550001')).toEqual([all[0], all[2]]);
    expect(await list(`?after=${all[0].sequence}`)).toEqual([all[1], all[2]]);
    expect(await list('?limit=1')).toEqual([all[0]]);
    expect((await simulator.call('GET', '/_simulator/messages?after=x')).http).toBe(400);
  });

  it('is counted, and duplicates of accepted sends are named', async () => {
    await simulator.send(textMessage({ biz_opaque_callback_data: 'twice' }));
    await simulator.send(textMessage({ biz_opaque_callback_data: 'once' }));
    await simulator.send(textMessage({ biz_opaque_callback_data: 'twice' }));
    await simulator.send(textMessage({ to: '+15550131047', biz_opaque_callback_data: 'once' }));
    await simulator.send(textMessage());
    expect((await simulator.call('GET', '/_simulator/stats')).json).toMatchObject({
      arrived: 5,
      accepted: 4,
      refused: 1,
      distinct: 2,
      duplicates: 1,
      duplicate_ids: ['twice'],
      without_callback: 1,
    });
  });

  it('can be read whole, one line per send', async () => {
    const { json } = await simulator.send(textMessage({ biz_opaque_callback_data: 'a' }));
    await simulator.send(textMessage({ to: '+15550131047', biz_opaque_callback_data: 'b' }));
    const { text } = await simulator.call('GET', '/_simulator/ledger');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { callback: 'a', wamid: json.messages[0].id, outcome: 'accepted' },
      { callback: 'b', wamid: null, outcome: 'refused' },
    ]);
    const rest = await simulator.call('GET', `/_simulator/ledger?after=${lines[0].sequence}`);
    expect(rest.text.split('\n')).toHaveLength(2);
  });
});

const arrival = (callback: string) => ({
  atMs: 0,
  phoneNumberId: '1',
  to: '+16505551234',
  digits: '16505551234',
  type: 'text',
  callback,
  raw: '{}',
});

describe('Ledger', () => {
  it('keeps the newest 20,000 in full, and one line with the id for every send', () => {
    const ledger = new Ledger();
    const wamids = Array.from({ length: 50_000 }, (_, index) =>
      ledger.accept(ledger.arrive(arrival(`m${index}`))),
    );
    expect([...ledger.entries()]).toHaveLength(20_000);
    expect(ledger.find(wamids[0] ?? '')).toBeNull();
    expect(ledger.find(wamids[49_999] ?? '')?.callback).toBe('m49999');
    const lines = [...ledger.lines()].map((line): unknown => JSON.parse(line));
    expect(lines).toHaveLength(50_000);
    expect(lines[0]).toEqual({
      sequence: 1,
      callback: 'm0',
      wamid: wamids[0],
      outcome: 'accepted',
    });
    expect(new Set(wamids).size).toBe(50_000);
  });

  it('notices a duplicate however long ago the first one came', () => {
    const ledger = new Ledger();
    for (let index = 0; index < 30_000; index++) {
      ledger.accept(ledger.arrive(arrival(`m${index}`)));
    }
    ledger.accept(ledger.arrive(arrival('m0')));
    expect(ledger.stats()).toMatchObject({ duplicates: 1, duplicate_ids: ['m0'] });
  });

  it('does not reuse an id after it is emptied', () => {
    const ledger = new Ledger();
    const before = ledger.accept(ledger.arrive(arrival('a')));
    ledger.clear();
    const after = ledger.accept(ledger.arrive(arrival('a')));
    expect(after).not.toBe(before);
    expect(ledger.find(before)).toBeNull();
    expect(ledger.stats()).toMatchObject({ arrived: 1, duplicates: 0 });
  });
});
