import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';

describe('the list of messages in the dashboard', () => {
  let stack: Stack;
  let operator: Dashboard;
  let accountId: string;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
    accountId = await addAccount(stack);
    const { key: apiKey } = await addApiKey(stack, { accountId });
    const send = async (name: string, to: string) => {
      const { body } = await stack.send('button', buttonMessage({ to }), {}, { apiKey });
      ids[name] = body.data?.message_id ?? body.error.details.message_id;
    };
    await send('sent', newRecipient());
    await send('delivered', newRecipient());
    await send('undeliverable', '+15550131026');
    await send('closed', '+15550131047');
    await stack.sql(
      `update messages set receipt = 'delivered', delivered_at = now() where id = $1`,
      [ids.delivered],
    );
  });

  afterAll(() => stack?.stop());

  const list = async (query: string) => {
    const path = `/messages?account_id=${accountId}&${query}`;
    const { body } = await operator.call('GET', path);
    return { ...body.data, meta: body.meta, error: body.error };
  };
  const found = async (query: string) => {
    const { messages } = await list(query);
    const nameOf = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    return new Set(messages.map(({ message_id }: any) => nameOf.get(message_id)));
  };

  it('is narrowed to one status or several', async () => {
    expect(await found('')).toEqual(new Set(Object.keys(ids)));
    expect(await found('status=failed')).toEqual(new Set(['undeliverable', 'closed']));
    expect(await found('status=sent')).toEqual(new Set(['sent']));
    expect(await found('status=failed,unconfirmed')).toEqual(new Set(['undeliverable', 'closed']));
    expect(await found('status=delivered,failed')).toEqual(
      new Set(['delivered', 'undeliverable', 'closed']),
    );
  });

  it('is narrowed to a code of WhatsApp', async () => {
    expect(await found('error_code=131026')).toEqual(new Set(['undeliverable']));
    expect(await found('status=failed,unconfirmed&error_code=131047')).toEqual(new Set(['closed']));
    expect(await found('error_code=1')).toEqual(new Set());
    expect(await found('error_code=131026&status=sent')).toEqual(new Set());
  });

  it('says how many match, if it is asked', async () => {
    expect((await list('status=failed&limit=1&count=true')).meta).toMatchObject({
      total: 2,
      total_is_exact: true,
    });
    const { next_cursor } = await list('status=failed&limit=1');
    expect((await list(`status=failed&limit=1&count=true&cursor=${next_cursor}`)).meta.total).toBe(
      2,
    );
    expect((await list('status=failed')).meta).not.toHaveProperty('total');
  });

  it('counts up to 10,000, and says that there are more', async () => {
    const other = await addAccount(stack);
    const { id } = await addApiKey(stack, { accountId: other });
    await stack.sql(
      `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, status, waiting,
         created_at, next_attempt_at, give_up_at)
       select new_id(), $1, $2, 'live', 'text', '+14155550123', '{}', 'sent', false, now(), now(), now()
       from generate_series(1, 10001)`,
      [other, id],
    );
    const { body } = await operator.call('GET', `/messages?account_id=${other}&count=true`);
    expect(body.meta).toMatchObject({ total: 10_000, total_is_exact: false });
    const own = await operator.call('GET', `/messages?account_id=${other}&key_id=${id}&count=true`);
    expect(own.body.meta.total_is_exact).toBe(false);
  });

  it('is narrowed to a time or a recipient, and tells them apart', async () => {
    const [first] = await stack.sql('select created_at from messages where id = $1', [ids.closed]);
    const at = new Date(first.created_at);
    const after = new Date(at.getTime() + 1).toISOString();
    expect(await found(`from=${at.toISOString()}&to=${after}`)).toEqual(new Set(['closed']));
    expect(await found(`to=${at.toISOString()}`)).not.toContain('closed');
    expect(await found(`to=${encodeURIComponent('+15550131026')}`)).toEqual(
      new Set(['undeliverable']),
    );
  });

  describe('that is searched', () => {
    const own: Record<string, string> = {};
    const nobody = 'q=9876543';

    beforeAll(async () => {
      const { key: apiKey } = await addApiKey(stack, { accountId });
      const send = async (name: string, to: string, reference: string) => {
        const { body } = await stack.send(
          'button',
          buttonMessage({ to, reference }),
          {},
          { apiKey },
        );
        own[name] = body.data.message_id;
      };
      await send('Anna’s', '+14155551077', 'order-104');
      await send('of another number', '+14155550998', 'order-105');
      await send('by its reference alone', '+14155550997', '1077-b');
      await stack.sql(
        `insert into contacts (id, account_id, mode, phone, name)
         values (new_id(), $1, 'live', '+14155551077', 'Anna Albers')`,
        [accountId],
      );
    });

    const matching = async (query: string) => {
      const { messages } = await list(query);
      const nameOf = new Map(Object.entries(own).map(([name, id]) => [id, name]));
      return messages.map(({ message_id }: any) => nameOf.get(message_id) ?? message_id).toSorted();
    };

    it.each([
      ['(415) 555-1077', ['Anna’s']],
      ['+1 415 555 1077', ['Anna’s']],
      ['1077', ['Anna’s', 'by its reference alone']],
      ['anna', ['Anna’s']],
      ['order-104', ['Anna’s']],
      ['order-10', ['Anna’s', 'of another number']],
      ['9876543', []],
    ])('finds what is meant by %s', async (text, expected) => {
      expect(await matching(`q=${encodeURIComponent(text)}`)).toEqual(expected);
    });

    it('finds a message by its id, and by WhatsApp’s', async () => {
      const id = own['Anna’s'];
      const [row] = await stack.sql(
        'select platform_message_id as wamid from messages where id = $1',
        [id],
      );
      expect(await matching(`q=${id}`)).toEqual(['Anna’s']);
      expect(await matching(`q=${row.wamid}`)).toEqual(['Anna’s']);
    });

    it('counts what it finds, within the other filters', async () => {
      expect((await list('q=1077&count=true')).meta.total).toBe(2);
      expect((await list('q=1077&count=true&status=failed')).meta.total).toBe(0);
      expect((await list(`${nobody}&count=true`)).meta).toMatchObject({
        total: 0,
        total_is_exact: true,
      });
    });

    it('finds everything, however many there are, and counts them', async () => {
      const [{ key }] = await stack.sql(
        'select id as key from api_keys where account_id = $1 limit 1',
        [accountId],
      );
      await stack.sql(
        `insert into messages (id, account_id, api_key_id, mode, type, recipient, reference, payload, waiting, status,
           created_at, next_attempt_at, give_up_at)
         select new_id(), $1, $2, 'live', 'text', '+14155550996', 'many-' || n, '{}', false, 'sent', now(), now(), now()
         from generate_series(1, 1100) as n`,
        [accountId, key],
      );
      expect((await list('q=many-&count=true')).meta.total).toBe(1_100);
      const { messages } = await list('q=many-110');
      expect(messages.map(({ reference }: any) => reference).toSorted()).toEqual([
        'many-110',
        'many-1100',
      ]);
    });
  });

  it('is a file, if it is asked for one', async () => {
    const path = `/messages?account_id=${accountId}&status=failed&limit=1`;
    const file = (accept: string, more = '') =>
      operator.call('GET', path + more, undefined, { headers: { accept } });
    const csv = await file('text/csv', '&error_code=131026');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe(
      `attachment; filename="messages-failed-131026-${accountId.slice(0, 8)}.csv"`,
    );
    const [heads = '', ...lines] = csv.text.trimEnd().split('\r\n');
    const cell = (name: string) => lines[0]?.split(',')[heads.split(',').indexOf(name)];
    expect(lines).toHaveLength(1);
    expect([cell('message_id'), cell('to'), cell('error_code')]).toEqual([
      ids.undeliverable,
      '+15550131026',
      '131026',
    ]);
    const rows = (await file('application/x-ndjson')).text.trimEnd().split('\n');
    const { messages } = await list('status=failed');
    expect(rows.map((row) => JSON.parse(row))).toEqual(messages);
    const refused = await file('text/csv', '&error_code=x');
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each([
    ['to=nobody', 'to'],
    ['status=lost', 'status'],
    ['status=sent,', 'status'],
    ['error_code=x', 'error_code'],
    ['count=yes', 'count'],
  ])('refuses %s', async (query, field) => {
    const { error } = await list(query);
    expect([error.code, Object.keys(error.details.fields)]).toEqual(['VALIDATION_ERROR', [field]]);
  });
});
