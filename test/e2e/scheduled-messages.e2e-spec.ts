import { randomUUID } from 'node:crypto';
import { hourMs } from '#libs/durations';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { definitions, map, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

describe('a message to send later', () => {
  let stack: Stack;
  let operator: Dashboard;
  let accountId: string;
  let apiKey: string;

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
    await putTemplates(stack, Object.values(definitions));
    await sync(operator);
  });

  beforeEach(async () => {
    accountId = await addAccount(stack);
    apiKey = (await addApiKey(stack, { accountId })).key;
  });

  afterAll(() => stack?.stop());

  const send = (change = {}, headers: Record<string, string> = {}, key = apiKey) =>
    stack.send('button', buttonMessage(change), headers, { apiKey: key });
  const read = async (id: string) => (await stack.get(`/messages/${id}`, { apiKey })).body.data;
  const cancel = (id: string, key = apiKey) =>
    stack.request(`/messages/${id}/cancel`, { method: 'POST', apiKey: key });
  const move = (id: string, body: object, key = apiKey) =>
    stack.request(`/messages/${id}`, { method: 'PATCH', body, apiKey: key });
  async function scheduled(change = {}, headers: Record<string, string> = {}): Promise<string> {
    const { status, body } = await send({ send_at: inSeconds(3_600), ...change }, headers);
    expect([status, body.data?.status]).toEqual([202, 'scheduled']);
    return body.data.message_id;
  }
  /** Its time has come. */
  const letCome = (id: string) =>
    stack.sql(
      `update scheduled_messages set send_at = now(), expires_at = now() + interval '1 hour' where id = $1`,
      [id],
    );
  const isSent = (id: string) => until(async () => (await read(id)).status === 'sent');

  it.each(['+23:59', '-23:59', '+16:00', '+0530'])(
    'takes times with the offset %s for the moments that they are',
    async (offset) => {
      const [, sign, hours, minutes] = /(.)(..):?(..)/.exec(offset) as unknown as string[];
      const shift = (Number(hours) * 3_600 + Number(minutes) * 60) * (sign === '-' ? -1 : 1);
      const local = (seconds: number) => inSeconds(seconds + shift).replace('Z', offset);
      const id = await scheduled({ send_at: local(3_600), expires_at: local(7_200) });
      const secondsLeft = Date.parse((await read(id)).send_at) - Date.now();
      expect(Math.round(secondsLeft / 60_000)).toBe(60);
      expect((await move(id, { send_at: local(3_900) })).status).toBe(200);
    },
  );

  it('waits for its time, is sent once, and tells its story', async () => {
    const to = newRecipient();
    const sendAt = inSeconds(3_600);
    const { status, headers, body } = await send({ to, send_at: sendAt, reference: 'later-1' });
    expect([status, body.data]).toEqual([
      202,
      { message_id: expect.any(String), status: 'scheduled' },
    ]);
    expect(headers.get('preference-applied')).toBeNull();
    const id: string = body.data.message_id;
    const before = await read(id);
    expect(before).toMatchObject({
      status: 'scheduled',
      to,
      reference: 'later-1',
      send_at: sendAt,
      timeline: [{ status: 'scheduled', source: 'api' }],
    });
    expect(Date.parse(before.expires_at) - Date.parse(sendAt)).toBe(hourMs);
    expect(await stack.ledger(to)).toEqual([]);

    await letCome(id);
    await isSent(id);
    expect(await read(id)).toMatchObject({
      created_at: before.created_at,
      timeline: [
        { status: 'scheduled', at: before.created_at, source: 'api' },
        { status: 'queued', source: 'worker' },
        { status: 'sending' },
        { status: 'sent' },
      ],
    });
    expect(await stack.ledger(to)).toHaveLength(1);
  });

  it('ends when its caller says so', async () => {
    const sendAt = inSeconds(7_200);
    const endOf = async (change: object) =>
      (await read(await scheduled({ send_at: sendAt, ...change }))).expires_at;
    expect(await endOf({ expires_in_seconds: 60 })).toBe(
      new Date(Date.parse(sendAt) + 60_000).toISOString(),
    );
    const end = inSeconds(9_000);
    expect(await endOf({ expires_at: end })).toBe(end);
  });

  it('is told of a link that ends before its time, once, and is scheduled', async () => {
    const asked = (link: string) =>
      stack.request('/messages/media', {
        method: 'POST',
        body: { to: newRecipient(), type: 'image', link, send_at: inSeconds(3_600) },
        apiKey,
      });
    const soon = Math.floor(Date.now() / 1_000) + 1_800;
    const { status, body } = await asked(`https://x.example/a.jpg?Expires=${soon}`);
    expect([status, body.data.status]).toEqual([202, 'scheduled']);
    expect(body.meta.warnings).toEqual([expect.stringContaining('link: the link ends at')]);
    const lasting = await asked(`https://x.example/a.jpg?Expires=${soon + 86_400}`);
    expect(lasting.body.meta.warnings).toBeUndefined();
  });

  it('is refused with a time that is too near or too far', async () => {
    const fault = async (change: object) => (await send(change)).body.error?.details.fields;
    const range = { send_at: 'must be 60 seconds to 35 days ahead' };
    expect(await fault({ send_at: inSeconds(50) })).toEqual(range);
    expect(await fault({ send_at: inSeconds(36 * 86_400) })).toEqual(range);
    const form = { send_at: 'must be an ISO 8601 time such as 2030-01-31T12:00:00Z' };
    expect(await fault({ send_at: '2030-01-01T10:00' })).toEqual(form);
    // No text can be made of it.
    expect(await fault({ send_at: { toString: 1 } })).toMatchObject(form);
    const sendAt = inSeconds(600);
    const end = { expires_at: 'must be 30 seconds to 24 hours after send_at' };
    expect(await fault({ send_at: sendAt, expires_at: inSeconds(600) })).toEqual(end);
    expect(await fault({ send_at: sendAt, expires_at: inSeconds(90_000) })).toEqual(end);
  });

  it('takes its unit of the day when it is accepted', async () => {
    const { key } = await addApiKey(stack, { accountId, dailyLimit: 1 });
    const { body } = await send({ send_at: inSeconds(600) }, {}, key);
    expect(body.data.status).toBe('scheduled');
    expect((await send({ send_at: inSeconds(600) }, {}, key)).status).toBe(429);
    // Cancelling it is possible on a used-up day, and gives nothing back.
    expect((await cancel(body.data.message_id, key)).status).toBe(200);
    expect((await send({}, {}, key)).status).toBe(429);
  });

  it('is accepted while its number is paused', async () => {
    await stack.sql(
      `update accounts set hold_kind = 'paused', hold_until = now() + interval '1 hour',
         version = version + 1 where id = $1`,
      [accountId],
    );
    await scheduled();
  });

  describe('is found', () => {
    it('in the lists of the API and of the dashboard', async () => {
      const reference = `later-${randomUUID()}`;
      const now = (await send({ reference })).body.data.message_id;
      const later = await scheduled({ reference });
      const idsOf = (messages: { message_id: string }[]) =>
        messages.map(({ message_id: id }) => id);
      const list = async (query: string) =>
        idsOf((await stack.get(`/messages?${query}`, { apiKey })).body.data.messages);
      expect(await list(`reference=${reference}`)).toEqual([later, now]);
      expect(await list(`reference=${reference}&status=scheduled`)).toEqual([later]);
      expect(await list(`reference=${reference}&status=sent`)).toEqual([now]);
      expect(await list(`reference=${reference}&limit=1`)).toEqual([later]);

      const filter = `/messages?account_id=${accountId}&reference=${reference}`;
      expect(idsOf((await operator.get('GET', filter)).messages)).toEqual([later, now]);
      const either = await operator.call('GET', `${filter}&status=scheduled,failed&count=true`);
      expect(idsOf(either.body.data.messages)).toEqual([later]);
      expect(either.body.meta).toMatchObject({ total: 1, total_is_exact: true });
      expect((await operator.get('GET', `/messages/${later}`)).timeline).toMatchObject([
        { status: 'scheduled' },
      ]);
    });

    it('by the search of the dashboard', async () => {
      const reference = `later-${randomUUID()}`;
      const to = newRecipient();
      const id = await scheduled({ to, reference });
      for (const query of [id, to, reference.slice(0, 20)]) {
        const { results } = await operator.get('GET', `/search?q=${encodeURIComponent(query)}`);
        expect(results).toContainEqual(
          expect.objectContaining({
            kind: 'message',
            id,
            subtitle: expect.stringContaining('Scheduled'),
          }),
        );
      }
    });
  });

  describe('is cancelled', () => {
    it('and never sent, which can be asked for again', async () => {
      const to = newRecipient();
      const id = await scheduled({ to });
      const first = await cancel(id);
      expect([first.status, first.body.data]).toMatchObject([
        200,
        { message_id: id, status: 'cancelled' },
      ]);
      expect((await cancel(id)).body.data.status).toBe('cancelled');
      expect((await read(id)).timeline).toMatchObject([
        { status: 'scheduled' },
        { status: 'cancelled', source: 'api' },
      ]);
      expect(await stack.sql('select from scheduled_messages where id = $1', [id])).toEqual([]);
    });

    it('in the dashboard', async () => {
      const id = await scheduled();
      expect((await operator.call('POST', `/messages/${id}/cancel`)).body.data.status).toBe(
        'cancelled',
      );
    });

    it('or sent, whoever comes first, never both', async () => {
      const ids = await Promise.all(Array.from({ length: 40 }, () => scheduled()));
      await stack.sql('update scheduled_messages set send_at = now() where id = any ($1)', [ids]);
      const answers = await Promise.all(ids.map((id) => cancel(id)));
      for (const [index, { status, body }] of answers.entries()) {
        const id = ids[index] as string;
        if (status === 409) {
          expect(body.error.code).toBe('MESSAGE_STATE');
          await isSent(id);
        } else expect((await read(id)).status).toBe('cancelled');
      }
    });
  });

  describe('is moved', () => {
    it('with its end, unless its caller has named one', async () => {
      const id = await scheduled();
      const sendAt = inSeconds(7_200);
      const { status, body } = await move(id, { send_at: sendAt });
      expect([status, body.data]).toMatchObject([
        200,
        { message_id: id, status: 'scheduled', send_at: sendAt },
      ]);
      expect(Date.parse(body.data.expires_at) - Date.parse(sendAt)).toBe(hourMs);

      const end = inSeconds(9_000);
      const named = await scheduled({ expires_at: end });
      expect((await move(named, { send_at: sendAt })).body.data.expires_at).toBe(end);
      const late = await move(named, { send_at: end });
      expect([late.status, late.body.error.details.fields]).toEqual([
        400,
        { send_at: `must be 30 seconds to 24 hours before expires_at, which is ${end}` },
      ]);
    });

    it('to a time that is neither too near nor too far', async () => {
      const id = await scheduled();
      const fault = async (body: object) => (await move(id, body)).body.error.details.fields;
      const range = { send_at: 'must be 60 seconds to 35 days ahead' };
      expect(await fault({ send_at: inSeconds(10) })).toEqual(range);
      expect(await fault({})).toHaveProperty('send_at');
      // Moving it again and again does not keep it for ever: 45 days are half of the retention.
      await stack.sql(
        `update scheduled_messages set created_at = now() - interval '30 days' where id = $1`,
        [id],
      );
      expect(await fault({ send_at: inSeconds(20 * 86_400) })).toEqual({
        send_at: 'must be at most 45 days after the request, half of RETENTION_DAYS',
      });
    });

    it('by its account, with the permission to send it, while it is scheduled', async () => {
      const id = await scheduled();
      const to = { send_at: inSeconds(600) };
      const stranger = (await addApiKey(stack, {})).key;
      expect((await move(id, to, stranger)).body.error.code).toBe('MESSAGE_NOT_FOUND');
      const reader = (await addApiKey(stack, { accountId, permissions: ['view_messages'] })).key;
      expect((await move(id, to, reader)).body.error).toMatchObject({
        code: 'PERMISSION_DENIED',
        details: { permission: 'send_text' },
      });
      await letCome(id);
      await isSent(id);
      const { status, body } = await move(id, to);
      expect([status, body.error]).toMatchObject([
        409,
        { code: 'MESSAGE_STATE', details: { status: 'sent' } },
      ]);
    });
  });

  describe('asked for again under the same idempotency key', () => {
    const again = (to: string, sendAt: string, headers: Record<string, string>) =>
      send({ to, send_at: sendAt }, headers);

    it('is answered at once as it is now', async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const to = newRecipient();
      const sendAt = inSeconds(3_600);
      const id = await scheduled({ to, send_at: sendAt }, headers);
      const waiting = await again(to, sendAt, headers);
      expect([waiting.status, waiting.body.data]).toEqual([
        202,
        { message_id: id, status: 'scheduled' },
      ]);
      expect(waiting.headers.get('idempotency-replayed')).toBe('true');

      await letCome(id);
      await isSent(id);
      const after = await again(to, sendAt, headers);
      expect([after.status, after.body.data]).toEqual([200, { message_id: id, status: 'sent' }]);
      expect(await stack.ledger(to)).toHaveLength(1);
    });

    it('is known until a day after its end, however long it has waited', async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const to = newRecipient();
      const sendAt = inSeconds(3_600);
      const id = await scheduled({ to, send_at: sendAt }, headers);
      const endsIn = async () =>
        (
          await stack.sql(
            `select case when isfinite(expires_at)
               then round(extract(epoch from expires_at - now()) / 3600)::int end as hours
             from idempotency_keys where message_id = $1`,
            [id],
          )
        )[0].hours;
      expect(await endsIn()).toBeNull();
      await cancel(id);
      expect(await endsIn()).toBe(24);
      const { status, body } = await again(to, sendAt, headers);
      expect([status, body.data]).toEqual([200, { message_id: id, status: 'cancelled' }]);
    });
  });

  it('is checked again when its time has come', async () => {
    const { id: keyId, key } = await addApiKey(stack, { accountId });
    const to = newRecipient();
    const { body } = await send({ to, send_at: inSeconds(600) }, {}, key);
    const id: string = body.data.message_id;
    await stack.sql('update api_keys set revoked_at = now() where id = $1', [keyId]);
    await letCome(id);
    await until(async () => (await read(id)).status === 'failed');
    expect(await read(id)).toMatchObject({
      error: { code: 'MESSAGE_SEND_FAILED', reason: 'key_revoked', retryable: false },
      timeline: [{ status: 'scheduled' }, { status: 'failed', source: 'worker' }],
    });
    expect(await stack.ledger(to)).toEqual([]);
  });

  describe('that is a template', () => {
    const plain = { template_name: 'plain', language: 'en_US' };

    it('is answered as every send of a template, and fails when its recipient opts out', async () => {
      const to = newRecipient();
      const { status, body } = await stack.request('/messages/template', {
        body: { to, ...plain, components: [], send_at: inSeconds(600) },
      });
      expect([status, body.data.status]).toEqual([202, 'scheduled']);
      const consent = await stack.request('/contacts/consent', {
        method: 'PUT',
        body: { phone: to, scope: 'all', state: 'opted_out' },
      });
      expect(consent.status).toBe(200);
      const { data } = (await stack.get(`/messages/${body.data.message_id}`)).body;
      expect([data.status, data.error]).toMatchObject(['failed', { reason: 'opted_out' }]);
    });

    it('filled by a mapping, says the final id', async () => {
      const [{ id }] = await stack.sql('select id from api_keys where account_id = $1', [
        installation.accountId,
      ]);
      await map(operator, id, 'plain', {});
      const { status, body } = await stack.request('/messages/template/send', {
        body: { to: newRecipient(), ...plain, variables: {}, send_at: inSeconds(600) },
      });
      expect([status, body.data]).toMatchObject([
        202,
        { status: 'scheduled', message_uuid: body.data.message_id },
      ]);
    });
  });
});
