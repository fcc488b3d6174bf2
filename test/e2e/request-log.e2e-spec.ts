import { Client } from 'pg';
import { hourMs } from '#libs/durations';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

describe('the request log', () => {
  let stack: Stack;
  let operator: Dashboard;
  let administrator: Dashboard;
  let accountId: string;
  let key: { id: string; key: string };
  const recipient = newRecipient();

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
    accountId = await addAccount(stack);
    administrator = await Dashboard.administratorOf(stack, operator, accountId);
    key = await addApiKey(stack, { accountId });
  });

  afterAll(() => stack?.stop());

  const list = async (query: string, user = operator) => {
    const { body } = await user.call('GET', `/requests?${query}`);
    return { ...body.data, meta: body.meta, error: body.error };
  };
  const idOf = ({ body }: { body: any }): string => body.meta.request_id;

  /** The row of a request, once it is there. */
  const logged = (answer: { body: any }, user = operator): Promise<any> =>
    until(async () => (await list(`request_id=${idOf(answer)}`, user)).requests[0]);

  const send = (change = {}, headers = {}, apiKey: string | null = key.key) =>
    stack.send('button', buttonMessage({ to: recipient, ...change }), headers, { apiKey });

  it('has an accepted send with its message', async () => {
    const sent = await send();
    const { latency_ms, at, address, ...row } = await logged(sent);
    expect(row).toEqual({
      request_id: idOf(sent),
      method: 'POST',
      route: '/messages/interactive/button',
      status: 200,
      code: null,
      fields: [],
      api_key_id: key.id,
      api_key_name: `key ${key.id}`,
      account_id: accountId,
      mode: 'live',
      message_id: sent.body.data.message_id,
      calls: 1,
      body_kept_until: null,
    });
    expect(latency_ms).toEqual(expect.any(Number));
    expect(new Date(at).toISOString()).toBe(at);
    expect(address).toBe('127.0.0.1');
  });

  it('has the message of a send that fails, and of one that is repeated', async () => {
    const failed = await send({ to: '+15550131026' });
    expect(await logged(failed)).toMatchObject({
      status: 400,
      code: 'MESSAGE_SEND_FAILED',
      message_id: failed.body.error.details.message_id,
    });
    const repeat = () => send({}, { 'Idempotency-Key': `once ${accountId}` });
    const [first, second] = [await repeat(), await repeat()];
    expect((await logged(second)).message_id).toBe(first.body.data.message_id);
  });

  it('is where a message has the request from that made it', async () => {
    const repeat = () => send({}, { 'Idempotency-Key': `made ${accountId}` });
    const first = await repeat();
    await logged(await repeat());
    const madeBy = async (user: Dashboard, messageId: string) =>
      (await user.get('GET', `/messages/${messageId}`)).request_id;
    const { message_id: id } = first.body.data;
    expect(await madeBy(administrator, id)).toBe(idOf(first));
    const failed = await send({ to: '+15550131026' });
    await logged(failed);
    const { message_id: failedId } = failed.body.error.details;
    expect(await madeBy(administrator, failedId)).toBe(idOf(failed));
    // Its day is over.
    await stack.sql(`delete from request_log where message_id = '${failedId}'`);
    expect(await madeBy(operator, failedId)).toBeNull();
  });

  it('has a refused request with its code and the names of its fields, and never a value', async () => {
    const refused = await send({
      to: '12',
      body: '',
      [recipient]: 'a secret',
      buttons: [
        { id: 'a secret', title: 'a secret' },
        { id: 'a secret', title: 'Another' },
      ],
    });
    const row = await logged(refused);
    expect(row).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', message_id: null });
    expect(row.fields.toSorted()).toEqual(['body', 'buttons', 'to', '…']);
    // The answer quotes what the log does not keep.
    expect(refused.text).toContain('a secret');
    const stored = await stack.sql('select r::text as text from request_log r');
    const texts = stored.map(({ text }) => text).join('\n');
    expect(texts).not.toContain('secret');
    expect(texts).not.toContain(recipient.slice(1));
  });

  it('has the pattern of the route, and never the query string', async () => {
    const one = await stack.get('/messages/01a1fe24-d4ba-71e8-a502-760746519a21?marker=1', {
      apiKey: key.key,
    });
    const all = await stack.get(`/messages?to=${encodeURIComponent(recipient)}`, {
      apiKey: key.key,
    });
    expect([(await logged(one)).route, (await logged(all)).route]).toEqual([
      '/messages/:uuid',
      '/messages',
    ]);
    const stored = await stack.sql('select r::text as text from request_log r');
    expect(stored.map(({ text }) => text).join('\n')).not.toMatch(/marker|\?/);
  });

  it('has the requests of keys that are known but refused', async () => {
    const revoked = await addApiKey(stack, { accountId, revokedAt: new Date() });
    const refused = await send({}, {}, revoked.key);
    expect(await logged(refused)).toMatchObject({
      status: 401,
      code: 'REVOKED_API_KEY',
      api_key_id: revoked.id,
    });
  });

  it('counts requests without a known key, of which only operators see the number', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const unknown = [null, 'nonsense', `pk_live_${'x'.repeat(40)}`];
    const refusals = [];
    for (const apiKey of unknown) refusals.push(await send({}, {}, apiKey));
    refusals.push(await stack.get(`/nothing/${recipient}`, { apiKey: key.key }));
    const countOf = async (code: string) => {
      const { requests } = await list(`code=${code}&from=${since}&address=127.0.0.1`);
      const strangers = requests.filter(({ api_key_id: id }: any) => id === null);
      return strangers.reduce((sum: number, { calls }: any) => sum + calls, 0);
    };
    // At least: who had the stack before may have been refused in the same minute.
    await until(async () => (await countOf('INVALID_API_KEY')) >= 3);
    await until(async () => (await countOf('NOT_FOUND')) >= 1);
    const { requests } = await list('code=INVALID_API_KEY&refused=true');
    expect(requests.find(({ api_key_id: id }: any) => id === null)).toMatchObject({
      request_id: null,
      method: null,
      route: null,
      status: 401,
      account_id: null,
      address: '127.0.0.1',
    });
    for (const refusal of refusals) {
      expect((await list(`request_id=${idOf(refusal)}`)).requests).toEqual([]);
    }
    expect((await list('code=INVALID_API_KEY', administrator)).requests).toEqual([]);
  });

  it('lets calls be answered while it can take none, and has them later', async () => {
    const blocker = new Client(stack.databaseUrl);
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('lock table request_log');
    const waiting = () =>
      stack.sql(`select from pg_locks where relation = 'request_log'::regclass and not granted`);
    const first = await send();
    await until(async () => (await waiting()).length > 0);
    const second = await send();
    expect([first.status, second.status]).toEqual([200, 200]);
    await blocker.end();
    await logged(first);
    await logged(second);
  });

  it('shows administrators the requests of their account alone', async () => {
    const foreign = await stack.send('button', buttonMessage({ to: '1' }));
    await logged(foreign);
    const own = await send({ to: '1' });
    await logged(own, administrator);
    expect((await list(`request_id=${idOf(foreign)}`, administrator)).requests).toEqual([]);
    const { requests } = await list('limit=100', administrator);
    expect(new Set(requests.map(({ account_id: id }: any) => id))).toEqual(new Set([accountId]));
    const { account_id: foreignAccount } = await logged(foreign);
    expect((await list(`account_id=${foreignAccount}`, administrator)).error.code).toBe(
      'NOT_FOUND',
    );
  });

  describe('of a key whose bodies are kept', () => {
    let ours: { id: string; key: string };

    const keep = (minutes: number, user = administrator) =>
      user.call('POST', `/api-keys/${ours.id}/keep-bodies`, { minutes });
    const bodyOf = async (answer: { body: any }, user = administrator) =>
      (await user.call('GET', `/requests/${idOf(answer)}/body`)).body;
    const kept = (answer: { body: any }) => until(async () => (await bodyOf(answer)).data);
    const sendInvalid = () => send({ body: 'For Mia only', footer: 7 }, {}, ours.key);

    beforeAll(async () => {
      ours = await addApiKey(stack, { accountId });
    });

    it('has the body of a refused request from the next request on: redacted, encrypted, for an hour', async () => {
      // The process knows the key as it is without the switch.
      await sendInvalid();
      const { api_key } = (await keep(60)).body.data;
      expect(Date.parse(api_key.bodies_kept_until) - Date.now()).toBeLessThanOrEqual(hourMs);
      const refused = await sendInvalid();
      const { body, kept_until } = await kept(refused);
      expect(JSON.parse(body)).toEqual({
        to: `${recipient.slice(0, 3)}…${recipient.slice(-2)}`,
        body: 'text of 12 characters',
        footer: 7,
        buttons: [
          { id: 'yes', title: expect.stringMatching(/^text of \d+ characters$/) },
          { id: 'no', title: expect.stringMatching(/^text of \d+ characters$/) },
        ],
      });
      expect(Date.parse(kept_until) - Date.now()).toBeLessThanOrEqual(hourMs);
      expect((await logged(refused)).body_kept_until).toBe(kept_until);
      const stored = await stack.sql('select b::text as text from request_bodies b');
      const texts = stored.map(({ text }) => text).join('\n');
      expect(texts).toMatch(/,v1\.[\da-f]{8}\./);
      expect(texts).not.toMatch(/Mia|text of|buttons/);
      expect(texts).not.toContain(recipient.slice(1));
    });

    it('has what is wrong with a body that is no JSON', async () => {
      await keep(1);
      const refused = await stack.requestAt('/api/v1/external/messages/text', {
        method: 'POST',
        apiKey: ours.key,
        headers: { 'Content-Type': 'application/json' },
        body: 'a secret',
      });
      expect((await kept(refused)).body).toBe('A body of 8 bytes: it must be valid JSON.');
    });

    it('tells it to nobody of another account', async () => {
      await keep(1);
      const refused = await sendInvalid();
      await kept(refused);
      const other = await Dashboard.administratorOf(stack, operator, await addAccount(stack));
      expect((await bodyOf(refused, other)).error.code).toBe('NOT_FOUND');
      expect((await keep(1, other)).status).toBe(404);
      expect((await bodyOf(refused, operator)).data.body).toContain('text of 12 characters');
    });

    it('has none once the switch is off or its time is over, and none that is an hour old', async () => {
      await keep(60);
      const before = await sendInvalid();
      await kept(before);
      const { api_key } = (await administrator.call('DELETE', `/api-keys/${ours.id}/keep-bodies`))
        .body.data;
      expect(api_key.bodies_kept_until).toBeNull();
      const off = await sendInvalid();
      await keep(60);
      await stack.sql(`update api_keys set bodies_kept_until = now() where id = '${ours.id}'`);
      // Another change makes the processes read the key again.
      await administrator.get('PATCH', `/api-keys/${ours.id}`, { description: 'over' });
      const over = await sendInvalid();
      await logged(over);
      for (const request of [off, over]) {
        expect((await bodyOf(request)).error).toMatchObject({
          code: 'NOT_FOUND',
          message: expect.stringContaining('was not kept'),
        });
      }
      await stack.sql(`update request_bodies set expires_at = now()`);
      expect((await bodyOf(before)).error.code).toBe('NOT_FOUND');
      expect((await logged(before)).body_kept_until).toBeNull();
      await stack.sql(`update periodic_work set next_run_at = now() where name = 'request-bodies'`);
      await until(async () => (await stack.sql('select from request_bodies')).length === 0);
    });

    it.each([0, 61, 1.5, '5', null])('refuses %j minutes', async (minutes) => {
      const { error } = (await keep(minutes as number)).body;
      expect(error.details.fields).toEqual({ minutes: 'must be a whole number from 1 to 60' });
    });
  });

  describe('as a list', () => {
    let ours: { id: string; key: string };
    const ids: Record<string, string> = {};

    beforeAll(async () => {
      ours = await addApiKey(stack, { accountId, mode: 'test' });
      const note = async (name: string, answer: { body: any }) => {
        ids[name] = idOf(answer);
        await logged(answer);
      };
      await note('sent', await send({}, {}, ours.key));
      await note('invalid', await send({ to: '1' }, {}, ours.key));
      await note('invalid twice', await send({ to: '1', body: '' }, {}, ours.key));
      await note('missing', await stack.get('/contacts/x', { apiKey: ours.key }));
    });

    const found = async (query: string) => {
      const { requests } = await list(`key_id=${ours.id}&${query}`);
      const nameOf = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
      return requests.map(({ request_id: id }: any) => nameOf.get(id));
    };
    const newest = ['missing', 'invalid twice', 'invalid', 'sent'];

    it('has the newest first, in pages', async () => {
      expect(await found('')).toEqual(newest);
      const first = await list(`key_id=${ours.id}&limit=3&count=true`);
      expect(first.requests).toHaveLength(3);
      expect(first.meta).toMatchObject({ total: 4, total_is_exact: true, kept_days: 7 });
      expect((await list(`key_id=${ours.id}`)).meta).not.toHaveProperty('total');
      const { next_cursor } = first;
      expect(await found(`limit=3&cursor=${next_cursor}`)).toEqual(['sent']);
      expect((await list(`key_id=${ours.id}&cursor=${next_cursor}`)).next_cursor).toBeNull();
    });

    it('is narrowed to a result', async () => {
      expect(await found('status=404')).toEqual(['missing']);
      expect(await found('status=4xx')).toEqual(newest.slice(0, 3));
      expect(await found('refused=true')).toEqual(newest.slice(0, 3));
      expect(await found('refused=false')).toEqual(['sent']);
      expect(await found('code=INVALID_PHONE_NUMBER')).toEqual(['invalid']);
    });

    it('is narrowed to a route, an address, a mode, an id and a time', async () => {
      expect(await found('route=/contacts/:id')).toEqual(['missing']);
      expect(await found('route=/api/v1/external/contacts/:id')).toEqual(['missing']);
      expect(await found('address=127.0.0.1')).toEqual(newest);
      expect(await found('address=2001:db8::1')).toEqual([]);
      expect(await found('mode=live')).toEqual([]);
      expect(await found(`request_id=${ids.sent?.toUpperCase().replace('REQ', 'req')}`)).toEqual([
        'sent',
      ]);
      const [{ at }] = (await list(`request_id=${ids.invalid}`)).requests;
      const after = new Date(new Date(at).getTime() + 1).toISOString();
      expect(await found(`from=${at}&to=${after}`)).toEqual(['invalid']);
    });

    it('is a file, if it is asked for one', async () => {
      const file = (accept: string) =>
        administrator.call('GET', `/requests?key_id=${ours.id}&status=400&limit=1`, undefined, {
          headers: { accept },
        });
      const csv = await file('text/csv');
      expect(csv.headers.get('content-disposition')).toBe(
        `attachment; filename="requests-400-${ours.id.slice(0, 8)}.csv"`,
      );
      const [heads = '', ...lines] = csv.text.trimEnd().split('\r\n');
      const cell = (name: string) => lines[0]?.split(',')[heads.split(',').indexOf(name)];
      expect([lines.length, cell('request_id'), cell('fields')]).toEqual([
        2,
        ids['invalid twice'],
        'body to',
      ]);
      const rows = (await file('application/x-ndjson')).text.trimEnd().split('\n');
      expect(rows.map((row) => JSON.parse(row))).toEqual(
        (await list(`key_id=${ours.id}&status=400`)).requests,
      );
    });

    it.each([
      ['key_id=x', 'key_id'],
      ['status=600', 'status'],
      ['status=4x', 'status'],
      ['code=lower', 'code'],
      ['request_id=1', 'request_id'],
      ['address=somewhere', 'address'],
      ['refused=yes', 'refused'],
      ['from=today', 'from'],
      ['count=yes', 'count'],
    ])('refuses %s', async (query, field) => {
      const { error } = await list(query);
      expect([error.code, Object.keys(error.details.fields)]).toEqual([
        'VALIDATION_ERROR',
        [field],
      ]);
    });

    it('is what the search finds a request id in', async () => {
      const search = async (user: Dashboard, id = '') =>
        (await user.get('GET', `/search?q=${id}`)).results;
      expect(await search(administrator, ids.invalid)).toEqual([
        {
          kind: 'request',
          id: ids.invalid,
          title: 'POST /messages/interactive/button',
          subtitle: `Request, answered with 400 INVALID_PHONE_NUMBER · key ${ours.id}`,
          mode: 'test',
          at: expect.any(String),
          href: `/dashboard/requests?request_id=${ids.invalid}`,
        },
      ]);
      const foreign = await stack.send('button', buttonMessage({ to: '1' }));
      await logged(foreign);
      expect(await search(administrator, idOf(foreign))).toEqual([]);
      expect(await search(operator, idOf(foreign))).toHaveLength(1);
    });
  });
});
