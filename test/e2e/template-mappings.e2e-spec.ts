import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard, neighbour } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { newRecipient, Stack } from '../support/stack.js';
import { definitions, map, putTemplates, sync, templateId } from '../support/templates.js';

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const shipped = {
  name: { component: 'header', required: true },
  number: { component: 'body', parameter_name: 'order_number', required: true },
  carrier: { component: 'body', parameter_name: 'carrier', required: true },
  day: { component: 'body', parameter_name: 'date', required: false, default: 'Friday' },
  order_path: { component: 'button', button_index: 1, required: true },
};

describe('templates and their mappings', () => {
  let stack: Stack;
  let dashboard: Dashboard;
  let keyId: string;
  let apiKey: string;

  beforeAll(async () => {
    stack = await Stack.start();
    await putTemplates(stack, [
      ...Object.values(definitions),
      { ...definitions.plain, language: 'es' },
    ]);
    dashboard = await Dashboard.signIn(stack);
    await sync(dashboard);
    ({ id: keyId, key: apiKey } = await addApiKey(stack));
  });

  afterAll(() => stack?.stop());

  const put = async (name: string, body: unknown) =>
    dashboard.call('PUT', await pathOf(name), body);
  const pathOf = async (name: string) =>
    `/api-keys/${keyId}/template-mappings/${await templateId(dashboard, name)}`;
  const list = async (query: Record<string, string> = {}, key = apiKey) =>
    (await stack.get(`/templates?${new URLSearchParams(query).toString()}`, { apiKey: key })).body;
  const names = async (query: Record<string, string>) =>
    (await list(query)).data.templates.map((one: any) => `${one.name} ${one.language}`);
  const send = (template_name: string, variables: unknown) =>
    stack.request('/messages/template/send', {
      method: 'POST',
      apiKey,
      body: { to: newRecipient(), template_name, language: 'en_US', variables },
    });

  it('a variable with a default is optional, whatever its mapping says', async () => {
    const { id, key } = await addApiKey(stack);
    const path = `/api-keys/${id}/template-mappings/${await templateId(dashboard, 'order_shipped')}`;
    const day = { ...shipped.day, required: true };
    const { template_mapping: saved } = await dashboard.get('PUT', path, {
      variables: { ...shipped, day },
    });
    expect(saved.variables.day).toEqual({ ...day, required: false });
    const { templates } = (await list({ name: 'order_shipped' }, key)).data;
    const told = templates[0].variables.find(({ name }: any) => name === 'day');
    expect(told.required).toBe(false);
    const sent = await stack.request('/messages/template/send', {
      method: 'POST',
      apiKey: key,
      body: {
        to: newRecipient(),
        template_name: 'order_shipped',
        language: 'en_US',
        variables: { name: 'Anna', number: '7', carrier: 'DHL', order_path: 'a' },
      },
    });
    expect(sent.status).toBe(200);
    const [stored] = await stack.sql(
      'select variables from template_mappings where api_key_id = $1',
      [id],
    );
    expect(stored.variables.day.required).toBe(true);
    await dashboard.get('DELETE', path);
  });

  it('a template lists the keys that have mapped it, to users of its account', async () => {
    const id = await templateId(dashboard, 'offer');
    const key = await addApiKey(stack);
    const path = `/api-keys/${key.id}/template-mappings/${id}`;
    await dashboard.get('PUT', path, {
      variables: { code: { component: 'button', button_index: 0, required: true } },
    });
    const { template, mappings } = await dashboard.get('GET', `/templates/${id}`);
    expect(template).toMatchObject({ id, name: 'offer', configured: true });
    expect(mappings).toEqual([
      {
        api_key_id: key.id,
        api_key_name: expect.any(String),
        variables: 1,
        broken: false,
        broken_reason: null,
        updated_at: isoTime,
      },
    ]);
    const { administrator: stranger } = await neighbour(stack, dashboard);
    expect((await stranger.call('GET', `/templates/${id}`)).status).toBe(404);
    expect((await dashboard.call('GET', '/templates/offer')).status).toBe(404);
    await dashboard.get('DELETE', path);
  });

  it('the overview counts each template once that the list shows as approved and mapped', async () => {
    const variables = { code: { component: 'button', button_index: 0, required: true } };
    const ids = [(await addApiKey(stack)).id, (await addApiKey(stack)).id];
    const offer = await templateId(dashboard, 'offer');
    const paths = ids.map((id) => `/api-keys/${id}/template-mappings/${offer}`);
    for (const path of paths) await dashboard.get('PUT', path, { variables });
    const overview = () => dashboard.get('GET', '/overview');
    const counted = async () => (await overview()).templates_mapped;
    const listed = async () =>
      (await dashboard.get('GET', '/templates?status=APPROVED&configured=true')).templates.map(
        ({ name }: any) => name,
      );
    expect([await counted(), await listed()]).toEqual([1, ['offer']]);
    expect(await overview()).toMatchObject({ templates_configured: 2 });
    await stack.sql(
      `update template_mappings set broken_reason = 'changed' where api_key_id = any ($1)`,
      [ids],
    );
    expect([await counted(), await listed()]).toEqual([0, []]);
    for (const path of paths) await dashboard.get('DELETE', path);
  });

  it('a mapping holds from the next request on, until it is deleted', async () => {
    const path = await pathOf('offer');
    const variables = { code: { component: 'button', button_index: 0, required: true } };
    expect((await send('offer', { code: 'A' })).body.error.code).toBe('TEMPLATE_NOT_CONFIGURED');
    const stored = await put('offer', { variables });
    expect(stored.body.data).toEqual({
      template_mapping: {
        template_id: path.split('/').at(-1),
        template_name: 'offer',
        language: 'en_US',
        template_status: 'APPROVED',
        variables,
        broken: false,
        broken_reason: null,
        created_at: isoTime,
        updated_at: isoTime,
      },
    });
    expect((await send('offer', { code: 'A' })).status).toBe(200);

    const other = { kod: { ...variables.code, position: 1, default: null } };
    await put('offer', { variables: other });
    expect((await send('offer', { kod: 'A' })).status).toBe(200);
    expect((await send('offer', { code: 'A' })).body.error.code).toBe('MISSING_REQUIRED_VARIABLE');
    const { template_mappings } = await dashboard.get(
      'GET',
      `/api-keys/${keyId}/template-mappings`,
    );
    expect(template_mappings).toMatchObject([
      { variables: { kod: { component: 'button', button_index: 0, position: 1, required: true } } },
    ]);

    expect((await dashboard.get('GET', '/overview')).templates_configured).toBe(1);
    expect(await dashboard.get('DELETE', path)).toEqual({ deleted: true });
    expect((await dashboard.get('GET', '/overview')).templates_configured).toBe(0);
    expect((await dashboard.call('DELETE', path)).status).toBe(404);
    expect((await send('offer', { kod: 'A' })).body.error.code).toBe('TEMPLATE_NOT_CONFIGURED');
    const actions = await stack.sql(
      `select action, details->>'template' as template from audit_log
       where subject_id = $1 order by id`,
      [keyId],
    );
    expect(actions).toEqual([
      { action: 'template_mapping.saved', template: 'offer' },
      { action: 'template_mapping.saved', template: 'offer' },
      { action: 'template_mapping.deleted', template: 'offer' },
    ]);
  });

  it.each<[string, string, unknown, Record<string, string>]>([
    [
      'no variables',
      'plain',
      {},
      { variables: 'must be an object of at most 100 variables: name to parameter' },
    ],
    [
      'faults in several variables',
      'paid',
      {
        variables: {
          a: { component: 'footer', required: 'yes', position: 0 },
          b: { component: 'body', required: true, type: 'emoji', place: 1 },
          c: 1,
          ' ': {},
        },
      },
      {
        'variables.a.component': 'must be one of header, body, button',
        'variables.a.required': 'must be true or false',
        'variables.a.position': 'must be a whole number from 1 to 100',
        'variables.b.type': 'must be one of text, currency, date_time',
        'variables.b.place': 'is not a known field',
        'variables.c': 'must be an object',
        'variables. ': 'must have a name of 1 to 100 characters, without spaces around it',
      },
    ],
    [
      'a name that every object inherits',
      'plain',
      {
        variables: {
          a: { component: 'body', required: true, default: { constructor: { prototype: {} } } },
        },
      },
      {
        'variables.a.default': 'must be a string',
        'variables.a.default.constructor': 'is not an allowed name',
      },
    ],
    [
      'a place left empty',
      'paid',
      { variables: { a: { component: 'body', position: 2, required: true } } },
      { variables: 'nothing fills body {{1}}; nothing fills body {{3}}' },
    ],
  ])('a mapping with %s is refused by the name of the field', async (_, name, body, fields) => {
    const { status, body: answer } = await put(name, body);
    expect({ status, code: answer.error.code, fields: answer.error.details.fields }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields,
    });
  });

  it('a mapping of a key or onto a template that is not there, or is another account’s, is 404', async () => {
    const id = await templateId(dashboard, 'plain');
    const foreign = await addApiKey(stack, { accountId: await addAccount(stack) });
    const nobody = '018f0000-0000-7000-8000-000000000000';
    for (const path of [
      `/api-keys/${nobody}/template-mappings/${id}`,
      `/api-keys/${foreign.id}/template-mappings/${id}`,
      `/api-keys/${keyId}/template-mappings/${nobody}`,
      `/api-keys/${keyId}/template-mappings/plain`,
      `/api-keys/nobody/template-mappings/${id}`,
    ]) {
      expect((await dashboard.call('PUT', path, { variables: {} })).status).toBe(404);
      expect((await dashboard.call('DELETE', path)).status).toBe(404);
    }
  });

  it('administrators manage the mappings and templates of their own account only', async () => {
    const accountId = await addAccount(stack);
    const other = await addApiKey(stack, { accountId });
    await dashboard.get('POST', '/users', {
      email: 'admin@other.test',
      password: 'correct horse battery staple',
      role: 'administrator',
      account_id: accountId,
    });
    const admin = await Dashboard.signIn(stack, 'admin@other.test');
    expect((await admin.get('GET', '/templates?name=paid')).templates).toEqual([]);
    const of = (id: string) => admin.call('GET', `/api-keys/${id}/template-mappings`);
    expect((await of(other.id)).body.data).toEqual({ template_mappings: [] });
    expect((await of(keyId)).status).toBe(404);
    const query = `account_id=${installation.accountId}`;
    expect((await admin.call('GET', `/templates?${query}`)).status).toBe(404);
    expect((await admin.call('POST', `/templates/sync?${query}`)).status).toBe(404);
    // Two accounts by now: the operator has to say which.
    const unclear = await dashboard.call('POST', '/templates/sync');
    expect(unclear.body.error.details.fields).toEqual({
      account_id: 'is required: there are several accounts',
    });
    const named = await dashboard.get('POST', `/templates/sync?${query}`);
    expect(named.syncs.map((one: any) => one.mode)).toEqual(['live', 'test']);
    const body = { account_id: installation.accountId };
    expect((await admin.call('POST', '/templates/sync', body)).status).toBe(404);
    const byBody = await dashboard.get('POST', '/templates/sync?mode=live', body);
    expect(byBody.syncs).toMatchObject([{ ...body, mode: 'live' }]);
    const wrong = await dashboard.call('POST', '/templates/sync', { account_id: 'mine' });
    expect(wrong.body.error.details.fields).toEqual({ account_id: 'must be the id of an account' });
  });

  it('a caller sees its templates with the variables of its own key', async () => {
    await map(dashboard, keyId, 'order_shipped', shipped);
    const { data } = await list({ name: 'order_shipped' });
    expect(data).toEqual({
      templates: [
        {
          name: 'order_shipped',
          language: 'en_US',
          category: 'UTILITY',
          status: 'APPROVED',
          parameter_format: 'NAMED',
          components: definitions.shipped.components,
          configured: true,
          variables: [
            { name: 'name', required: true, component: 'header', example: 'Jessica' },
            { name: 'number', required: true, component: 'body', example: 'SKBUP2-4CPIG9' },
            { name: 'carrier', required: true, component: 'body', example: 'ACME' },
            { name: 'day', required: false, component: 'body', example: '4 May' },
            { name: 'order_path', required: true, component: 'button', example: 'id00231' },
          ],
        },
      ],
      next_cursor: null,
    });
    const other = await addApiKey(stack);
    const [theirs] = (await list({ name: 'order_shipped' }, other.key)).data.templates;
    expect(theirs).toMatchObject({ configured: false, variables: [] });
  });

  it('lists by name and language, and applies filters', async () => {
    await map(dashboard, keyId, 'plain', {});
    const all = await names({});
    expect(all).toEqual(all.toSorted());
    expect(all).toHaveLength(10);
    expect(await names({ name: 'plain' })).toEqual(['plain en_US', 'plain es']);
    expect(await names({ name: 'plain', language: 'es' })).toEqual(['plain es']);
    expect(await names({ language: 'fr' })).toEqual([]);
    expect(await names({ status: 'paused' })).toEqual(['paused en_US']);
    expect(await names({ name: 'plain', configured: 'true' })).toEqual(['plain en_US']);
    expect(await names({ name: 'plain', configured: 'false' })).toEqual(['plain es']);
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const { data }: any = await list({ limit: '4', ...(cursor && { cursor }) });
      pages.push(data.templates.map((one: any) => `${one.name} ${one.language}`));
      cursor = data.next_cursor;
    } while (cursor);
    expect(pages.map(({ length }) => length)).toEqual([4, 4, 2]);
    expect(pages.flat()).toEqual(all);
    expect((await list({ limit: '10' })).data.next_cursor).toBeNull();
  });

  it.each([
    ['limit', '0'],
    ['limit', '201'],
    ['configured', 'yes'],
    ['status', 'not approved'],
    ['name', ''],
    ['cursor', 'first'],
    ['cursor', Buffer.from('["a","b","c"]').toString('base64url')],
    ['page', '2'],
  ])('a list with %s=%j is refused by the name of the filter', async (name, value) => {
    const { error } = await list({ [name]: value });
    expect({ code: error.code, fields: error.details.fields }).toEqual({
      code: 'VALIDATION_ERROR',
      fields: { [name]: expect.any(String) },
    });
  });

  it('a list needs view_templates', async () => {
    const { key } = await addApiKey(stack, { permissions: ['send_template'] });
    expect((await stack.get('/templates', { apiKey: key })).status).toBe(403);
    expect((await stack.get('/templates', { apiKey: null })).status).toBe(401);
  });

  it('the dashboard shows what a mapping can fill, and when the template was last synced', async () => {
    const { templates, syncs } = await dashboard.get('GET', '/templates?mode=live&name=offer');
    expect(templates).toEqual([
      expect.objectContaining({
        id: expect.any(String),
        account_id: installation.accountId,
        mode: 'live',
        status: 'APPROVED',
        configured: false,
        last_synced_at: isoTime,
        parameters: [
          {
            component: 'button',
            position: 1,
            parameter_name: null,
            button_index: 0,
            kind: 'coupon_code',
            required: true,
            example: 'SALE',
          },
        ],
      }),
    ]);
    expect(syncs[0]).toMatchObject({ synced_at: isoTime, failed_at: null, error: null });
  });
});
