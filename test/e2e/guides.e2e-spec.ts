import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Dashboard } from '../support/dashboard.js';
import { Stack } from '../support/stack.js';
import { sync, templateId } from '../support/templates.js';

const folder = 'docs/guides';

/** A campaign needs the mapping that another guide makes. */
const inOrder = (files: readonly string[]) => [
  ...files.filter((file) => file !== 'campaigns.md'),
  'campaigns.md',
];

/** The requests that the guides show: a method, a path and a body. */
const requests = inOrder(readdirSync(folder)).flatMap((file) => {
  const blocks = readFileSync(join(folder, file), 'utf8').matchAll(
    /```http\n(POST|PUT) (\S+)\n\n([^`]+)```/g,
  );
  return [...blocks].map(([, method = '', path = '', body = '']) => ({ file, method, path, body }));
});

describe('what the guides show', () => {
  let stack: Stack;
  let dashboard: Dashboard;
  let key: { id: string; key: string };

  beforeAll(async () => {
    stack = await Stack.start();
    dashboard = await Dashboard.signIn(stack);
    await stack.control('PUT', 'numbers', {
      phone_number_id: '100000000000001',
      business_account_id: '200000000000001',
    });
    await sync(dashboard);
    const permissions = [
      'send_text',
      'send_media',
      'send_template',
      'manage_contacts',
      'manage_campaigns',
    ];
    const made = await dashboard.newKey({ permissions });
    key = { id: made.api_key.id, key: made.key };
  });

  afterAll(() => stack?.stop());

  it('is at least one request for each kind of message', () => {
    const files = new Set(requests.map(({ file }) => file));
    expect([...files].toSorted()).toEqual(readdirSync(folder).toSorted());
  });

  // In the order of the page: a mapping comes before the send that needs it.
  it.each(requests)('$file: $method $path works', async ({ file, method, path, body }) => {
    if (path.startsWith('/api/v1/external')) {
      const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
      const given = body.replace(/"send_at": "[^"]+"/, `"send_at": "${inAnHour}"`);
      const sent = await stack.requestAt(path, {
        method,
        body: JSON.parse(given),
        apiKey: key.key,
      });
      const isSend = path.includes('/messages/');
      expect([sent.status, isSend && (sent.body.data?.status ?? sent.body)]).toEqual(
        file === 'scheduling.md' ? [202, 'scheduled'] : [200, isSend && 'sent'],
      );
      return;
    }
    const template = await templateId(dashboard, 'order_confirmation');
    const real = path
      .replace('/api/v1/dashboard', '')
      .replace(':id', key.id)
      .replace(':template_id', template);
    const answer = await dashboard.call(method, real, JSON.parse(body));
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  });
});
