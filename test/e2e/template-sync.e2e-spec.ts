import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Passage } from '../support/passage.js';
import { newRecipient, Stack } from '../support/stack.js';
import {
  businessAccountId,
  definitions,
  map,
  putTemplates,
  sync,
  templateId,
} from '../support/templates.js';
import { until } from '../support/until.js';
import { notify } from '../support/webhooks.js';

const bodyOf = (text: string) => [{ type: 'BODY', text }];
const plain = (name: string, change = {}) => ({
  name,
  language: 'en_US',
  components: bodyOf('Hello.'),
  ...change,
});

describe('the sync of templates', () => {
  let passage: Passage;
  let stack: Stack;
  let dashboard: Dashboard;
  let keyId: string;
  let apiKey: string;

  beforeAll(async () => {
    passage = await Passage.open();
    stack = await Stack.start({
      apis: 2,
      env: { PLATFORM_BASE_URL: `${passage.url}/v25.0` },
    });
    passage.target = stack.simulator.url;
    dashboard = await Dashboard.signIn(stack);
    await putTemplates(stack, []);
    await sync(dashboard);
    ({ id: keyId, key: apiKey } = await addApiKey(stack));
  });

  afterEach(() => {
    passage.isBlocked = () => false;
    passage.hold = () => Promise.resolve();
  });

  afterAll(async () => {
    await stack?.stop();
    await passage.close();
  });

  const send = (template_name: string, variables = {}, language = 'en_US', api = 0) =>
    stack.request('/messages/template/send', {
      method: 'POST',
      body: { to: newRecipient(), template_name, language, variables },
      apiKey,
      api,
    });
  const raw = (template_name: string, api = 0) =>
    stack.request('/messages/template', {
      method: 'POST',
      body: { to: newRecipient(), template_name, language: 'en_US' },
      apiKey,
      api,
    });
  const list = async (query = '') => (await stack.get(`/templates${query}`, { apiKey })).body.data;
  const names = async () =>
    (await list('?limit=200')).templates.map(({ name }: { name: string }) => name);
  const state = async () => {
    const { syncs } = await dashboard.get('GET', '/templates?mode=live&limit=1');
    return syncs.find((one: any) => one.account_id === installation.accountId);
  };

  it('reads all 300 templates over several pages, one entry for each language', async () => {
    const wanted = Array.from({ length: 150 }, (_, index) =>
      ['en_US', 'es'].map((language) => plain(`template_${index}`, { language })),
    ).flat();
    await putTemplates(stack, wanted);
    passage.asked.length = 0;
    const summary = await sync(dashboard);
    expect(summary).toMatchObject({ mode: 'live', templates: 300, added: 300, removed: 0 });
    expect(passage.asked).toHaveLength(3);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: any = await list(`?limit=70${cursor ? `&cursor=${cursor}` : ''}`);
      found.push(...page.templates.map((one: any) => `${one.name} ${one.language}`));
      cursor = page.next_cursor;
    } while (cursor);
    expect(found).toEqual(wanted.map((one) => `${one.name} ${one.language}`).toSorted());
    expect((await raw('template_149')).body.data.status).toBe('sent');
  });

  it('changes nothing when a page in the middle cannot be read, and records why', async () => {
    const before = await list('?limit=200');
    await putTemplates(
      stack,
      Array.from({ length: 250 }, (_, index) => plain(`other_${index}`)),
    );
    passage.isBlocked = (path) => path.includes('after=');
    const { status, body } = await dashboard.call('POST', '/templates/sync?mode=live');
    expect({ status, error: body.error }).toMatchObject({
      status: 503,
      error: {
        code: 'SERVICE_UNAVAILABLE',
        details: { reason: 'sync_failed', mode: 'live', cause: 'server_error' },
      },
    });
    expect(await list('?limit=200')).toEqual(before);
    expect(await state()).toMatchObject({
      running: false,
      synced_at: expect.any(String),
      failed_at: expect.any(String),
      error: { reason: 'server_error', message: expect.any(String), whatsapp_error_code: null },
    });
    passage.isBlocked = () => false;
    expect(await sync(dashboard)).toMatchObject({ templates: 250, added: 250, removed: 300 });
    expect(await state()).toMatchObject({ failed_at: null, error: null });
  });

  it('is shared by every request that comes meanwhile, in any process', async () => {
    let release = () => {};
    const gate = new Promise<void>((done) => {
      release = done;
    });
    passage.asked.length = 0;
    passage.hold = () => gate;
    const ask = (api: number) =>
      stack.requestAt('/api/v1/dashboard/templates/sync?mode=live', {
        apiKey: null,
        method: 'POST',
        api,
        headers: { cookie: dashboard.cookie ?? '' },
      });
    const running = [ask(0), ask(1), ask(0)];
    await until(() => passage.asked.length > 0);
    expect((await state()).running).toBe(true);
    release();
    const answers = await Promise.all(running);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    // Three pages for 250 templates, read once.
    expect(passage.asked).toHaveLength(3);
  });

  it('keeps both languages of a name when one ends a page and the other begins the next', async () => {
    const wanted = [
      ...Array.from({ length: 99 }, (_, index) => plain(`filler_${index}`)),
      ...['en_US', 'es'].map((language) => plain('zz_border', { language })),
      ...Array.from({ length: 99 }, (_, index) => plain(`zzz_filler_${index}`)),
    ];
    await putTemplates(stack, wanted);
    await sync(dashboard);
    passage.asked.length = 0;
    expect(await sync(dashboard)).toMatchObject({
      templates: 200,
      added: 0,
      changed: 0,
      removed: 0,
    });
    expect(passage.asked).toHaveLength(2);
    const border = async () => (await list('?name=zz_border')).templates;
    expect(await border()).toMatchObject([{ language: 'en_US' }, { language: 'es' }]);
    // A send that asks for the name alone removes neither language, and no other name.
    await stack.sql('delete from template_lookups');
    expect((await send('zz_border', {}, 'fr')).body.error.code).toBe('TEMPLATE_NOT_FOUND');
    expect(await border()).toHaveLength(2);
    // A language that is gone is, and only that one.
    await putTemplates(
      stack,
      wanted.filter(({ name, language }) => name !== 'zz_border' || language !== 'es'),
    );
    expect(await sync(dashboard)).toMatchObject({ templates: 199, removed: 1 });
    expect(await border()).toMatchObject([{ language: 'en_US' }]);
  });

  it('makes every process refuse a paused template, and send it again once it is approved', async () => {
    await putTemplates(stack, [plain('welcome')]);
    await sync(dashboard);
    for (const api of [0, 1]) expect((await raw('welcome', api)).status).toBe(200);
    await putTemplates(stack, [plain('welcome', { status: 'PAUSED' })]);
    expect(await sync(dashboard)).toMatchObject({ added: 0, changed: 1, removed: 0 });
    for (const api of [0, 1]) {
      const { body } = await raw('welcome', api);
      expect(body.error).toMatchObject({
        code: 'TEMPLATE_NOT_FOUND',
        details: { status: 'PAUSED' },
      });
    }
    await putTemplates(stack, [plain('welcome')]);
    await sync(dashboard);
    for (const api of [0, 1]) expect((await raw('welcome', api)).status).toBe(200);
  });

  it('is not needed for a new template: a send asks for it, once a minute', async () => {
    await putTemplates(stack, [plain('welcome'), plain('fresh'), plain('fresh_too')]);
    passage.asked.length = 0;
    const answers = await Promise.all(Array.from({ length: 5 }, () => raw('fresh')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(passage.asked).toHaveLength(1);
    // The platform finds longer names as well; they were not asked for.
    expect(await names()).toEqual(['fresh', 'welcome']);
    passage.asked.length = 0;
    for (const api of [0, 1, 0]) expect((await raw('nowhere', api)).status).toBe(400);
    expect(passage.asked).toHaveLength(1);
    await putTemplates(stack, [plain('welcome'), plain('fresh'), plain('nowhere')]);
    expect((await raw('nowhere')).status).toBe(400);
    await stack.sql('update template_lookups set expires_at = now()');
    expect((await raw('nowhere')).status).toBe(200);
  });

  it('asks for at most twenty unknown names of an account a minute', async () => {
    await stack.sql('delete from template_lookups');
    passage.asked.length = 0;
    for (let count = 0; count < 25; count += 1) {
      expect((await raw(`unknown_${count}`)).status).toBe(400);
    }
    expect(passage.asked).toHaveLength(20);
    await stack.sql('delete from template_lookups');
  });

  it('breaks a mapping that a changed template does not fit, says why, and restores it', async () => {
    const old = definitions.paid;
    const changed = { ...old, components: bodyOf('You paid {{1}} on {{2}}.') };
    await putTemplates(stack, [old]);
    await sync(dashboard);
    await map(dashboard, keyId, 'paid', {
      amount: { component: 'body', position: 1, required: true },
      day: { component: 'body', position: 2, required: true },
      what: { component: 'body', position: 3, required: true },
    });
    const variables = { amount: '1', day: '2', what: '3' };
    const mapping = async () =>
      (await dashboard.get('GET', `/api-keys/${keyId}/template-mappings`)).template_mappings[0];
    const shown = async () => (await list('?name=paid')).templates[0];
    expect((await send('paid', variables)).status).toBe(200);
    expect(await mapping()).toMatchObject({ broken: false, broken_reason: null });
    expect(await shown()).toMatchObject({ configured: true });

    await putTemplates(stack, [changed]);
    await sync(dashboard);
    const reason = 'variables.what.position: the body has 2 parameters';
    expect(await mapping()).toMatchObject({ broken: true, broken_reason: reason });
    expect((await dashboard.get('GET', '/overview')).broken_mappings).toMatchObject([
      { api_key_id: keyId, template_name: 'paid', language: 'en_US', reason },
    ]);
    expect(await shown()).toMatchObject({ configured: false, variables: [] });
    for (const api of [0, 1]) {
      const { status, body: answer } = await send('paid', variables, 'en_US', api);
      expect({ status, error: answer.error }).toMatchObject({
        status: 400,
        error: { code: 'TEMPLATE_NOT_CONFIGURED', details: { reason } },
      });
    }

    await putTemplates(stack, []);
    await sync(dashboard);
    expect(await mapping()).toMatchObject({
      broken: true,
      broken_reason: 'WhatsApp no longer has the template',
    });
    expect((await send('paid', variables)).body.error.code).toBe('TEMPLATE_NOT_FOUND');
    expect(await names()).toEqual([]);

    await putTemplates(stack, [old]);
    expect(await sync(dashboard)).toMatchObject({ added: 0, changed: 1 });
    expect(await mapping()).toMatchObject({ broken: false, broken_reason: null });
    expect((await send('paid', variables)).status).toBe(200);
  });

  it('knows a template that was deleted and made again under its name by what it is now', async () => {
    const made = (id: string, text: string) => ({
      ...definitions.paid,
      id,
      components: bodyOf(text),
    });
    const one = { component: 'body', position: 1, required: true };
    const mapping = async () =>
      (await dashboard.get('GET', `/api-keys/${keyId}/template-mappings`)).template_mappings[0];
    const stored = () =>
      stack.sql(
        `select id, platform_id, status from templates
         where name = 'paid' and mode = 'live' and account_id = $1`,
        [installation.accountId],
      );
    await putTemplates(stack, [made('7001', 'You paid {{1}}.')]);
    await sync(dashboard);
    await map(dashboard, keyId, 'paid', { amount: one });
    const [before] = await stored();
    expect(before).toMatchObject({ platform_id: '7001' });

    // It has one variable more: the mapping does not fit, and nothing is sent.
    await putTemplates(stack, [made('7002', 'You paid {{1}} on {{2}}.')]);
    expect(await sync(dashboard)).toMatchObject({ added: 0, changed: 1, removed: 0 });
    expect(await stored()).toEqual([{ ...before, platform_id: '7002' }]);
    expect(await mapping()).toMatchObject({
      broken: true,
      broken_reason: 'nothing fills body {{2}}',
    });
    expect((await send('paid', { amount: '€ 9' })).body.error.code).toBe('TEMPLATE_NOT_CONFIGURED');

    // The mapping fits the third one.
    await putTemplates(stack, [made('7003', 'Paid: {{1}}')]);
    await sync(dashboard);
    expect(await mapping()).toMatchObject({ broken: false, broken_reason: null });
    expect((await send('paid', { amount: '€ 9' })).status).toBe(200);

    // Notifications of the former one and of the next one say nothing of the one that is stored. They ask for a sync.
    let release = () => {};
    const gate = new Promise<void>((done) => {
      release = done;
    });
    passage.hold = () => gate;
    for (const [id, event] of [
      [7002, 'DELETED'],
      [7004, 'PENDING'],
    ] as const) {
      await stack.sql('update template_syncs set started_at = now()');
      await notify(stack, {
        object: 'whatsapp_business_account',
        entry: [
          {
            id: businessAccountId,
            time: 1_795_000_000,
            changes: [
              {
                field: 'message_template_status_update',
                value: {
                  event,
                  message_template_id: id,
                  message_template_name: 'paid',
                  message_template_language: 'en_US',
                },
              },
            ],
          },
        ],
      });
      await until(async () => {
        const rows = await stack.sql(
          `select 1 from template_syncs where account_id = $1 and mode = 'live'
             and (started_at < now() - interval '1 hour' or running_until is not null)`,
          [installation.accountId],
        );
        return rows.length > 0;
      });
      expect(await stored()).toEqual([{ ...before, platform_id: '7003' }]);
      expect((await send('paid', { amount: '€ 9' })).status).toBe(200);
    }
    release();
  });

  it('keeps apart what live keys and test keys see', async () => {
    const test = await addApiKey(stack, { mode: 'test' });
    await putTemplates(stack, [plain('welcome')]);
    await sync(dashboard);
    await putTemplates(stack, [plain('trial')]);
    await dashboard.get('POST', '/templates/sync?mode=test');
    const tried = await stack.get('/templates', { apiKey: test.key });
    expect(tried.body.data.templates).toMatchObject([{ name: 'trial' }]);
    expect(await names()).toEqual(['welcome']);
    const id = await templateId(dashboard, 'welcome');
    const { status } = await dashboard.call('PUT', `/api-keys/${test.id}/template-mappings/${id}`, {
      variables: {},
    });
    expect(status).toBe(404);
  });

  it('runs by itself for every active account, and again ten minutes later', async () => {
    const accountId = await addAccount(stack);
    const syncOf = async () => {
      const [row] = await stack.sql(
        `select started_at from template_syncs
         where account_id = $1 and mode = 'live' and synced_at is not null`,
        [accountId],
      );
      return row?.started_at as Date | undefined;
    };
    const look = () =>
      stack.sql(`update periodic_work set next_run_at = now() where name = 'template-syncs'`);
    await look();
    const first = await until(syncOf);
    await stack.sql(
      `update template_syncs set started_at = now() - interval '10 minutes' where account_id = $1`,
      [accountId],
    );
    await look();
    await until(async () => ((await syncOf()) ?? first) > first);
  });
});
