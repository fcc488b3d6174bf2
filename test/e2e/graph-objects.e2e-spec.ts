import { hourMs } from '#libs/durations';
import { addAccount } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { GraphProgram, graphMessage } from '../support/graph.js';
import { newRecipient, Stack } from '../support/stack.js';
import { definitions, putTemplates, sync } from '../support/templates.js';
import { demoNumber } from '../support/webhooks.js';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const waba = `/${demoNumber.businessAccountId}`;
const number = `/${demoNumber.phoneNumberId}`;

describe('what programs read in the form of WhatsApp’s own API', () => {
  let stack: Stack;
  let program: GraphProgram;

  beforeAll(async () => {
    stack = await Stack.start();
    await putTemplates(stack, Object.values(definitions));
    await sync(await Dashboard.signIn(stack));
    program = await GraphProgram.with(stack);
  });

  afterAll(() => stack?.stop());

  const codeOf = ({ status, body }: { status: number; body: any }) => [
    status,
    body.error?.code,
    body.error?.error_subcode,
  ];
  const weak = () => GraphProgram.with(stack, { permissions: ['send_text'] });
  const stranger = async () => GraphProgram.with(stack, { accountId: await addAccount(stack) });

  describe('templates', () => {
    const names = Object.values(definitions).map(({ name }) => name);
    const list = async (query = '') => {
      const answer = await program.call(`${waba}/message_templates${query}`);
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      return answer.body;
    };

    it('are those of Parley’s copy, each with WhatsApp’s id', async () => {
      const { data } = await list('?limit=250');
      expect(data.map(({ name }: any) => name).toSorted()).toEqual(names.toSorted());
      const [first] = data;
      expect(first).toMatchObject({
        id: expect.stringMatching(/^\d+$/),
        language: expect.any(String),
        status: expect.any(String),
        category: expect.any(String),
        components: expect.any(Array),
      });
      for (const path of [`/${first.id}`, `${waba}/message_templates/${first.id}`]) {
        expect((await program.call(path)).body).toEqual(first);
      }
    });

    it('come in pages, whose addresses have no token', async () => {
      const seen: string[] = [];
      let path = `${waba}/message_templates?limit=2&fields=name&access_token=${program.token}`;
      for (;;) {
        const { body } = await program.call(path);
        seen.push(...body.data.map(({ name }: any) => name));
        if (!body.paging?.next) break;
        expect(body.paging.next).not.toContain(program.token);
        expect(body.paging.next).toContain(`${stack.apis[0]?.url}/graph/v23.0${waba}`);
        expect(body.paging.cursors.after).toEqual(expect.any(String));
        path = body.paging.next.slice(body.paging.next.indexOf(waba));
      }
      expect(seen.toSorted()).toEqual(names.toSorted());
    });

    it.each([
      ['name=order', ({ name }: any) => name.includes('order')],
      ['language=en_US', ({ language }: any) => language === 'en_US'],
      ['status=approved', ({ status }: any) => status === 'APPROVED'],
      ['category=utility', ({ category }: any) => category === 'UTILITY'],
    ])('are chosen by %s', async (query, isWanted) => {
      const all = (await list('?limit=250')).data;
      expect((await list(`?limit=250&${query}`)).data).toEqual(all.filter(isWanted));
    });

    it('have the members that are asked for, and no others', async () => {
      const { data } = await list('?fields=name,status,owner');
      expect(Object.keys(data[0]).toSorted()).toEqual(['id', 'name', 'status']);
    });

    it.each([
      'limit=251',
      'limit=0',
      'limit=x',
      'after=x',
      'fields=name{a}',
      'fields=a.b(1)',
      'name=a&name=b',
      'name=a%00',
      'status=%00',
    ])('are refused with %s', async (query) => {
      const answer = await program.call(`${waba}/message_templates?${query}`);
      expect(codeOf(answer)).toEqual([400, 100, undefined]);
    });

    it.each(['/%00', `${waba}/message_templates/%00`])('are not at %s', async (path) => {
      expect(codeOf(await program.call(path))).toEqual([400, 100, 33]);
    });

    it('are on one page where it holds them: chatwoot asks for the next one without a token', async () => {
      const many = Array.from({ length: 30 }, (_, index) => ({
        ...definitions.plain,
        name: `many_${index}`,
      }));
      await putTemplates(stack, [...Object.values(definitions), ...many]);
      await sync(await Dashboard.signIn(stack));
      const { data, paging } = await list('?name=many_');
      expect([data.length, paging.next]).toEqual([30, undefined]);
    });

    it('are those of the account, and need view_templates', async () => {
      const other = await stranger();
      expect(codeOf(await other.call(`${waba}/message_templates`))).toEqual([400, 100, 33]);
      const [{ id }] = (await list()).data;
      expect(codeOf(await other.call(`/${id}`))).toEqual([400, 100, 33]);
      const key = await weak();
      expect(codeOf(await key.call(`${waba}/message_templates`))).toEqual([403, 10, undefined]);
      expect(codeOf(await key.call(`${waba}/message_templates/${id}`))).toEqual([
        403,
        10,
        undefined,
      ]);
    });
  });

  describe('the number', () => {
    it('is asked from WhatsApp, with the usual members or those that are named', async () => {
      const { status, body } = await program.call(number);
      expect([status, body]).toEqual([
        200,
        {
          id: demoNumber.phoneNumberId,
          verified_name: expect.any(String),
          code_verification_status: 'VERIFIED',
          display_phone_number: expect.any(String),
          quality_rating: expect.any(String),
          platform_type: 'CLOUD_API',
          throughput: { level: 'STANDARD' },
        },
      ]);
      const named = await program.call(`${number}?fields=id,status,webhook_configuration`);
      expect(named.body).toEqual({ id: demoNumber.phoneNumberId, status: 'CONNECTED' });
      expect(codeOf(await program.call(`${number}?fields=health_status{a}`))).toEqual([
        400,
        100,
        undefined,
      ]);
    });

    it('is the only one of the account', async () => {
      const { body } = await program.call(`${waba}/phone_numbers?fields=display_phone_number`);
      expect(body).toEqual({
        data: [{ id: demoNumber.phoneNumberId, display_phone_number: expect.any(String) }],
      });
      expect(codeOf(await (await stranger()).call(number))).toEqual([400, 100, 33]);
      expect(codeOf(await program.call('/1/phone_numbers'))).toEqual([400, 100, 33]);
    });
  });

  describe('the token', () => {
    it('is told about itself alone', async () => {
      const expiresAt = new Date(Date.now() + hourMs);
      const key = await GraphProgram.with(stack, { expiresAt });
      const { body } = await key.call(`/debug_token?input_token=${key.token}`);
      expect(body.data).toMatchObject({
        app_id: expect.stringMatching(/^\d+$/),
        application: 'Parley',
        is_valid: true,
        expires_at: Math.floor(expiresAt.getTime() / 1_000),
        scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
      });
      expect((await program.call('/debug_token')).body.data.expires_at).toBe(0);
      const other = await program.call(`/debug_token?input_token=${key.token}`);
      expect(codeOf(other)).toEqual([400, 100, undefined]);
      const apps = await program.call(`${waba}/subscribed_apps`);
      expect(apps.body.data).toEqual([
        { whatsapp_business_api_data: expect.objectContaining({ id: body.data.app_id }) },
      ]);
    });

    it('may subscribe, which changes nothing', async () => {
      const subscribe = (path: string) =>
        program.call(`${path}/subscribed_apps`, { method: 'POST', body: {} });
      expect((await subscribe(waba)).body).toEqual({ success: true });
      expect(codeOf(await subscribe('/1'))).toEqual([400, 100, 33]);
    });
  });

  describe('files', () => {
    const upload = (caller: GraphProgram, fields: Record<string, string> = {}, file = png) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set('file', new Blob([file], { type: 'image/png' }), 'a.png');
      return fetch(`${stack.apis[0]?.url}/graph/v23.0${number}/media`, {
        method: 'POST',
        headers: { authorization: `Bearer ${caller.token}` },
        body,
      }).then(async (response) => ({
        status: response.status,
        body: (await response.json()) as any,
      }));
    };
    it('are uploaded with whatever stands beside them, and sent by the id', async () => {
      const fields = { messaging_product: 'whatsapp', type: 'image/png', ttl_minutes: '5' };
      const { status, body } = await upload(program, fields);
      expect([status, body]).toEqual([200, { id: expect.stringMatching(/^\d+$/) }]);
      const to = newRecipient();
      const sent = await program.send(
        graphMessage(to, { type: 'image', text: undefined, image: { id: body.id } }),
      );
      expect([sent.status, sent.body.error]).toEqual([200, undefined]);
      expect((await stack.ledger(to))[0]?.body.image).toEqual({ id: body.id });
      expect(codeOf(await upload(await weak()))).toEqual([403, 10, undefined]);
      expect(codeOf(await upload(program, {}, Buffer.from('GIF89a')))).toEqual([
        400,
        100,
        undefined,
      ]);
    });

    it('are sent by an id of Parley, too', async () => {
      await upload(program);
      const [{ id, platform_id: platformId }] = await stack.sql(
        'select id, platform_id from uploads order by id desc limit 1',
      );
      const to = newRecipient();
      const image = { id, caption: 'A' };
      const sent = await program.send(graphMessage(to, { type: 'image', text: undefined, image }));
      expect([sent.status, sent.body.error]).toEqual([200, undefined]);
      expect((await stack.ledger(to))[0]?.body.image).toEqual({ id: platformId, caption: 'A' });
      const unknown = { id: '01970000-0000-7000-8000-000000000000' };
      const missing = await program.send(
        graphMessage(to, { type: 'image', text: undefined, image: unknown }),
      );
      expect(codeOf(missing)).toEqual([400, 100, undefined]);
    });

    it('are read at an address that works for five minutes, with and without a token', async () => {
      const { body } = await upload(program);
      const described = await program.call(`/${body.id}`);
      expect(described.body).toMatchObject({
        id: body.id,
        mime_type: 'image/png',
        messaging_product: 'whatsapp',
        url: expect.stringContaining(`${stack.apis[0]?.url}/graph/media/`),
      });
      const path = described.body.url.slice(described.body.url.indexOf('/graph/'));
      for (const headers of [undefined, { authorization: `Bearer ${program.token}` }]) {
        const file = await fetch(`${stack.apis[0]?.url}${path}`, { headers });
        expect([file.status, Buffer.from(await file.arrayBuffer())]).toEqual([200, png]);
      }
      const altered = await stack.requestAt(`${path.slice(0, -3)}abc`, { apiKey: null });
      expect(codeOf(altered)).toEqual([400, 100, 33]);
      expect(codeOf(await (await stranger()).call(`/${body.id}`))).toEqual([400, 100, 33]);
      expect(codeOf(await (await weak()).call(`/${body.id}`))).toEqual([403, 10, undefined]);
    });
  });
});
