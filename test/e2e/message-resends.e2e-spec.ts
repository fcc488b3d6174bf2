import { addApiKey } from '../support/api-keys.js';
import { Dashboard, neighbour } from '../support/dashboard.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

describe('a message that is sent again from the dashboard', () => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
  });

  afterEach(() => stack.rules.clear());
  afterAll(() => stack?.stop());

  /** Sends a message that WhatsApp takes without saying so. */
  async function unconfirmed(apiKey?: string) {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: 'accept-then-drop', times: 1 });
    const message = buttonMessage({ to, reference: `order ${to}` });
    const { body } = await stack.send('button', message, {}, apiKey ? { apiKey } : {});
    const id: string = body.data.message_id;
    await until(async () => (await stack.ledger(to)).length === 1);
    await until(async () => (await read(id)).status === 'unconfirmed');
    return { id, to };
  }

  const read = (id: string) => operator.get('GET', `/messages/${id}`);
  const resend = (id: string, dashboard = operator) =>
    dashboard.call('POST', `/messages/${id}/resend`);

  it('is a new message: a new id, the same words, linked both ways, in the audit log', async () => {
    const { id, to } = await unconfirmed();
    const { status, body } = await resend(id);
    expect([status, body.data?.status]).toEqual([200, 'sent']);
    const again: string = body.data.message_id;
    expect(again).not.toBe(id);

    const [first, second] = await stack.ledger(to);
    expect(second?.body).toEqual({ ...first?.body, biz_opaque_callback_data: again });
    expect(await read(id)).toMatchObject({
      status: 'unconfirmed',
      resent_from: null,
      resent_as: again,
      resent_as_status: 'sent',
      resent_as_created_at: (await read(again)).created_at,
    });
    expect(await read(again)).toMatchObject({
      status: 'sent',
      reference: `order ${to}`,
      resent_from: id,
      resent_as: null,
      resent_as_status: null,
      resent_as_created_at: null,
    });
    const { entries } = await operator.get('GET', '/audit-log');
    expect(entries[0]).toMatchObject({ action: 'message.resent', subject_id: id });
  });

  it('leaves the list and the count of what nobody has sent again', async () => {
    const { id } = await unconfirmed();
    const toDecide = async () => {
      const { queue } = await operator.get('GET', '/overview');
      return queue.unconfirmed_not_resent;
    };
    const listed = async (resent: boolean) => {
      const path = `/messages?status=unconfirmed&resent=${resent}&count=true`;
      const { body } = await operator.call('GET', path);
      const ids = body.data.messages.map((each: any) => each.message_id);
      return { has: ids.includes(id), total: body.meta.total };
    };
    const before = await toDecide();
    expect(before).toEqual({ count: (await listed(false)).total, since: expect.any(String) });
    expect([(await listed(false)).has, (await listed(true)).has]).toEqual([true, false]);
    await resend(id);
    expect((await toDecide()).count).toBe(before.count - 1);
    expect([(await listed(false)).has, (await listed(true)).has]).toEqual([false, true]);
  });

  it('is sent once, however often and fast the user clicks', async () => {
    const { id, to } = await unconfirmed();
    const answers = await Promise.all(Array.from({ length: 5 }, () => resend(id)));
    answers.push(await resend(id));
    const ids = new Set(answers.map(({ body }) => body.data?.message_id));
    expect(ids.size).toBe(1);
    expect(await stack.ledger(to)).toHaveLength(2);
  });

  it('may have failed', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { code: 131026 }, times: 1 });
    const failed = await stack.send('button', buttonMessage({ to }));
    const { status, body } = await resend(failed.body.error.details.message_id);
    expect([status, body.data?.status]).toEqual([200, 'sent']);
  });

  it('answers as any send where it is refused again', async () => {
    const failed = await stack.send('button', buttonMessage({ to: '+15550131026' }));
    const { status, body } = await resend(failed.body.error.details.message_id);
    expect([status, body.error.code, body.error.details.whatsapp_error_code]).toEqual([
      400,
      'MESSAGE_SEND_FAILED',
      131026,
    ]);
  });

  it('must not have arrived', async () => {
    const sent = await stack.send('button', buttonMessage());
    const { status, body } = await resend(sent.body.data.message_id);
    expect([status, body.error]).toMatchObject([
      409,
      { code: 'CONFLICT', message: expect.stringContaining('this one is sent') },
    ]);
  });

  it('must exist, in the user’s own account', async () => {
    const { id } = await unconfirmed();
    const { administrator } = await neighbour(stack, operator);
    for (const answer of [await resend(id, administrator), await resend('nothing')]) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'MESSAGE_NOT_FOUND']);
    }
  });

  it('needs its key: one that is revoked or deleted sends nothing', async () => {
    const { id: keyId, key } = await addApiKey(stack);
    const { id, to } = await unconfirmed(key);
    await operator.get('POST', `/api-keys/${keyId}/revoke`);
    expect((await resend(id)).body.error.code).toBe('REVOKED_API_KEY');
    await operator.get('DELETE', `/api-keys/${keyId}`);
    expect((await resend(id)).body.error.code).toBe('CONFLICT');
    expect(await stack.ledger(to)).toHaveLength(1);
  });
});
