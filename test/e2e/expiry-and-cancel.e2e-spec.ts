import { hourMs } from '#libs/durations';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const background = { Prefer: 'respond-async' };

describe('a message that is not on its way yet', () => {
  let stack: Stack;
  let accountId: string;
  let apiKey: string;

  beforeAll(async () => {
    stack = await Stack.start();
  });

  /** The number is on hold, so what is accepted stays queued. */
  beforeEach(async () => {
    accountId = await addAccount(stack);
    apiKey = (await addApiKey(stack, { accountId, permissions: ['send_text', 'view_messages'] }))
      .key;
    await stack.sql(
      `update accounts set hold_kind = 'throttled', hold_until = now() + interval '1 hour' where id = $1`,
      [accountId],
    );
  });

  afterEach(() => stack.rules.clear());
  afterAll(() => stack?.stop());

  const send = (change = {}, headers: Record<string, string> = background, key = apiKey) =>
    stack.send('button', buttonMessage(change), headers, { apiKey: key });
  const read = async (id: string) => (await stack.get(`/messages/${id}`, { apiKey })).body.data;
  const cancel = (id: string, key = apiKey) =>
    stack.request(`/messages/${id}/cancel`, { method: 'POST', apiKey: key });
  const release = () =>
    stack.sql('update accounts set hold_kind = null, hold_until = null where id = $1', [accountId]);
  const queued = async (change = {}) => {
    const { status, body } = await send(change);
    expect([status, body.data?.status]).toEqual([202, 'queued']);
    return body.data.message_id as string;
  };

  describe('is cancelled', () => {
    it('and never sent, once and for all', async () => {
      const to = newRecipient();
      const id = await queued({ to });
      const first = await cancel(id);
      expect([first.status, first.body.data]).toMatchObject([
        200,
        { message_id: id, status: 'cancelled', error: null },
      ]);
      expect((await cancel(id)).body.data.status).toBe('cancelled');

      await release();
      const other = await send({}, {});
      expect(other.body.data.status).toBe('sent');
      expect(await read(id)).toMatchObject({
        status: 'cancelled',
        timeline: [{ status: 'queued' }, { status: 'cancelled', source: 'api' }],
      });
      expect(await stack.ledger(to)).toEqual([]);
    });

    it('which a caller who waits hears at once', async () => {
      const to = newRecipient();
      const answer = send({ to }, {});
      const id = await until(async () => {
        const [row] = await stack.sql('select id from messages where recipient = $1', [to]);
        return row?.id as string | undefined;
      });
      await cancel(id);
      const { status, body } = await answer;
      expect([status, body.data]).toEqual([200, { message_id: id, status: 'cancelled' }]);
    });

    it('and a repetition of the request is answered so', async () => {
      const headers = { ...background, 'Idempotency-Key': 'cancelled' };
      const to = newRecipient();
      const { body } = await send({ to }, headers);
      await cancel(body.data.message_id);
      const again = await send({ to }, headers);
      expect([again.status, again.body.data]).toEqual([
        200,
        { message_id: body.data.message_id, status: 'cancelled' },
      ]);
    });

    it('not once it is on its way, and not by others', async () => {
      await release();
      const { body } = await send({}, {});
      const id: string = body.data.message_id;
      const refused = await cancel(id);
      expect([refused.status, refused.body.error]).toMatchObject([
        409,
        { code: 'MESSAGE_STATE', details: { status: 'sent' } },
      ]);

      const stranger = (await addApiKey(stack, {})).key;
      expect((await cancel(id, stranger)).body.error.code).toBe('MESSAGE_NOT_FOUND');
      expect((await cancel('no-id')).body.error.code).toBe('MESSAGE_NOT_FOUND');
      const reader = (await addApiKey(stack, { accountId, permissions: ['view_messages'] })).key;
      expect((await cancel(id, reader)).body.error).toMatchObject({
        code: 'PERMISSION_DENIED',
        details: { permission: 'send_text' },
      });
    });

    it('on a day that is used up', async () => {
      const { key } = await addApiKey(stack, { accountId, dailyLimit: 1 });
      const { body } = await send({}, background, key);
      expect((await send({}, background, key)).status).toBe(429);
      expect((await cancel(body.data.message_id, key)).status).toBe(200);
    });

    it('in the dashboard, which is in the audit log once', async () => {
      const operator = await Dashboard.signIn(stack);
      const id = await queued();
      const { body } = await operator.call('POST', `/messages/${id}/cancel`);
      expect(body.data.status).toBe('cancelled');
      await operator.call('POST', `/messages/${id}/cancel`);
      const entries = await stack.sql(
        `select action from audit_log where subject_id = $1 and action = 'message.cancelled'`,
        [id],
      );
      expect(entries).toHaveLength(1);
      const list = await operator.get('GET', `/messages?status=cancelled&account_id=${accountId}`);
      expect(list.messages).toMatchObject([{ message_id: id, status: 'cancelled' }]);
    });
  });

  describe('expires', () => {
    it('when the caller says so, and is not sent then', async () => {
      const to = newRecipient();
      const id = await queued({ to, expires_in_seconds: 60 });
      const { expires_at: expiresAt, created_at: createdAt } = await read(id);
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(60_000);

      await stack.sql(`update messages set expires_at = now() where id = $1`, [id]);
      await release();
      await until(async () => (await read(id)).status === 'failed');
      expect((await read(id)).error).toMatchObject({ reason: 'expired', retryable: true });
      expect(await stack.ledger(to)).toEqual([]);
    });

    it('later than others: what may wait is still sent after a quarter of an hour', async () => {
      const at = new Date(Date.now() + hourMs).toISOString();
      const id = await queued({ expires_at: at });
      expect((await read(id)).expires_at).toBe(at);
      await stack.sql(
        `update messages set created_at = created_at - interval '20 minutes',
           next_attempt_at = next_attempt_at - interval '20 minutes',
           give_up_at = give_up_at - interval '20 minutes' where id = $1`,
        [id],
      );
      await release();
      await until(async () => (await read(id)).status === 'sent');
    });

    it('at a moment that is neither too near nor too far', async () => {
      const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
      const fault = async (change: object) => (await send(change)).body.error?.details.fields;
      const range = { expires_at: 'must be 30 seconds to 24 hours ahead' };
      expect(await fault({ expires_at: inSeconds(10) })).toEqual(range);
      expect(await fault({ expires_at: inSeconds(90_000) })).toEqual(range);
      expect(await fault({ expires_at: '2030-01-01' })).toEqual({
        expires_at: 'must be an ISO 8601 time such as 2030-01-31T12:00:00Z',
      });
      expect(await fault({ expires_in_seconds: 29 })).toHaveProperty('expires_in_seconds');
      expect(await fault({ expires_in_seconds: 86_401 })).toHaveProperty('expires_in_seconds');
      expect(await fault({ expires_in_seconds: 60, expires_at: inSeconds(60) })).toEqual({
        expires_in_seconds: 'must not be given together with expires_at',
      });
    });

    it('but a repetition is answered, however late it is', async () => {
      const headers = { ...background, 'Idempotency-Key': 'late' };
      const body = { to: newRecipient(), expires_at: new Date(Date.now() + 60_000).toISOString() };
      const first = await send(body, headers);
      const [{ digest }] = await stack.sql(
        `select body_digest as digest from idempotency_keys where message_id = $1`,
        [first.body.data.message_id],
      );
      expect(digest).toBeTruthy();
      const late = { ...body, expires_at: '2020-01-01T00:00:00Z' };
      // Another body under the same key is no repetition.
      expect((await send(late, headers)).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
      expect((await send(body, headers)).body.data.message_id).toBe(first.body.data.message_id);
    });
  });
});
