import { randomUUID } from 'node:crypto';
import { dayMs } from '#libs/durations';
import { isWellFormedApiKey } from '../../src/api-keys/api-key-token.js';
import { comparable, Dashboard, newKey } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';

const tomorrow = () => new Date(Date.now() + dayMs).toISOString();
const text = (length: number) => '😀'.repeat(length);

describe('an API key', () => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
  });

  afterAll(() => stack?.stop());

  const fieldsOf = async (method: string, path: string, body: unknown) => {
    const answer = await operator.call(method, path, body);
    expect({ status: answer.status, code: answer.body.error?.code }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
    return answer.body.error.details.fields;
  };

  it('has the defaults of the specification, and shows its secrets once', async () => {
    const given = newKey();
    const created = await operator.get('POST', '/api-keys', given);
    expect(created).toEqual({
      api_key: {
        id: expect.any(String),
        event_feed: false,
        graph_access: false,
        account_id: installation.accountId,
        name: given.name,
        description: null,
        mode: 'live',
        display: expect.stringMatching(/^pk_live_\w{4}…\w{4}$/),
        permissions: given.permissions,
        rate_limit_per_minute: 60,
        daily_limit: 10_000,
        expires_at: null,
        allowed_ips: [],
        active: true,
        state: 'active',
        revoked_at: null,
        suspended_at: null,
        suspended_reason: null,
        require_signature: false,
        webhook: {
          url: null,
          events: ['message.received', 'message.status', 'webhook.test'],
          disabled_at: null,
          failing: null,
          reason: null,
        },
        previous_key_expires_at: null,
        secrets: ['key', 'signing', 'webhook'].map((kind) => ({
          kind,
          expires_at: null,
          last_used_at: null,
          last_used_from: null,
        })),
        bodies_kept_until: null,
        last_used_at: null,
        last_used_address: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
      key: expect.stringMatching(/^pk_live_[0-9A-Za-z]{40}$/),
      signing_secret: expect.stringMatching(/^sgsec_[0-9A-Za-z+/]{43}=$/),
      webhook_secret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{43}=$/),
    });
    expect(isWellFormedApiKey(created.key)).toBe(true);
    const { id } = created.api_key;
    const list = await operator.call('GET', '/api-keys');
    const one = await operator.call('GET', `/api-keys/${id}`);
    const stored = await stack.sql('select * from api_keys where id = $1', [id]);
    const audited = await stack.sql('select * from audit_log where subject_id = $1', [id]);
    for (const secret of [created.key, created.signing_secret, created.webhook_secret]) {
      for (const place of [list.text, one.text, JSON.stringify([stored, audited])]) {
        expect(place).not.toContain(secret);
      }
    }
    expect(one.body.data.api_key).toEqual(created.api_key);
    expect(list.body.data.api_keys[0]).toEqual(created.api_key);
  });

  it('takes every attribute, at the edge of its limit', async () => {
    const settings = {
      name: text(100),
      description: text(500),
      mode: 'test',
      permissions: ['send_template', 'send_text', 'send_media', 'view_templates', 'view_messages'],
      rate_limit_per_minute: 1_000_000_000,
      daily_limit: 1,
      expires_at: tomorrow(),
      allowed_ips: Array.from({ length: 100 }, (_, index) =>
        index % 2 ? `10.0.${index}.0/24` : `2001:db8::${index}`,
      ),
      active: false,
      require_signature: true,
    };
    const webhook = {
      webhook_url: `https://example.com:8443/${'x'.repeat(2_023)}`,
      webhook_events: ['message.status'],
    };
    const { api_key, key } = await operator.newKey({ ...settings, ...webhook });
    expect(webhook.webhook_url).toHaveLength(2_048);
    expect(api_key).toMatchObject({
      ...settings,
      state: 'inactive',
      webhook: { url: webhook.webhook_url, events: webhook.webhook_events },
    });
    expect(key).toMatch(/^pk_test_/);
  });

  it.each([
    ['name', undefined],
    ['name', null],
    ['name', ' '],
    ['name', '\u200b\u2060\u3164'],
    ['name', text(101)],
    ['name', 7],
    ['description', text(501)],
    ['description', ''],
    ['mode', 'demo'],
    ['permissions', undefined],
    ['permissions', null],
    ['permissions', []],
    ['permissions', 'send_text'],
    ['permissions[1]', ['send_text', 'send_everything']],
    ['rate_limit_per_minute', 0],
    ['rate_limit_per_minute', 1_000_000_001],
    ['rate_limit_per_minute', 1.5],
    ['rate_limit_per_minute', '60'],
    ['daily_limit', 0],
    ['daily_limit', 1_000_000_001],
    ['expires_at', '2020-01-01T00:00:00Z'],
    ['expires_at', '2099-02-31T00:00:00Z'],
    ['expires_at', '2099-01-01T00:00:00'],
    ['expires_at', 'tomorrow'],
    ['expires_at', '9999-12-31T23:59:59.001Z'],
    ['expires_at', '9999-12-31T23:59:59-00:01'],
    ['expires_at', 4_102_444_800],
    ['allowed_ips', '10.0.0.1'],
    ['allowed_ips', Array.from({ length: 101 }, () => '10.0.0.1')],
    ['allowed_ips[1]', ['10.0.0.1', '10.0.0.1/8']],
    ['allowed_ips[0]', ['0.0.0.0/0']],
    ['allowed_ips[0]', ['::/0']],
    ['allowed_ips', ['0.0.0.0/1', '128.0.0.0/1']],
    ['allowed_ips[0]', ['example.com']],
    ['allowed_ips[0]', [7]],
    ['active', 'yes'],
    ['require_signature', 1],
    ['webhook_url', 'ftp://example.com'],
    ['webhook_url', 'example.com'],
    ['webhook_url', 'https://user:password@example.com'],
    ['webhook_url', `https://example.com/${'x'.repeat(2_029)}`],
    ['webhook_events', []],
    ['webhook_events[0]', ['message.sent']],
    ['account_id', 'mine'],
    ['permission', ['send_text']],
    ['key', installation.apiKey],
  ])('is not made with %s %j', async (field, value) => {
    const name = field.replace(/\[.*/, '');
    const fields = await fieldsOf('POST', '/api-keys', newKey({ [name]: value }));
    expect(Object.keys(fields)).toEqual([field]);
    expect(fields[field]).not.toMatch(/not valid$/);
  });

  it('reports every wrong attribute at once', async () => {
    const fields = await fieldsOf('POST', '/api-keys', {
      permissions: [],
      daily_limit: 0,
      allowed_ips: ['1.2.3.4/33', '1.2.3.4', 'x'],
    });
    expect(Object.keys(fields).toSorted()).toEqual([
      'allowed_ips[0]',
      'allowed_ips[2]',
      'daily_limit',
      'name',
      'permissions',
    ]);
  });

  it('needs a name that is unique in the account; deleting the key frees it', async () => {
    const given = newKey();
    const { api_key } = await operator.get('POST', '/api-keys', given);
    const again = await operator.call('POST', '/api-keys', given);
    expect({ status: again.status, code: again.body.error.code }).toEqual({
      status: 409,
      code: 'NAME_TAKEN',
    });
    const other = await operator.newKey();
    const rename = await operator.call('PATCH', `/api-keys/${other.api_key.id}`, {
      name: given.name,
      description: 'renamed',
    });
    expect(rename.body.error.code).toBe('NAME_TAKEN');
    const { api_key: unchanged } = await operator.get('GET', `/api-keys/${other.api_key.id}`);
    expect(unchanged).toEqual(other.api_key);
    await operator.get('DELETE', `/api-keys/${api_key.id}`);
    await operator.get('POST', '/api-keys', given);
  });

  it('has its name trimmed, and no other key may have that name in capitals', async () => {
    const name = `Key ${randomUUID()}`;
    const { api_key } = await operator.newKey({ name: ` ${name} ` });
    expect(api_key.name).toBe(name);
    const other = await operator.newKey();
    for (const taken of [name, ` ${name}\t`, name.toUpperCase()]) {
      const answers = [
        await operator.call('POST', '/api-keys', newKey({ name: taken })),
        await operator.call('PATCH', `/api-keys/${other.api_key.id}`, { name: taken }),
      ];
      expect(answers.map(({ body }) => body.error?.code)).toEqual(['NAME_TAKEN', 'NAME_TAKEN']);
    }
    const capitals = name.toUpperCase();
    const renamed = await operator.get('PATCH', `/api-keys/${api_key.id}`, { name: capitals });
    expect(renamed.api_key.name).toBe(capitals);
  });

  it('is made only once when parallel requests use names that differ in case', async () => {
    const name = `Key ${randomUUID()}`;
    const answers = await Promise.all(
      [name, name.toUpperCase(), ` ${name}`, name].map((each) =>
        operator.call('POST', '/api-keys', newKey({ name: each })),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  });

  it('can be changed under a name that already clashes', async () => {
    const { api_key } = await operator.newKey();
    const clash = await operator.newKey();
    const name = api_key.name.toUpperCase();
    await stack.sql('update api_keys set name = $2 where id = $1', [clash.api_key.id, name]);
    const path = `/api-keys/${clash.api_key.id}`;
    const changed = await operator.get('PATCH', path, { name, description: 'as it was' });
    expect(changed.api_key).toMatchObject({ name, description: 'as it was' });
  });

  it('may expire as late as the last second of the year 9999', async () => {
    const expires_at = '9999-12-31T23:59:59Z';
    const { api_key } = await operator.newKey({ expires_at });
    expect(new Date(api_key.expires_at)).toEqual(new Date(expires_at));
  });

  it('keeps what a change leaves out, and resets a null field to its default', async () => {
    const all = {
      description: 'first',
      rate_limit_per_minute: 5,
      daily_limit: 50,
      expires_at: tomorrow(),
      allowed_ips: ['127.0.0.1'],
      require_signature: true,
      webhook_url: 'https://example.com/hook',
      webhook_events: ['webhook.test'],
    };
    const { api_key } = await operator.newKey(all);
    const path = `/api-keys/${api_key.id}`;
    const renamed = (await operator.get('PATCH', path, { name: 'renamed' })).api_key;
    expect(renamed).toEqual({ ...api_key, name: 'renamed', updated_at: expect.any(String) });
    const nothing = Object.fromEntries(Object.keys(all).map((name) => [name, null]));
    const cleared = (await operator.get('PATCH', path, nothing)).api_key;
    expect(cleared).toMatchObject({
      description: null,
      rate_limit_per_minute: 60,
      daily_limit: 10_000,
      expires_at: null,
      allowed_ips: [],
      require_signature: false,
      webhook: { url: null, events: ['message.received', 'message.status', 'webhook.test'] },
    });
  });

  it.each(['mode', 'account_id', 'state', 'revoked_at', 'suspended_at', 'key', 'webhook'])(
    'does not let you change its %s',
    async (field) => {
      const { api_key } = await operator.newKey();
      const fields = await fieldsOf('PATCH', `/api-keys/${api_key.id}`, { [field]: null });
      expect(fields).toEqual({ [field]: 'is not a known field' });
    },
  );

  it('stays revoked', async () => {
    const { api_key } = await operator.newKey();
    const path = `/api-keys/${api_key.id}`;
    const revoked = (await operator.get('POST', `${path}/revoke`)).api_key;
    expect(revoked.state).toBe('revoked');
    for (const [method, action, body] of [
      ['PATCH', '', { active: true }],
      ['POST', '/reinstate', undefined],
      ['POST', '/suspend', { reason: 'abuse' }],
      ['POST', '/rotate', undefined],
      ['POST', '/signing-secret/rotate', undefined],
      ['POST', '/webhook/rotate-secret', undefined],
    ] as const) {
      const { status, body: answer } = await operator.call(method, path + action, body);
      expect({ action, status, code: answer.error.code }).toEqual({
        action,
        status: 409,
        code: 'CONFLICT',
      });
    }
    expect((await operator.get('GET', path)).api_key).toEqual(revoked);
    expect((await operator.get('POST', `${path}/revoke`)).api_key.revoked_at).toBe(
      revoked.revoked_at,
    );
  });

  it('needs a reason to be suspended', async () => {
    const { api_key } = await operator.newKey();
    const path = `/api-keys/${api_key.id}/suspend`;
    expect(await fieldsOf('POST', path, {})).toEqual({ reason: 'is required' });
    expect(await fieldsOf('POST', path, { reason: 'x'.repeat(501) })).toHaveProperty('reason');
  });

  it('is deleted for good with its data, and its calls still count', async () => {
    const { api_key } = await operator.newKey();
    const count = (table: string) =>
      stack.sql(`select 1 from ${table} where api_key_id = $1`, [api_key.id]);
    for (const [table, columns] of [
      ['api_key_usage', '(api_key_id, day, used) values ($1, 1, 1)'],
      ['api_key_last_used', '(api_key_id, last_used_at) values ($1, now())'],
      ['secret_last_used', `(api_key_id, digest, last_used_at) values ($1, 'x', now())`],
      [
        'usage_hourly',
        `(api_key_id, account_id, mode, hour) values ($1, '${installation.accountId}', 'live', now())`,
      ],
    ]) {
      await stack.sql(`insert into ${table} ${columns}`, [api_key.id]);
    }
    expect(await operator.get('DELETE', `/api-keys/${api_key.id}`)).toEqual({ deleted: true });
    expect(await count('api_key_usage')).toEqual([]);
    expect(await count('api_key_last_used')).toEqual([]);
    expect(await count('secret_last_used')).toEqual([]);
    expect(await count('usage_hourly')).toHaveLength(1);
    const [again, unknown] = [
      await operator.call('GET', `/api-keys/${api_key.id}`),
      await operator.call('GET', '/api-keys/no-key'),
    ];
    expect(again.status).toBe(404);
    expect(comparable(again)).toBe(comparable(unknown));
  });

  it('forgets that an endpoint was given up when it gets another one, or on request', async () => {
    const { api_key } = await operator.newKey({ webhook_url: 'https://example.com/one' });
    const path = `/api-keys/${api_key.id}`;
    const giveUp = () =>
      stack.sql(
        `update webhook_endpoints set disabled_at = now(), disabled_reason = 'gone'
         where id = $1`,
        [api_key.id],
      );
    await giveUp();
    const given = (await operator.get('PATCH', path, { description: 'same endpoint' })).api_key;
    expect(given.webhook).toMatchObject({ disabled_at: expect.any(String), reason: 'gone' });
    const other = { webhook_url: 'https://example.com/two' };
    const { webhook } = (await operator.get('PATCH', path, other)).api_key;
    expect(webhook).toMatchObject({ url: other.webhook_url, disabled_at: null, reason: null });
    await giveUp();
    const enabled = (await operator.get('POST', `${path}/webhook/enable`)).api_key;
    expect(enabled.webhook).toMatchObject({ disabled_at: null, reason: null });
  });

  it.each([
    ['/rotate', -1],
    ['/rotate', 604_801],
    ['/signing-secret/rotate', '60'],
    ['/webhook/rotate-secret', 1.5],
  ])('refuses %s with an overlap of %j seconds', async (action, overlap) => {
    const { api_key } = await operator.newKey();
    const fields = await fieldsOf('POST', `/api-keys/${api_key.id}${action}`, {
      overlap_seconds: overlap,
    });
    expect(Object.keys(fields)).toEqual(['overlap_seconds']);
  });

  it('gets new secrets; the old one works for as long as you asked', async () => {
    const created = await operator.newKey();
    const path = `/api-keys/${created.api_key.id}`;
    const stored = async () =>
      (
        await stack.sql(
          `select previous_signing_secret is not null as signing,
             extract(epoch from e.previous_expires_at - now())::int as webhook_seconds
           from api_keys k join webhook_endpoints e on e.id = k.id where k.id = $1`,
          [created.api_key.id],
        )
      )[0];
    const signing = await operator.get('POST', `${path}/signing-secret/rotate`);
    const webhook = await operator.get('POST', `${path}/webhook/rotate-secret`);
    expect(signing.signing_secret).toMatch(/^sgsec_/);
    expect(signing.signing_secret).not.toBe(created.signing_secret);
    expect(webhook.webhook_secret).not.toBe(created.webhook_secret);
    const { signing: isKept, webhook_seconds } = await stored();
    expect(isKept).toBe(false);
    expect(webhook_seconds).toBeGreaterThan(86_000);
    await operator.get('POST', `${path}/signing-secret/rotate`, { overlap_seconds: 60 });
    expect((await stored()).signing).toBe(true);
  });
});
