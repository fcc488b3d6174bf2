import { apiDocument, faultsOf } from '../support/api-document.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';

describe('the OpenAPI document', () => {
  let stack: Stack;
  let dashboard: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start();
    dashboard = await Dashboard.signIn(stack);
  });

  afterAll(() => stack?.stop());

  const external = (route: string) => `/api/v1/external${route}`;

  it('is served as it is committed', async () => {
    const { status, headers, body } = await stack.requestAt('/openapi.json', { apiKey: null });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body).toEqual(apiDocument);
  });

  it('has a page that loads nothing from elsewhere and runs nothing inline', async () => {
    const { status, headers, text } = await stack.requestAt('/docs', { apiKey: null });
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/)|<style|style=|\son\w+=|https?:/);
    const files = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path);
    expect(files).toHaveLength(4);
    for (const file of files) {
      expect((await stack.requestAt(file ?? '', { apiKey: null })).status).toBe(200);
    }
    const other = await stack.requestAt('/docs/..%2Fpackage.json', { apiKey: null });
    expect([other.status, other.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('is true for sends, and for their refusals', async () => {
    const path = external('/messages/interactive/button');
    const to = newRecipient();
    const answers = [
      await stack.send('button', buttonMessage({ to })),
      await stack.send('button', buttonMessage({ to }), { Prefer: 'respond-async' }),
      await stack.send('button', { to }),
      await stack.send('button', buttonMessage({ to: '0123' })),
      await stack.send('button', buttonMessage({ to: '+15550131026' })),
      await stack.send('button', buttonMessage({ to }), {}, { apiKey: 'pk_live_unknown' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 202, 400, 400, 400, 401]);
    for (const answer of answers) expect(faultsOf('post', path, answer)).toEqual([]);
  });

  it('is true for reads of messages and templates', async () => {
    const sent = await stack.send('button', buttonMessage({ to: newRecipient() }));
    const id: string = sent.body.data.message_id;
    const reads: [string, string][] = [
      [`/messages/${id}`, '/messages/{uuid}'],
      ['/messages/none', '/messages/{uuid}'],
      ['/messages?limit=2', '/messages'],
      ['/messages?limit=0', '/messages'],
      ['/templates', '/templates'],
    ];
    for (const [path, route] of reads) {
      expect(faultsOf('get', external(route), await stack.get(path))).toEqual([]);
    }
  });

  it.each([
    '/session',
    '/overview',
    '/api-keys',
    '/accounts',
    '/users',
    '/messages',
    '/templates',
    '/alerts',
    '/audit-log',
    '/webhook-deliveries',
    '/notifications',
    '/simulator/messages',
    '/simulator/phones',
  ])('is true for the dashboard’s %s, signed in or not', async (route) => {
    const path = `/api/v1/dashboard${route}`;
    expect(faultsOf('get', path, await dashboard.call('GET', route))).toEqual([]);
    const stranger = await new Dashboard(stack).call('GET', route);
    expect(stranger.status).toBe(401);
    expect(faultsOf('get', path, stranger)).toEqual([]);
  });

  it('is true for a key from its beginning to its end', async () => {
    const keys = '/api/v1/dashboard/api-keys';
    const given = { name: 'by the document', permissions: ['send_text'], daily_limit: 5 };
    const made = await dashboard.call('POST', '/api-keys', given);
    expect(made.status).toBe(200);
    expect(faultsOf('post', keys, made)).toEqual([]);
    const again = await dashboard.call('POST', '/api-keys', given);
    expect(again.status).toBe(409);
    expect(faultsOf('post', keys, again)).toEqual([]);
    const one = `/api-keys/${made.body.data.api_key.id}`;
    for (const [method, path, route] of [
      ['GET', one, '/{id}'],
      ['GET', `${one}/usage`, '/{id}/usage'],
      ['POST', `${one}/rotate`, '/{id}/rotate'],
      ['DELETE', one, '/{id}'],
      ['GET', one, '/{id}'],
    ] as const) {
      const answer = await dashboard.call(method, path);
      expect(faultsOf(method.toLowerCase(), `${keys}${route}`, answer)).toEqual([]);
    }
  });

  it('is true for health', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      expect(faultsOf('get', path, await stack.requestAt(path, { apiKey: null }))).toEqual([]);
    }
  });
});
