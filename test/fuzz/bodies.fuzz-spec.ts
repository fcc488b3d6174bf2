import fc from 'fast-check';
import { Dashboard, newUser } from '../support/dashboard.js';
import { installation, stores } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { map, templateId } from '../support/templates.js';
import { type Call, type CallAnswer, Caller, describeCall, faultOf } from './answers.js';
import { hostileBodies, namesIn } from './hostile-json.js';
import { isDashboard, isExternal, nameOf, pathWith, routes } from './routes.js';
import { inGroups, report, runs } from './runs.js';
import { countRows, writtenRows } from './stored-rows.js';
import { dashboardBodies, mapping, type Named, otherBodies, sends } from './valid-bodies.js';

const contentTypes = fc.oneof(
  { weight: 20, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'text/plain',
      'application/json;',
      'application/json; charset=utf-16',
      'a/b/c',
      ';',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '*/*',
    ),
  },
);

/** Any call of a route with a body: an accepted one with some changes, or garbage. */
function callsOf(
  bodies: Readonly<Record<string, readonly object[]>>,
  headersOf: (call: number) => Record<string, string>,
  namesOf: (path: string) => Readonly<Record<string, string>> = () => ({}),
): fc.Arbitrary<Call> {
  const known = namesIn(Object.values(bodies).flat());
  const calls = Object.entries(bodies).flatMap(([route, examples]) => {
    const [method = '', path = ''] = route.split(' ');
    return examples.map((example) =>
      fc
        .tuple(hostileBodies(example, known), contentTypes, fc.nat(0xffffff))
        .map(([body, contentType, number]) => ({
          method,
          path: pathWith(path, namesOf(path)),
          headers: { 'content-type': contentType, ...headersOf(number) },
          body,
        })),
    );
  });
  return fc.oneof(...calls);
}

/** An address from the ranges for documentation: this suite does not test limits by address. */
const addressOf = (number: number) =>
  `2001:db8:${(number >> 12).toString(16)}:${(number & 0xfff).toString(16)}::1`;

describe('bodies', () => {
  let stack: Stack;
  let caller: Caller;
  let operator: Dashboard;
  let named: Named;

  beforeAll(async () => {
    stack = await Stack.start({
      store: stores.at(-1),
      env: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' },
    });
    caller = new Caller(stack.apis[0]?.url ?? '');
    operator = await Dashboard.signIn(stack);
    await operator.get('PATCH', `/accounts/${installation.accountId}`, {
      limits: { keys: null, endpoints: null },
    });
    await operator.get('POST', '/templates/sync');
    const { api_keys: keys } = await operator.get('GET', '/api-keys');
    const template = await templateId(operator, 'appointment_reminder');
    await map(operator, keys[0].id, 'appointment_reminder', mapping.variables);
    const victim = await operator.newKey({ webhook_url: 'http://127.0.0.1:9/hook' });
    const user = await operator.get('POST', '/users', newUser());
    named = {
      keyId: victim.api_key.id,
      templateId: template,
      userId: user.user.id,
      accountId: installation.accountId,
    };
  });

  afterAll(async () => {
    await caller?.close();
    await stack?.stop();
  });

  /** Makes the calls of a group at once and throws for the first unacceptable answer. */
  async function callAll(group: readonly Call[]): Promise<CallAnswer[]> {
    const answers = await Promise.all(group.map((call) => caller.call(call)));
    for (const [index, answer] of answers.entries()) {
      const fault = faultOf(answer);
      const call = group[index];
      if (fault && call) throw new Error(`an answer ${fault}:\n${describeCall(call, answer)}`);
    }
    return answers;
  }

  const bodyRoutes = (area: (route: (typeof routes)[number]) => boolean) =>
    routes.filter((route) => route.hasBody && area(route)).map(nameOf);

  it('are tried on every route that takes one', () => {
    expect(bodyRoutes(isExternal).toSorted()).toEqual(
      Object.keys({ ...sends, ...otherBodies }).toSorted(),
    );
    expect(bodyRoutes(isDashboard).toSorted()).toEqual(
      Object.keys(dashboardBodies(named)).toSorted(),
    );
  });

  it('that are meant to be accepted are', async () => {
    for (const [route, examples] of Object.entries(sends)) {
      for (const example of examples) {
        const { reply_to: _, ...body } = example as Record<string, unknown>;
        const answer = await stack.requestAt(route.split(' ')[1] ?? '', { body });
        const status = 'send_at' in body ? 'scheduled' : 'sent';
        expect([route, answer.body.data?.status ?? answer.text]).toEqual([route, status]);
      }
    }
  });

  it('of sends get an answer in the envelope, never a 5xx, and store nothing that was refused', async () => {
    const calls = callsOf(sends, () => ({ 'x-api-key': installation.apiKey }));
    const statuses = new Map<string, number>();
    let before = await countRows(stack);
    await inGroups(runs, calls, async (group) => {
      const answers = await callAll(group);
      const accepted = answers.filter(
        ({ body }) => body.success || body.error.code === 'MESSAGE_SEND_FAILED',
      );
      for (const { body } of answers) count(statuses, body.success ? 'accepted' : body.error.code);
      const after = await countRows(stack);
      const allOf = (rows: typeof after) => rows.messages + rows.scheduled_messages;
      const { messages, scheduled_messages: scheduled } = after;
      expect(after).toEqual({ ...before, messages, scheduled_messages: scheduled });
      expect(allOf(after)).toBe(allOf(before) + accepted.length);
      before = after;
    });
    report(`bodies of sends: ${told(statuses)}`);
  });

  it('of the other routes get an answer in the envelope, never a 5xx', async () => {
    const made = await stack.requestAt('/api/v1/external/webhooks', {
      body: { url: 'http://127.0.0.1:9/hook' },
    });
    const later = { ...sends['POST /api/v1/external/messages/text']?.at(-1) };
    const scheduled = await stack.requestAt('/api/v1/external/messages/text', { body: later });
    const campaign = await stack.requestAt('/api/v1/external/campaigns', {
      body: otherBodies['POST /api/v1/external/campaigns']?.[0] ?? {},
    });
    const ids = { webhook: made.body.data.webhook.id, campaign: campaign.body.data.campaign.id };
    const namesOf = (path: string) => ({
      id: path.includes('/campaigns/') ? ids.campaign : ids.webhook,
      uuid: scheduled.body.data.message_id,
    });
    // Nothing has failed that could be tried again, and WhatsApp knows no message that could be marked as read.
    const expected = (path: string) =>
      path.endsWith('/retry')
        ? 'CAMPAIGN_STATE'
        : path.endsWith('/read')
          ? 'MESSAGE_SEND_FAILED'
          : 'accepted';
    for (const [route, examples] of Object.entries(otherBodies)) {
      const [method = '', path = ''] = route.split(' ');
      for (const body of examples) {
        const answer = await stack.requestAt(pathWith(path, namesOf(path)), { method, body });
        expect([route, answer.body.error?.code ?? 'accepted']).toEqual([route, expected(path)]);
      }
    }
    const calls = callsOf(otherBodies, () => ({ 'x-api-key': installation.apiKey }), namesOf);
    const statuses = new Map<string, number>();
    await inGroups(runs, calls, async (group) => {
      for (const { body } of await callAll(group)) {
        count(statuses, body.success ? 'accepted' : body.error.code);
      }
    });
    // Sends of the other tests store no events.
    await stack.sql('update webhook_endpoints set url = null');
    report(`bodies of the other routes: ${told(statuses)}`);
  });

  it('of the dashboard get an answer in the envelope, never a 5xx, and store nothing that was refused', async () => {
    const names = {
      id: named.keyId,
      template_id: named.templateId,
      endpoint_id: named.keyId,
      wamid: 'wamid.UNKNOWN',
    };
    const headers = (number: number) => ({
      cookie: operator.cookie ?? '',
      'x-forwarded-for': addressOf(number),
    });
    const bodies = dashboardBodies(named);
    const calls = fc.oneof(
      ...Object.entries(bodies).map(([route, examples]) =>
        callsOf({ [route]: examples }, headers, () => ({
          ...names,
          ...(route.includes('/users/') && { id: named.userId }),
          ...(route.includes('/accounts/') && { id: named.accountId }),
        })),
      ),
    );
    // From now on, only the calls write.
    await Promise.all(stack.workers.map((worker) => worker.stop()));
    const statuses = new Map<string, number>();
    let before = await writtenRows(stack);
    await inGroups(runs, calls, async (group) => {
      // One after the other, so that each answer can be compared with what it left behind.
      for (const call of group) {
        const [answer] = await callAll([call]);
        const after = await writtenRows(stack);
        if (answer && !answer.body.success && after !== before) {
          throw new Error(`a refused call left something behind:\n${describeCall(call, answer)}`);
        }
        before = after;
        count(statuses, answer?.body.success ? 'accepted' : answer?.body.error.code);
      }
    });
    report(`bodies of the dashboard: ${told(statuses)}`);
  });
});

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function told(counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((sum, some) => sum + some, 0);
  const parts = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, some]) => `${some} ${name}`);
  return `${total} calls: ${parts.join(', ')}`;
}
