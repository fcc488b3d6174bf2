import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { Client } from 'pg';
import { addAccount } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { GraphProgram, graphMessage } from '../support/graph.js';
import { installation } from '../support/installation.js';
import { newRecipient, type RequestOptions, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { demoNumber } from '../support/webhooks.js';

const messages = `/${demoNumber.phoneNumberId}/messages`;

describe('the door for programs that speak WhatsApp’s own API', () => {
  let stack: Stack;
  let operator: Dashboard;
  let program: GraphProgram;

  beforeAll(async () => {
    stack = await Stack.start({ env: { SIMULATOR_UNKNOWN_TYPES: 'true' } });
    operator = await Dashboard.signIn(stack);
    program = await GraphProgram.with(stack);
  });

  afterAll(() => stack?.stop());

  const at = (path: string, options: RequestOptions = {}) =>
    stack.requestAt(path, { apiKey: null, ...options });
  const post = (query: string, headers: Record<string, string> = {}, to = newRecipient()) =>
    at(`/graph/v23.0${messages}${query}`, { method: 'POST', body: graphMessage(to), headers });
  const codeOf = ({ status, body }: { status: number; body: any }) => [
    status,
    body.error.code,
    body.error.error_data?.details.split(':')[0],
  ];

  /** Asks with a request line that `fetch` does not make. */
  const ask = (target: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; body: any }>((resolve, reject) => {
      const { hostname, port } = new URL(stack.apis[0]?.url ?? '');
      request({ hostname, port, path: target, headers }, (answer) => {
        json(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
      })
        .on('error', reject)
        .end();
    });

  describe('knows who calls', () => {
    it('by the token in the header or in the address; the header wins', async () => {
      expect((await post(`?access_token=${program.token}`)).status).toBe(200);
      expect((await post(`?access%5Ftoken=${program.token}`)).status).toBe(200);
      const authorization = `bearer ${program.token}`;
      expect((await post('?access_token=other', { authorization })).status).toBe(200);
      const wrong = await post(`?access_token=${program.token}`, { authorization: 'Bearer other' });
      expect(codeOf(wrong)).toEqual([401, 190, 'INVALID_API_KEY']);
    });

    it('and does not read X-API-Key', async () => {
      const refused = await post('', { 'x-api-key': program.token });
      expect(codeOf(refused)).toEqual([401, 190, 'INVALID_API_KEY']);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="parley"');
      expect(refused.body.error).toMatchObject({
        type: 'OAuthException',
        fbtrace_id: refused.headers.get('x-request-id'),
      });
    });

    it('and lets in only keys whose setting is on', async () => {
      const { api_key, key } = await operator.newKey();
      const authorization = `Bearer ${key}`;
      expect(api_key.graph_access).toBe(false);
      expect(codeOf(await post('', { authorization }))).toEqual([403, 10, 'PERMISSION_DENIED']);
      const on = { graph_access: true };
      const changed = await operator.get('PATCH', `/api-keys/${api_key.id}`, on);
      expect(changed.api_key.graph_access).toBe(true);
      expect((await post('', { authorization })).status).toBe(200);
      await operator.get('PATCH', `/api-keys/${api_key.id}`, { graph_access: null });
      expect(codeOf(await post('', { authorization }))).toEqual([403, 10, 'PERMISSION_DENIED']);
    });

    it('and has no keys that must sign their requests', async () => {
      const both = await operator.call('POST', '/api-keys', {
        name: 'both',
        permissions: ['send_text'],
        graph_access: true,
        require_signature: true,
      });
      expect([both.status, Object.keys(both.body.error.details.fields)]).toEqual([
        400,
        ['graph_access'],
      ]);
      const { api_key } = await operator.newKey({ graph_access: true });
      const later = await operator.call('PATCH', `/api-keys/${api_key.id}`, {
        require_signature: true,
      });
      expect(Object.keys(later.body.error.details.fields)).toEqual(['require_signature']);
    });

    it('and answers for their permission, quota, state and account as WhatsApp would', async () => {
      const weak = await GraphProgram.with(stack, { permissions: ['view_messages'] });
      expect(codeOf(await weak.send(graphMessage(newRecipient())))).toEqual([
        403,
        10,
        'PERMISSION_DENIED',
      ]);
      const slow = await GraphProgram.with(stack, { rateLimit: 1 });
      await slow.send(graphMessage(newRecipient()));
      const limited = await slow.send(graphMessage(newRecipient()));
      expect(codeOf(limited)).toEqual([429, 80007, 'RATE_LIMIT_EXCEEDED']);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      const gone = await GraphProgram.with(stack, { revokedAt: new Date() });
      expect(codeOf(await gone.send(graphMessage(newRecipient())))).toEqual([
        401,
        190,
        'REVOKED_API_KEY',
      ]);
      const inactive = await addAccount(stack, { active: false });
      const asleep = await GraphProgram.with(stack, { accountId: inactive });
      expect(codeOf(await asleep.send(graphMessage(newRecipient())))).toEqual([
        403,
        10,
        'ACCOUNT_NOT_ACTIVE',
      ]);
    });
  });

  it.each([
    ['expired', 'EXPIRED_API_KEY', { expiresAt: new Date(0) }],
    ['suspended', 'SUSPENDED_API_KEY', { suspendedAt: new Date(0) }],
  ])('refuses a key that is %s with the code of a token that is over', async (_, code, change) => {
    const over = await GraphProgram.with(stack, change);
    expect(codeOf(await over.send(graphMessage(newRecipient())))).toEqual([401, 190, code]);
  });

  it('lets a key in from its addresses alone', async () => {
    const { key } = await operator.newKey({
      account_id: installation.accountId,
      graph_access: true,
      allowed_ips: ['192.0.2.7/32'],
    });
    const refused = await GraphProgram.of(stack, key).send(graphMessage(newRecipient()));
    expect(codeOf(refused)).toEqual([403, 10, 'IP_NOT_ALLOWED']);
  });

  it('takes both keys of a rotation until its overlap ends', async () => {
    const { api_key, key } = await operator.newKey({
      account_id: installation.accountId,
      graph_access: true,
    });
    const rotated = await operator.get('POST', `/api-keys/${api_key.id}/rotate`, {
      overlap_seconds: 3_600,
    });
    const statusOf = async (token: string) =>
      (await GraphProgram.of(stack, token).send(graphMessage(newRecipient()))).status;
    expect([await statusOf(key), await statusOf(rotated.key)]).toEqual([200, 200]);
    await operator.get('POST', `/api-keys/${api_key.id}/end-overlap`, {});
    await until(async () => (await statusOf(key)) === 401);
    expect(await statusOf(rotated.key)).toBe(200);
  });

  it('sends messages of types that nobody knows yet, and lists them', async () => {
    const to = newRecipient();
    const message = graphMessage(to, { type: 'hologram', text: undefined, hologram: { id: '7' } });
    expect((await program.send(message)).status).toBe(200);
    const [arrived] = await stack.ledger(to);
    expect(arrived?.body).toMatchObject({ type: 'hologram', hologram: { id: '7' } });
    const {
      messages: [listed],
    } = (await stack.get(`/messages?to=${encodeURIComponent(to)}`)).body.data;
    expect(listed).toMatchObject({ type: 'graph:hologram', status: 'sent' });
  });

  it('is found however the address is written', async () => {
    const list = `graph/v23.0/${demoNumber.businessAccountId}/message_templates?limit=1`;
    const token = `access_token=${program.token}`;
    for (const target of [
      `http://parley.example.com/${list}&${token}`,
      `/%67raph/${list.slice('graph/'.length)}&${token}`,
      `/${list}#${token}`,
      `/${list};${token}`,
    ]) {
      const { status, body } = await ask(target);
      expect([target, status]).toEqual([target, 200]);
      expect(JSON.stringify(body)).not.toContain(program.token);
    }
    for (const target of ['http://parley.example.com/graph/v23/1', '/%67raph/v23/1'])
      expect((await ask(target)).body.error).toMatchObject({ code: 100 });
  });

  it('describes the key also beside a header of another kind', async () => {
    const query = `input_token=${program.token}&access_token=${program.token}`;
    const { status } = await at(`/graph/v23.0/debug_token?${query}`, {
      headers: { authorization: 'Basic cHJveHk6cGFzcw==' },
    });
    expect(status).toBe(200);
  });

  it('takes the number of the key alone', async () => {
    const other = await program.call('/100000000000002/messages', {
      method: 'POST',
      body: graphMessage(newRecipient()),
    });
    expect(codeOf(other)).toEqual([400, 100, 'NOT_FOUND']);
    expect(other.body.error.error_subcode).toBe(33);
  });

  it.each([
    ['POST', `/graph/v100.0${messages}`],
    ['POST', `/graph/23.0${messages}`],
    ['POST', `/graph/v23${messages}`],
    ['POST', `/graph${messages}`],
    ['GET', `/graph/v23.0${messages}`],
    ['DELETE', `/graph/v23.0/123`],
    ['POST', `/graph/v23.0/123/register`],
    ['POST', '/graph/v23.0'],
    ['POST', '/graph/v23.0/'],
    ['POST', '/graph'],
    ['GET', '/graph?fields=id'],
    ['GET', '/graph/'],
  ])('says of %s %s that Parley does not offer it', async (method, path) => {
    const { status, body } = await at(path, { method, ...(method === 'POST' && { body: {} }) });
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      100,
      'Unsupported request: not offered by Parley',
    ]);
  });

  it.each([
    ['not JSON', '{', {}],
    [
      'a form',
      'messaging_product=whatsapp',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['too large', JSON.stringify({ a: 'x'.repeat(33_000) }), {}],
    ['too deep', `${'['.repeat(40)}${']'.repeat(40)}`, {}],
    ['an array', '[]', {}],
    ['empty', '', {}],
    ['compressed', '{}', { 'content-encoding': 'gzip' }],
  ])('refuses a body that is %s', async (_, body, headers) => {
    const answer = await program.send(body, { 'content-type': 'application/json', ...headers });
    expect(codeOf(answer)).toEqual([400, 100, 'VALIDATION_ERROR']);
  });

  it('keeps the day of a key, and its log', async () => {
    const one = await GraphProgram.with(stack, { dailyLimit: 1 });
    const first = await one.send(graphMessage(newRecipient()));
    expect(first.status).toBe(200);
    expect(codeOf(await one.send(graphMessage(newRecipient())))).toEqual([
      429,
      80007,
      'DAILY_LIMIT_EXCEEDED',
    ]);
    const rows = await until(async () => {
      const found = await stack.sql(
        'select route, status, code, message_id from request_log where api_key_id = $1 order by id',
        [one.keyId],
      );
      return found.length === 2 && found;
    });
    expect(rows).toEqual([
      { route: '/graph/messages', status: 200, code: null, message_id: expect.any(String) },
      { route: '/graph/messages', status: 429, code: 'DAILY_LIMIT_EXCEEDED', message_id: null },
    ]);
  });

  describe('doubles nothing by a repetition', () => {
    const worker = () => stack.workers[0];
    const arrived = async (to: string) => (await stack.ledger(to)).length;

    afterEach(() => stack.rules.clear());

    it('which is told that nothing was sent, and nothing will be', async () => {
      await worker()?.stop();
      const to = newRecipient();
      const { status, body, headers } = await program.send(graphMessage(to));
      const [row] = await stack.sql('select id from messages where recipient = $1', [to]);
      expect([status, body.error]).toEqual([
        503,
        {
          message: expect.any(String),
          type: 'OAuthException',
          code: 131016,
          is_transient: true,
          error_data: {
            messaging_product: 'whatsapp',
            details: `SERVICE_UNAVAILABLE: not sent ${row.id}`,
          },
          fbtrace_id: expect.any(String),
        },
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      const keyed = newRecipient();
      const key = { 'idempotency-key': 'a7' };
      const waiting = await program.send(graphMessage(keyed), key);
      const [queued] = await stack.sql('select id from messages where recipient = $1', [keyed]);
      expect([waiting.status, waiting.body.error.error_data.details]).toEqual([
        503,
        `SERVICE_UNAVAILABLE: queued ${queued.id}`,
      ]);
      worker()?.launch();
      const again = await until(async () => {
        const answer = await program.send(graphMessage(keyed), key);
        return answer.status === 200 && answer;
      }, 20_000);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect([await arrived(keyed), await arrived(to)]).toEqual([1, 0]);
      const reused = await program.send(graphMessage(newRecipient()), key);
      expect(codeOf(reused)).toEqual([400, 100, 'IDEMPOTENCY_KEY_REUSED']);
      await until(async () => {
        const [{ status: now }] = await stack.sql('select status from messages where id = $1', [
          row.id,
        ]);
        return now === 'failed';
      });
      expect(await arrived(to)).toBe(0);
    }, 60_000);

    it('which is told so at once by a process that stops', async () => {
      await worker()?.stop();
      const to = newRecipient();
      const sending = program.send(graphMessage(to));
      const [row] = await until(async () => {
        const rows = await stack.sql('select id from messages where recipient = $1', [to]);
        return rows.length === 1 && rows;
      });
      await stack.apis[0]?.stop();
      const { status, body } = await sending;
      expect([status, body.error.error_data.details]).toEqual([
        503,
        `SERVICE_UNAVAILABLE: not sent ${row.id}`,
      ]);
      worker()?.launch();
      stack.apis[0]?.launch();
      await stack.apis[0]?.ready();
      expect(await stack.sql('select status from messages where id = $1', [row.id])).toEqual([
        { status: 'failed' },
      ]);
      expect(await arrived(to)).toBe(0);
    }, 60_000);

    it.each([
      ['nobody has tried it in time', false],
      ['somebody cancels it', true],
    ])(
      'which is not told so where the database may have forgotten a try: %s',
      async (_, isCancelled) => {
        await worker()?.stop();
        const to = newRecipient();
        const sending = program.send(graphMessage(to));
        await until(
          async () => (await stack.sql('select from messages where recipient = $1', [to]))[0],
        );
        // As where a standby took over after the message was accepted.
        const [former] = await stack.sql(
          `update database_histories h set began_at = clock_timestamp()
         from database_histories o where o.history = h.history and h.history = database_history()
         returning h.history, o.began_at::text`,
        );
        const [row] = await stack.sql('select id from messages where recipient = $1', [to]);
        if (isCancelled) await operator.get('POST', `/messages/${row.id}/cancel`);
        const { status, body } = await sending;
        await stack.sql('update database_histories set began_at = $2 where history = $1', [
          former.history,
          former.began_at,
        ]);
        expect([status, body.error.code, body.error.error_data.details]).toEqual([
          409,
          131000,
          `MESSAGE_SEND_FAILED: unconfirmed ${row.id}`,
        ]);
        worker()?.launch();
      },
      60_000,
    );

    it('which is not told so while a worker begins to try it', async () => {
      await worker()?.stop();
      const to = newRecipient();
      const sending = program.send(graphMessage(to));
      await until(
        async () => (await stack.sql('select from messages where recipient = $1', [to]))[0],
      );
      const claim = new Client({ connectionString: stack.databaseUrl, application_name: 'test' });
      await claim.connect();
      await claim.query('begin');
      await claim.query(
        `update messages set status = 'sending', attempt = 1, sending_at = clock_timestamp(),
           claim_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '30 seconds'
         where recipient = $1`,
        [to],
      );
      const overSql = `select expires_at < clock_timestamp() - interval '2 seconds' as is_over
        from messages where recipient = $1`;
      await until(async () => (await stack.sql(overSql, [to]))[0].is_over, 20_000);
      await claim.query('commit');
      await claim.query(
        `update messages set status = 'sent', platform_message_id = 'wamid.LATE' where recipient = $1`,
        [to],
      );
      await claim.end();
      const { status, body } = await sending;
      expect([status, body.messages]).toEqual([200, [{ id: 'wamid.LATE' }]]);
      worker()?.launch();
    }, 60_000);

    it('which gets the last refusal of what would have been tried again', async () => {
      const to = newRecipient();
      await stack.rules.add({ match: { to }, fault: { code: 131056 } });
      // A busy machine may not have tried it at all in time.
      const { status, body } = await until(async () => {
        const answer = await program.send(graphMessage(to));
        return answer.body.error.code !== 131016 && answer;
      });
      expect([status, body.error.code, body.error.is_transient]).toEqual([400, 131056, true]);
      const tries = await arrived(to);
      await stack.rules.clear();
      expect((await program.send(graphMessage(to))).status).toBe(200);
      expect(await arrived(to)).toBe(tries + 1);
    });

    it.each(['drop', 'accept-then-drop'])(
      'which is told not to repeat what WhatsApp may have: %s',
      async (fault) => {
        const to = newRecipient();
        await stack.rules.add({ match: { to }, fault });
        const { status, body, headers } = await program.send(graphMessage(to));
        const [row] = await stack.sql('select id from messages where recipient = $1', [to]);
        expect([status, body.error.code, body.error.is_transient]).toEqual([409, 131000, false]);
        expect(body.error.error_data.details).toBe(`MESSAGE_SEND_FAILED: unconfirmed ${row.id}`);
        expect(headers.get('retry-after')).toBeNull();
      },
    );

    it('which waits for a try that takes longer than its caller would', async () => {
      const to = newRecipient();
      await stack.rules.add({ match: { to }, fault: { delay_ms: 5_000 } });
      const { status } = await program.send(graphMessage(to));
      expect([status, await arrived(to)]).toEqual([200, 1]);
    });
  });

  it('writes no token anywhere', () => {
    const written = stack.processes.map(({ output }) => output).join('\n');
    expect(written).toContain('/graph/:version/:object/messages');
    expect(written).not.toContain(program.token);
    expect(written).not.toContain('access_token');
  });
});
