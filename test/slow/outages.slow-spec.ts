import { stores } from '../support/installation.js';
import { type RedisServer, startRedis } from '../support/redis.mjs';
import { type Answer, buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const async = { Prefer: 'respond-async' };

describe.each(stores)('over %s', (store) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ store, env: { SEND_WAIT_MS: '2000' } });
  });

  afterAll(() => stack?.stop());

  it('a WhatsApp that cannot be reached is 500 "unreachable", and nothing is sent later', async () => {
    const to = newRecipient();
    await stack.simulator.kill();
    const { status, body } = await stack.send('button', buttonMessage({ to }));
    expect({ status, error: body.error }).toEqual({
      status: 500,
      error: {
        code: 'MESSAGE_SEND_FAILED',
        message: expect.any(String),
        details: {
          message_id: expect.any(String),
          reason: 'unreachable',
          retryable: true,
        },
      },
    });
    const waiting = await stack.send('button', buttonMessage({ to, body: 'Later' }), async);
    expect(waiting.status).toBe(202);
    stack.simulator.launch();
    await stack.simulator.ready();
    await until(async () => (await stack.message(waiting.body.data.message_id)).status === 'sent');
    const arrived = await stack.ledger(to);
    expect(arrived.map((entry) => entry.biz_opaque_callback_data)).toEqual([
      waiting.body.data.message_id,
    ]);
  });

  it('what is accepted while no worker runs is sent by the next one', async () => {
    const [worker] = stack.workers;
    await worker?.stop();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => stack.send('button', buttonMessage(), async)),
    );
    const waiting = await stack.send('button', buttonMessage());
    expect([waiting.status, waiting.body.data.status]).toEqual([200, 'queued']);
    worker?.launch();
    await worker?.ready();
    for (const { body } of [...answers, waiting]) {
      await until(async () => (await stack.message(body.data.message_id)).status === 'sent');
      expect(await stack.tries(body.data.message_id)).toHaveLength(1);
    }
  });
});

describe.each(stores)('stopping over %s', (store) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ store, env: { SEND_WAIT_MS: '15000' } });
  });

  afterAll(() => stack?.stop());

  /** A send that WhatsApp has in its hands and not answered yet. */
  async function sendInFlight() {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { delay_ms: 3_000 } });
    const answer = stack.send('button', buttonMessage({ to }));
    await until(async () => (await stack.ledger(to)).length === 1);
    return { answer };
  }

  it('a worker lets the send in flight finish, and takes no new one', async () => {
    const { answer } = await sendInFlight();
    const [worker] = stack.workers;
    worker?.signal('SIGTERM');
    await until(async () => (await worker?.health('ready')) !== 200);
    const late = await stack.send('button', buttonMessage(), async);
    expect((await answer).body.data.status).toBe('sent');
    expect([0, 'SIGTERM']).toContain(await worker?.exited);
    expect((await stack.message(late.body.data.message_id)).status).toBe('queued');
    worker?.launch();
    await until(async () => (await stack.message(late.body.data.message_id)).status === 'sent');
  });

  it('an API answers waiting callers, and accepts no new ones', async () => {
    const { answer } = await sendInFlight();
    const [api] = stack.apis;
    api?.signal('SIGTERM');
    await until(async () => (await api?.health('ready')) !== 200);
    expect(await answer).toMatchObject({ status: 200, body: { data: { status: 'sent' } } });
    expect([0, 'SIGTERM']).toContain(await api?.exited);
  });
});

describe('an API that has callers when it is stopped', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ apis: 3 });
  });

  afterAll(() => stack?.stop());

  it('accepts requests a moment longer, so that load balancers can switch', async () => {
    const { apis } = stack;
    // The moment is short: on a busy machine this process may miss it, and gets another API to try.
    for (const [index, api] of apis.entries()) {
      const answers: Answer[] = [];
      const send = () => stack.send('button', buttonMessage(), async, { api: index });
      await send();
      api.signal('SIGTERM');
      await until(() =>
        send().then(
          (answer) => void answers.push(answer),
          () => true,
        ),
      );
      expect([0, 'SIGTERM']).toContain(await api.exited);
      const last = answers.filter(({ headers }) => headers.get('connection') === 'close');
      expect(last.length).toBeGreaterThan(0);
      if (answers.every(({ status }) => status === 202)) return;
    }
    throw new Error(`all ${apis.length} APIs refused callers at once`);
  });
});

const describeWithRedis = stores.includes('redis') ? describe : describe.skip;

describeWithRedis('without its Redis', () => {
  let redis: RedisServer;
  let stack: Stack;

  beforeAll(async () => {
    redis = await startRedis();
    stack = await Stack.start({ redisUrl: redis.url });
  });

  afterAll(async () => {
    await stack?.stop();
    await redis?.stop();
  });

  it('the API keeps sending, is ready, and says so; all is as before when Redis is back', async () => {
    expect((await stack.send('button', buttonMessage())).body.data.status).toBe('sent');
    await redis.stop('SIGKILL');

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => stack.send('button', buttonMessage())),
    );
    expect(answers.flatMap(({ body }) => body.error ?? [])).toEqual([]);
    for (const { body } of answers) {
      await until(async () => {
        const { status } = await stack.message(body.data.message_id);
        expect(['sending', 'sent']).toContain(status);
        return status === 'sent';
      });
    }
    const api = await stack.requestAt('/health/ready');
    expect([api.status, api.body]).toEqual([
      200,
      { status: 'ok', process: 'up', database: 'up', redis: 'degraded', migrations: 'up' },
    ]);
    expect(await stack.workers[0]?.health('ready')).toBe(503);
    expect(await stack.workers[0]?.health('live')).toBe(200);

    redis = await startRedis({ port: redis.port });
    await until(async () => (await stack.workers[0]?.health('ready')) === 200);
    expect((await stack.send('button', buttonMessage())).body.data.status).toBe('sent');
    expect((await stack.stats()).duplicates).toBe(0);
  });
});
