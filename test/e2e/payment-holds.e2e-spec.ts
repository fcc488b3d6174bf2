import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import {
  definitions,
  map,
  paidMapping,
  putTemplates,
  sync,
  paidVariables as variables,
} from '../support/templates.js';
import { until } from '../support/until.js';

const { accountId } = installation;
const refused = { code: 131042 };
const refusedLater = { failed: 131042 };

describe('a number whose payment fails', () => {
  let stack: Stack;
  let operator: Dashboard;
  let apiKey: string;

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    operator = await Dashboard.signIn(stack);
    await putTemplates(stack, Object.values(definitions));
    await sync(operator);
  });

  beforeEach(async () => {
    const key = await addApiKey(stack, { accountId });
    apiKey = key.key;
    await map(operator, key.id, 'paid', paidMapping);
    await stack.sql('update accounts set messages_per_second = null where id = $1', [accountId]);
  });

  afterEach(async () => {
    await stack.rules.clear();
    await resume();
  });
  afterAll(() => stack?.stop());

  const send = (change = {}, headers = {}) =>
    stack.send('button', buttonMessage({ to: newRecipient(), ...change }), headers, { apiKey });
  const background = { Prefer: 'respond-async' };
  const resume = () => operator.get('POST', `/accounts/${accountId}/resume`);
  const hold = async () =>
    (await stack.sql('select * from accounts where id = $1', [accountId]))[0];
  const isPaused = async () => (await hold()).hold_kind === 'paused';
  const passWait = () =>
    stack.sql('update accounts set hold_until = now() where id = $1', [accountId]);
  /** Moves to the next probe. @returns the message that it was. */
  async function probe(): Promise<string> {
    const before = (await hold()).hold_probe_id;
    await passWait();
    const after = await until(async () => {
      const { hold_probe_id: id } = await hold();
      return id !== before && id;
    });
    return after as string;
  }
  const becomes = (id: string, status: string) =>
    until(async () => {
      const { body } = await stack.get(`/messages/${id}`, { apiKey });
      return body.data.status === status;
    });
  /** Pauses the number while so many messages are queued. */
  async function pauseWithQueued(count: number): Promise<string[]> {
    await stack.sql(
      `update accounts set hold_kind = 'throttled', hold_until = now() + interval '1 hour' where id = $1`,
      [accountId],
    );
    const answers = await Promise.all(Array.from({ length: count }, () => send({}, background)));
    await stack.sql(
      `update accounts set hold_kind = 'paused', hold_code = 131042, hold_until_report = true where id = $1`,
      [accountId],
    );
    return answers.map(({ body }) => body.data.message_id);
  }

  it.each([
    ['in the answer', refused],
    ['by status after a 200', refusedLater],
  ])('(%s) is tried with one message at a time until one is reported', async (_, fault) => {
    const ids = await pauseWithQueued(5);
    await stack.rules.add({ match: {}, fault });
    const failed = [await probe(), await probe()];
    for (const id of failed) await becomes(id, 'failed');
    const count = async () => {
      const all = await stack.ledger();
      return all.filter((entry) => ids.includes(entry.biz_opaque_callback_data)).length;
    };
    expect(await count()).toBe(2);
    await stack.rules.clear();
    await probe();
    await until(async () => !(await isPaused()));
    await until(async () => (await count()) === 5);
  });

  it.each([
    ['in the answer', refused],
    ['by status after a 200', refusedLater],
  ])('(%s) sends again when its probe is reported', async (_, fault) => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault });
    await send({ to });
    await until(isPaused);
    const alerts = await stack.sql('select * from alerts where resolved_at is null');
    expect(alerts).toMatchObject([
      { kind: 'number_paused', message: expect.stringContaining('reports one as sent') },
    ]);
    const refusal = await send();
    expect([refusal.status, refusal.body.error.details]).toEqual([
      503,
      { reason: 'number_paused' },
    ]);

    // Reading the number works all the while, so nothing is queued and one caller's message is the probe.
    await passWait();
    await until(async () => (await hold()).hold_probe === 'open');
    await stack.rules.add({ match: {}, fault: refusedLater, times: 1 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send({}, background)));
    expect(answers.map(({ status }) => status).filter((status) => status !== 503)).toEqual([202]);
    const first = answers.find(({ status }) => status === 202)?.body.data.message_id;
    await becomes(first, 'failed');
    expect(await hold()).toMatchObject({ hold_kind: 'paused', hold_probe_id: first });

    await passWait();
    await until(async () => (await hold()).hold_probe === 'open');
    expect((await send()).body.data.status).toBe('sent');
    await until(async () => !(await isPaused()));
    await until(async () => (await send()).status === 200);
  });

  it('does not send again because a probe is answered 200', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: refused });
    await send({ to });
    await passWait();
    await until(async () => (await hold()).hold_probe === 'open');
    await stack.rules.add({ match: {}, fault: 'no-statuses', times: 1 });
    const { body } = await send();
    expect(body.data.status).toBe('sent');
    const id = body.data.message_id;
    expect(await hold()).toMatchObject({ hold_kind: 'paused', hold_probe_id: id });
    expect((await send()).status).toBe(503);
  });

  it('sends again when an operator says so', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: refused });
    await send({ to });
    expect((await send()).status).toBe(503);
    await resume();
    await until(async () => (await send()).status === 200);
    expect(await isPaused()).toBe(false);
  });

  it('lets one recipient of a running campaign go out per probe, and the others when it works', async () => {
    await stack.rules.add({ match: { type: 'template' }, fault: refused, times: 3 });
    const call = async (path: string, body?: object) =>
      (await stack.request(`/campaigns${path}`, { method: 'POST', body, apiKey })).body.data;
    const { campaign } = await call('', {
      name: 'Spring',
      template_name: 'paid',
      language: 'en_US',
      per_second: 1,
    });
    const all = Array.from({ length: 12 }, newRecipient);
    await call(`/${campaign.id}/recipients`, {
      recipients: all.map((to) => ({ to, variables })),
    });
    await call(`/${campaign.id}/start`);
    const read = async () =>
      (await stack.get(`/campaigns/${campaign.id}`, { apiKey })).body.data.campaign;
    const triedCount = async () => {
      const tried = (await stack.ledger()).map(({ to }) => to.replace('+', ''));
      return tried.filter((to) => all.includes(`+${to}`)).length;
    };
    await until(async () => (await read()).reason === 'number_paused');
    const before = await triedCount();
    for (const probes of [1, 2]) {
      await probe();
      await until(async () => (await triedCount()) === before + probes);
      expect(await read()).toMatchObject({ status: 'paused', reason: 'number_paused' });
    }
    // Payment works again.
    await probe();
    await until(async () => (await read()).status === 'completed');
    expect(await triedCount()).toBe(all.length);
    const { counts } = await read();
    expect(counts.failed).toBe(3);
  });
});
