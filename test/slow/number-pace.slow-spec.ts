import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard, newAccount } from '../support/dashboard.js';
import { stores } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const later = { Prefer: 'respond-async' };

/** `NUMBER_PACE=large` plays the shared pace at the size of a busy number, which takes over a minute for each store. */
const isLarge = process.env.NUMBER_PACE === 'large';
const shared = isLarge
  ? { pace: 80, background: 5_000, waiting: 500, maxMs: 300_000 }
  : { pace: 60, background: 600, waiting: 30, maxMs: 120_000 };

describe.each(stores)('a number with a pace over %s', (store) => {
  let stack: Stack;
  let operator: Dashboard;
  let accountId: string;
  let apiKey: string;
  let phoneNumberId: string;

  beforeAll(async () => {
    stack = await Stack.start({
      store,
      workers: 2,
      env: { SEND_WAIT_MS: isLarge ? '25000' : '5000' },
    });
    operator = await Dashboard.signIn(stack);
  });

  beforeEach(async () => {
    accountId = await addAccount(stack);
    apiKey = (await addApiKey(stack, { accountId })).key;
    const [account] = await stack.sql('select phone_number_id from accounts where id = $1', [
      accountId,
    ]);
    phoneNumberId = account.phone_number_id;
  });

  afterEach(() => stack.rules.clear());
  afterAll(() => stack?.stop());

  const setPace = (perSecond: number | null) =>
    operator.get('PATCH', `/accounts/${accountId}`, { messages_per_second: perSecond });
  const send = (headers = {}) => stack.send('button', buttonMessage(), headers, { apiKey });
  const arrivals = async () => {
    const all = await stack.ledger();
    return all.filter((entry) => entry.phone_number_id === phoneNumberId);
  };

  it('sends no faster, and waiting callers first', async () => {
    await setPace(5);
    const startedAt = performance.now();
    const accepted: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      accepted.push((await send(later)).body.data.message_id);
    }
    // On a slow machine many are gone by then.
    const gone = (await arrivals()).length;
    const waiting = (await send()).body.data;
    expect(waiting.status).toBe('sent');
    await until(async () => (await arrivals()).length === 21);
    // A quarter of a second's worth may go at once.
    expect(performance.now() - startedAt).toBeGreaterThan(3_500);
    const order = (await arrivals()).map((entry) => entry.biz_opaque_callback_data);
    expect(order.indexOf(waiting.message_id)).toBeLessThan(gone + 12);
    // Between two workers the others have no order; src/sending/paced-numbers.spec.ts has that of one.
    expect(new Set(order)).toEqual(new Set([...accepted, waiting.message_id]));
  });

  it(
    'shares its pace among the workers, serves waiting callers first, and uses it when one is killed',
    async () => {
      const { pace, background, waiting, maxMs } = shared;
      await setPace(pace);
      // In groups: so many connections at once are no part of the play.
      const groupSize = 500;
      for (let count = 0; count < background; count += groupSize) {
        const size = Math.min(groupSize, background - count);
        await Promise.all(Array.from({ length: size }, () => send(later)));
      }
      const answers = await Promise.all(Array.from({ length: waiting }, () => send()));
      expect(new Set(answers.map(({ body }) => body.data?.status))).toEqual(new Set(['sent']));
      // They were behind the others, and most of those still wait.
      const queuedCount = async () => {
        const [row] = await stack.sql(
          `select count(*)::int as queued from messages where account_id = $1 and status = 'queued'`,
          [accountId],
        );
        return row.queued;
      };
      expect(await queuedCount()).toBeGreaterThan(0);
      await stack.workers[0]?.kill();
      const [{ killed_at: killedAt }] = await stack.sql(
        'select clock_timestamp()::text as killed_at',
      );
      await until(async () => (await queuedCount()) === 0, maxMs / 2);
      await stack.workers[0]?.restart();
      // By the clock of PostgreSQL: a second's worth and a burst, and what moves between token and claim.
      const [seen] = await stack.sql(
        `with sent as (
         select *, count(*) over (order by sending_at
           range between interval '1 second' preceding and current row) as within_a_second
         from messages where account_id = $1
       ), waited as (
         select min(created_at) as first_at, max(sending_at) as last_at from sent where waiting
       )
       select max(within_a_second)::int as most, count(sending_at)::int as sent,
         count(*) filter (where not waiting and sending_at between first_at and last_at)::int as overtook,
         extract(epoch from max(last_at) - max(first_at))::float as waited_seconds,
         (count(*) filter (where sending_at > $2::timestamptz)
           / extract(epoch from max(sending_at) - $2::timestamptz))::float as pace_after_kill,
         (select json_object_agg(status, count) from
           (select status, count(*) from sent group by status) s) as statuses
       from sent cross join waited`,
        [accountId, killedAt],
      );
      if (isLarge) process.stdout.write(`${store}: ${JSON.stringify(seen)}\n`);
      expect(seen.sent).toBe(background + waiting);
      expect(seen.most).toBeLessThanOrEqual(pace + pace / 4 + 8);
    },
    shared.maxMs,
  );

  it('slows no other number', async () => {
    const sendFromAnother = async () => {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => stack.send('button', buttonMessage())),
      );
      expect(new Set(answers.map(({ body }) => body.data?.status))).toEqual(new Set(['sent']));
    };
    await setPace(1);
    // These take a minute; those of the other number are all there before.
    await Promise.all(Array.from({ length: 60 }, () => send(later)));
    await sendFromAnother();
    expect((await arrivals()).length).toBeLessThan(60);
  });

  it('sends its backlog at once when the limit is removed', async () => {
    await setPace(1);
    await Promise.all(Array.from({ length: 30 }, () => send(later)));
    await setPace(null);
    await until(async () => (await arrivals()).length === 30, 10_000);
  });

  it('goes slower when WhatsApp finds it too fast, and faster again with time', async () => {
    await setPace(50);
    const pace = async () => {
      const [row] = await stack.sql(
        `select pace_of(messages_per_second, learnt_per_second, learnt_at) as pace
         from accounts where id = $1`,
        [accountId],
      );
      return row.pace;
    };
    await stack.rules.add({
      match: { phone_number_id: phoneNumberId },
      fault: { code: 130429 },
      times: 1,
    });
    expect((await send()).body.data.status).toBe('sent');
    expect(await pace()).toBeGreaterThanOrEqual(40);
    expect(await pace()).toBeLessThan(41);
    await stack.sql(
      `update accounts set learnt_at = learnt_at - interval '1 minute' where id = $1`,
      [accountId],
    );
    expect(await pace()).toBeGreaterThanOrEqual(45);
    await stack.sql(`update accounts set learnt_at = learnt_at - interval '1 day' where id = $1`, [
      accountId,
    ]);
    expect(await pace()).toBe(50);
  });

  it('that stays too fast for WhatsApp answers 500: the caller may send again later', async () => {
    await setPace(null);
    const tooFast = buttonMessage({ to: '+15550080007' });
    const { status, body } = await stack.send('button', tooFast, {}, { apiKey });
    expect({ status, error: body.error }).toMatchObject({
      status: 500,
      error: {
        code: 'MESSAGE_SEND_FAILED',
        details: { whatsapp_error_code: 80007, retryable: true },
      },
    });
    const tries = await stack.tries(body.error.details.message_id);
    expect(tries.length).toBeGreaterThan(1);
    expect(tries.length).toBeLessThan(7);
  });

  it('is 80 messages a second for a new account, unless it is made with another', async () => {
    const made = async (change = {}) => {
      const { account } = await operator.get('POST', '/accounts', newAccount(change));
      return account.messages_per_second;
    };
    expect(await made()).toBe(80);
    expect(await made({ messages_per_second: 1_000 })).toBe(1_000);
    expect(await made({ messages_per_second: null })).toBeNull();
    const refused = await operator.call(
      'POST',
      '/accounts',
      newAccount({ messages_per_second: 0 }),
    );
    expect(refused.body.error?.details?.fields).toEqual({
      messages_per_second: 'must be a whole number from 1 to 10,000',
    });
  });

  it('does not limit test messages, which go to the simulator', async () => {
    await setPace(1);
    const test = await addApiKey(stack, { accountId, mode: 'test' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        stack.send('button', buttonMessage(), {}, { apiKey: test.key }),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.data?.status))).toEqual(new Set(['sent']));
  });
});
