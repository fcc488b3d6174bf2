import { hourMs } from '#libs/durations';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard, neighbour } from '../support/dashboard.js';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

describe('the endpoints of all keys', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let operator: Dashboard;
  let accountId: string;
  let key: { id: string; key: string };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({ env: { WEBHOOK_RETRY_SECONDS: '0.1,0.1' } });
    operator = await Dashboard.signIn(stack);
  });

  beforeEach(async () => {
    accountId = await addAccount(stack);
    key = await addApiKey(stack, { accountId });
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  let hooks = 0;
  /** An endpoint whose receiver answers with the status. */
  const add = async (name: string, status: number) => {
    const hook = `/strip/${(hooks += 1)}`;
    receiver.react(hook, () => ({ status }));
    const path = `/api-keys/${key.id}/webhooks`;
    const { webhook } = await operator.get('POST', path, { name, url: receiver.url(hook) });
    return { hook, id: webhook.id as string, path: `${path}/${webhook.id}` };
  };
  const list = async (user = operator): Promise<any[]> =>
    (await user.get('GET', `/webhook-endpoints?account_id=${accountId}`)).endpoints;
  const one = async (id: string) => (await list()).find(({ endpoint_id: other }) => other === id);
  const test = (path: string) => operator.get('POST', `${path}/test`);

  it('are listed with their figures, the disabled and failing ones first', async () => {
    const well = await add('a well one', 200);
    const failing = await add('b failing one', 500);
    const gone = await add('c gone one', 410);
    const unused = await add('d unused one', 200);
    for (const { path } of [well, failing, gone]) await test(path);
    const listed = await until(async () => {
      const now = await list();
      const isThere =
        now[0]?.health === 'disabled' && now[1]?.missed === 1 && now[2]?.finished === 1;
      return isThere && now;
    });
    expect(listed.map(({ endpoint_id: id }) => id)).toEqual([
      gone.id,
      failing.id,
      well.id,
      unused.id,
    ]);
    const [, sick, healthy, idle] = listed;
    expect(healthy).toEqual({
      endpoint_id: well.id,
      endpoint_name: 'a well one',
      api_key_id: key.id,
      api_key_name: `key ${key.id}`,
      account_id: accountId,
      mode: 'live',
      url: receiver.url(well.hook),
      format: 'parley',
      health: 'healthy',
      since: null,
      off_at: null,
      disabled_reason: null,
      finished: 1,
      succeeded: 1,
      retrying: 0,
      waiting: 0,
      median_ms: expect.any(Number),
      last_success_at: expect.any(String),
      missed: 0,
      missed_is_exact: true,
      missed_since: expect.any(String),
    });
    await stack.sql(
      `insert into open_events (id, event_id, endpoint_id, account_id, mode, type, body, attempts, due_at)
       select new_id(), new_id(), $1, $2, 'live', 'webhook.test', '{}', n, now() + interval '1 hour'
       from generate_series(0, 2) n`,
      [well.id, accountId],
    );
    expect(await one(well.id)).toMatchObject({
      health: 'healthy',
      finished: 1,
      retrying: 2,
      waiting: 1,
    });
    expect(sick).toMatchObject({
      health: 'failing',
      since: expect.any(String),
      disabled_reason: null,
      finished: 1,
      succeeded: 0,
      median_ms: null,
      last_success_at: null,
    });
    expect(Date.parse(sick.off_at) - Date.parse(sick.since)).toBe(120 * hourMs);
    expect(idle).toMatchObject({ health: 'healthy', finished: 0, median_ms: null, missed: 0 });
  });

  it('are waited for and missed by exactly the events that the lists have', async () => {
    const { id, path } = await add('a', 500);
    await test(path);
    await until(async () => (await one(id)).missed === 1);
    await stack.sql(
      `insert into open_events (id, event_id, endpoint_id, account_id, mode, type, body, attempts, due_at)
       select new_id(), new_id(), $1, $2, 'live', 'webhook.test', '{}', n, now() + interval '1 hour'
       from generate_series(0, 2) n`,
      [id, accountId],
    );
    const figures = await one(id);
    for (const scope of [`endpoint_id=${id}`, `endpoint_id=${id}&account_id=${accountId}`]) {
      const listed = async (query: string) => {
        const { body } = await operator.call(
          'GET',
          `/webhook-deliveries?${scope}&count=true&${query}`,
        );
        const { deliveries } = body.data;
        expect(body.meta).toMatchObject({ total: deliveries.length, total_is_exact: true });
        return deliveries.map(({ status }: any) => status).toSorted();
      };
      expect(await listed('status=waiting')).toEqual(['pending', 'retrying', 'retrying']);
      expect(await listed('status=waiting&mode=test')).toEqual([]);
      expect(await listed(`status=failed&from=${figures.missed_since}`)).toEqual(['failed']);
    }
    expect(figures).toMatchObject({ retrying: 2, waiting: 1, missed: 1 });
  });

  it('are backlogs while they work and ten events or more wait for another try', async () => {
    const well = await add('a well one', 200);
    const sick = await add('b failing one', 500);
    for (const { path } of [well, sick]) await test(path);
    await until(async () => (await one(well.id)).finished === 1);
    await until(async () => (await one(sick.id)).health === 'failing');
    const backlogs = async (query = '') =>
      (await operator.get('GET', `/overview?account_id=${accountId}${query}`)).backlogs;
    /** Events whose next try is in an hour. */
    const wait = (id: string, count: number, attempts = 1) =>
      stack.sql(
        `insert into open_events (id, event_id, endpoint_id, account_id, mode, type, body, attempts, due_at)
         select new_id(), new_id(), $1, $2, 'live', 'webhook.test', '{}', $4, now() + interval '1 hour'
         from generate_series(1, $3) n`,
        [id, accountId, count, attempts],
      );
    await wait(well.id, 9);
    await wait(well.id, 5, 0);
    await wait(sick.id, 20);
    expect(await backlogs()).toEqual([]);
    await wait(well.id, 1);
    expect(await backlogs()).toEqual([
      {
        endpoint_id: well.id,
        endpoint_name: 'a well one',
        api_key_id: key.id,
        api_key_name: `key ${key.id}`,
        account_id: accountId,
        events: 10,
        since: expect.any(String),
        last_try_at: expect.any(String),
      },
    ]);
    expect(await backlogs('&mode=live')).toHaveLength(1);
    expect(await backlogs('&mode=test')).toEqual([]);
    await stack.sql('update open_events set due_at = now() where endpoint_id = $1', [well.id]);
    expect(await backlogs()).toEqual([]);
  });

  it('tell how many events a disabled one missed, and these can be recovered', async () => {
    const { id, path, hook } = await add('stock', 200);
    await test(path);
    await until(async () => (await one(id)).succeeded === 1);
    receiver.react(hook, () => ({ status: 410 }));
    await test(path);
    await until(async () => (await one(id)).health === 'disabled');
    // Two days ago: what was not sent since then counts, what failed long before it began does not.
    const insert = `insert into done_events (id, event_id, endpoint_id, account_id, mode, type, body,
      status, attempts, error, created_at)
      select new_id(), new_id(), $1, $2, 'live', 'webhook.test', '{}', 'failed', 0, 'endpoint_off',
        now() - $3::interval`;
    await stack.sql(
      `update webhook_endpoints set disabled_at = now() - interval '2 days' where id = $1`,
      [id],
    );
    await stack.sql(
      `update webhook_failures set since = now() - interval '2 days' where endpoint_id = $1`,
      [id],
    );
    for (const age of ['47 hours', '1 hour', '3 days'])
      await stack.sql(insert, [id, accountId, age]);
    const off = await one(id);
    expect(off).toMatchObject({
      health: 'disabled',
      disabled_reason: 'gone',
      off_at: null,
      missed: 3,
      missed_is_exact: true,
    });
    receiver.react(hook, () => ({ status: 200 }));
    await operator.get('POST', `${path}/enable`);
    const recovered = await operator.get('POST', `${path}/recover`, { since: off.missed_since });
    expect(recovered).toEqual({ recovered: off.missed });
    await until(async () => (await one(id)).health === 'healthy');
  });

  it('know the last success of one that has failed for days', async () => {
    const { id, path } = await add('stock', 200);
    await test(path);
    const { last_success_at: at } = await until(async () => {
      const now = await one(id);
      return now.succeeded === 1 && now;
    });
    // Its success was three days ago, its trouble began a day later.
    await stack.sql(
      `update done_events set id = first_id_of(now() - interval '3 days') where endpoint_id = $1`,
      [id],
    );
    await stack.sql(
      `insert into webhook_failures (endpoint_id, failures, since)
       values ($1, 5, now() - interval '2 days')`,
      [id],
    );
    expect(await one(id)).toMatchObject({ health: 'failing', finished: 0, last_success_at: at });
  });

  it('include the one of webhook_url, but none without an address or of a revoked key', async () => {
    expect(await list()).toEqual([]);
    const path = `/api-keys/${key.id}`;
    await operator.get('PATCH', path, { webhook_url: receiver.url('/own') });
    expect(await list()).toMatchObject([{ endpoint_id: key.id, endpoint_name: 'default' }]);
    await operator.get('POST', `${path}/revoke`);
    expect(await list()).toEqual([]);
  });

  it('of a revoked key are not changed any more', async () => {
    const path = `/api-keys/${key.id}/webhooks`;
    const { webhook } = await operator.get('POST', path, { url: receiver.url('/last') });
    await operator.get('POST', `/api-keys/${key.id}/revoke`);
    for (const [method, address, body] of [
      ['POST', path, { url: receiver.url('/more') }],
      ['PATCH', `${path}/${webhook.id}`, { name: 'Other' }],
      ['POST', `${path}/${webhook.id}/enable`, undefined],
      ['POST', `${path}/${webhook.id}/rotate-secret`, {}],
      ['DELETE', `${path}/${webhook.id}`, undefined],
    ] as const) {
      const { status, body: answer } = await operator.call(method, address, body);
      expect([method, status, answer.error?.code]).toEqual([method, 409, 'CONFLICT']);
    }
  });

  it('are those of the account that the user may see', async () => {
    const { id } = await add('ours', 200);
    const administrator = await Dashboard.administratorOf(stack, operator, accountId);
    const { administrator: neighbours } = await neighbour(stack, operator);
    const idsOf = async (user: Dashboard) =>
      (await user.get('GET', '/webhook-endpoints')).endpoints.map(
        ({ endpoint_id }: any) => endpoint_id,
      );
    expect(await idsOf(administrator)).toEqual([id]);
    expect(await idsOf(neighbours)).toEqual([]);
    expect(await idsOf(operator)).toContain(id);
    const foreign = await neighbours.call('GET', `/webhook-endpoints?account_id=${accountId}`);
    expect(foreign.body.error.code).toBe('NOT_FOUND');
  });
});
