import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hourMs } from '#libs/durations';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { sync, templateId } from '../support/templates.js';

const folder = 'docs/guides';

/** A campaign needs the mapping that another guide makes. */
const inOrder = (files: readonly string[]) => [
  ...files.filter((file) => file !== 'campaigns.md'),
  'campaigns.md',
];

/** A command that sends one request, and a request of the dashboard, which has no key. */
const requestForms = [
  /```sh\ncurl -sS (?:-X (PUT) )?"\$PARLEY_URL(\/[^"$]+)" \\\n {2}-H "X-API-Key: [^\n]+\n {2}-d '([^`]+)'\n```/g,
  /```http\n(POST|PUT) (\S+)\n\n([^`]+)```/g,
];

/** The requests that the guides show: a method, a path and a body. */
const requests = inOrder(readdirSync(folder)).flatMap((file) => {
  const page = readFileSync(join(folder, file), 'utf8');
  return requestForms
    .flatMap((form) => [...page.matchAll(form)])
    .toSorted((a, b) => a.index - b.index)
    .map(([, method = 'POST', path = '', body = '']) => ({ file, method, path, body }));
});

/** The other commands of a guide, as one script. */
const commandsOf = (file: string) => {
  const page = readFileSync(join(folder, file), 'utf8');
  const others = requestForms.reduce((rest, form) => rest.replace(form, ''), page);
  return [...others.matchAll(/```sh\n([^`]+)```/g)].map(([, block = '']) => block).join('\n');
};

describe('what the guides show', () => {
  let stack: Stack;
  let dashboard: Dashboard;
  let key: { id: string; name: string; key: string };
  /** Where the reader runs the commands. */
  const place = mkdtempSync(join(tmpdir(), 'parley-guides-'));
  /** The id in the last answer to a request of a guide, which its commands use. */
  const lastIds = new Map<string, string>();

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
    key = { id: made.api_key.id, name: made.api_key.name, key: made.key };
    mkdirSync(join(place, '.parley'));
    const { adminEmail: admin_email, adminPassword: admin_password } = installation;
    writeFileSync(join(place, '.parley/run.json'), JSON.stringify({ admin_email, admin_password }));
    const mapping = requests.find(({ path }) => path.includes('mappings'))?.body ?? '';
    writeFileSync(join(place, 'mapping.json'), mapping);
  });

  afterAll(async () => {
    rmSync(place, { recursive: true });
    await stack?.stop();
  });

  it('is at least one request for each kind of message', () => {
    const files = new Set(requests.map(({ file }) => file));
    expect([...files].toSorted()).toEqual(readdirSync(folder).toSorted());
  });

  // In the order of the page: a mapping comes before the send that needs it.
  it.each(requests)('$file: $method $path works', async ({ file, method, path, body }) => {
    if (path.startsWith('/api/v1/external')) {
      const inAnHour = new Date(Date.now() + hourMs).toISOString();
      const given = body.replace(/"send_at": "[^"]+"/, `"send_at": "${inAnHour}"`);
      const sent = await stack.requestAt(path, {
        method,
        body: JSON.parse(given),
        apiKey: key.key,
      });
      const isSend = path.includes('/messages/');
      lastIds.set(file, sent.body.data?.campaign?.id ?? sent.body.data?.message_id);
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

  it.each(['templates.md', 'scheduling.md', 'campaigns.md'])(
    '%s: its commands work',
    async (file) => {
      const address = String(stack.apis[0]?.url);
      const script = commandsOf(file).replaceAll('"demo"', `"${key.name}"`);
      const env = {
        ...process.env,
        PARLEY_URL: address,
        PARLEY_KEY: key.key,
        ID: lastIds.get(file),
      };
      const run = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: place,
        env,
      });
      const { stdout } = await run;
      const answers = stdout.split(/(?<=\})(?=\{"success")/);
      expect(answers.map((answer) => JSON.parse(answer).error ?? null)).toEqual(
        answers.map(() => null),
      );
      expect(stdout).not.toContain('"invalid":[{');
    },
  );
});
