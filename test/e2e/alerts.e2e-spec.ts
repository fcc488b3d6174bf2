import { randomUUID } from 'node:crypto';
import { dayMs, hourMs } from '#libs/durations';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard, neighbour, newUser } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { notify, qualityNotification } from '../support/webhooks.js';

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('an open alert', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let operator: Dashboard;
  let administrator: Dashboard;
  let viewer: Dashboard;
  let other: Dashboard;
  let id: string;

  const account = () => installation.accountId;
  const idOf = async (user: Dashboard) => (await user.get('GET', '/session')).user.id;
  const add = async (change: Record<string, unknown>) =>
    (await operator.get('POST', '/users', newUser(change))).user;
  const change = (body: object, by = administrator, alert = id) =>
    by.call('PATCH', `/alerts/${alert}`, body);
  const changed = async (body: object) =>
    (await administrator.get('PATCH', `/alerts/${id}`, body)).alert;
  const codeOf = async (answer: ReturnType<typeof change>) => {
    const { status, body } = await answer;
    return [status, body.error?.code, Object.keys(body.error?.details?.fields ?? {})];
  };
  const listed = async (state = 'open'): Promise<any[]> =>
    (await administrator.get('GET', `/alerts?state=${state}`)).alerts;

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([Stack.start(), WebhookReceiver.start()]);
    operator = await Dashboard.signIn(stack);
    [administrator, viewer, { administrator: other }] = await Promise.all([
      Dashboard.administratorOf(stack, operator, account()),
      Dashboard.viewerOf(stack, operator, account()),
      neighbour(stack, operator),
    ]);
  });

  beforeEach(async () => {
    await stack.sql('delete from alerts');
    const [alert] = await stack.sql(
      `insert into alerts (id, account_id, kind, subject, message)
       values (gen_random_uuid(), $1, 'platform_error', '1', 'broken') returning id`,
      [account()],
    );
    id = alert.id;
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });

  it('gets an owner, who can give it back, and the audit log says so', async () => {
    const { user: me } = await administrator.get('GET', '/session');
    expect(await listed()).toMatchObject([{ id, owner: null, muted_until: null }]);
    const owner = { id: me.id, email: me.email };
    expect(await changed({ owner_id: me.id })).toMatchObject({ id, owner, muted_until: null });
    expect(await listed()).toMatchObject([{ id, owner }]);
    const muted_until = inMs(hourMs);
    expect(await changed({ muted_until })).toMatchObject({ owner, muted_until });
    expect((await administrator.get('GET', '/overview')).alerts).toMatchObject([
      { id, owner, muted_until },
    ]);
    expect(await changed({ owner_id: null })).toMatchObject({ owner: null, muted_until });
    const { entries } = await administrator.get('GET', `/audit-log?subject_id=${id}`);
    expect(entries).toMatchObject([
      { action: 'alert.updated', details: { owner: { from: me.email, to: null } } },
      { action: 'alert.updated', details: { muted_until: { from: null, to: muted_until } } },
      {
        action: 'alert.updated',
        actor: me.email,
        details: { owner: { from: null, to: me.email } },
      },
    ]);
    expect(entries[0].details).not.toHaveProperty('muted_until');
  });

  it('may be given to operators and to users of its account, while they are active', async () => {
    for (const user of [operator, administrator, viewer]) {
      const owner_id = await idOf(user);
      expect(await changed({ owner_id })).toMatchObject({ owner: { id: owner_id } });
    }
    const inactive = await add({ active: false });
    for (const owner_id of [await idOf(other), inactive.id, randomUUID(), 'nobody']) {
      expect(await codeOf(change({ owner_id }))).toEqual([400, 'VALIDATION_ERROR', ['owner_id']]);
    }
  });

  it('has no owner any more once that user is deleted', async () => {
    const user = await add({ role: 'administrator', account_id: account() });
    await changed({ owner_id: user.id });
    await operator.get('DELETE', `/users/${user.id}`);
    expect(await listed()).toMatchObject([{ id, owner: null }]);
  });

  it.each([
    ['without a change', () => ({}), 'owner_id'],
    ['that has begun', () => ({ muted_until: inMs(-1_000) }), 'muted_until'],
    ['of more than 30 days', () => ({ muted_until: inMs(30 * dayMs + hourMs) }), 'muted_until'],
    ['that is no time', () => ({ muted_until: 'tomorrow' }), 'muted_until'],
  ])('refuses a mute %s', async (_, body, field) => {
    expect(await codeOf(change(body()))).toEqual([400, 'VALIDATION_ERROR', [field]]);
    expect(await listed()).toMatchObject([{ id, owner: null, muted_until: null }]);
  });

  it('is muted until a time, and not after it', async () => {
    const muted_until = inMs(30 * dayMs - hourMs);
    expect(await changed({ muted_until })).toMatchObject({ muted_until });
    await stack.sql(`update alerts set muted_until = now() - interval '1 second'`);
    expect(await listed()).toMatchObject([{ id, muted_until: null }]);
    await changed({ muted_until });
    expect(await changed({ muted_until: null })).toMatchObject({ muted_until: null });
  });

  it('is changed by nobody of another account and by no viewer, nor when it is resolved', async () => {
    const body = { muted_until: null };
    expect(await codeOf(change(body, other))).toEqual([404, 'NOT_FOUND', []]);
    expect(await codeOf(change(body, administrator, randomUUID()))).toEqual([404, 'NOT_FOUND', []]);
    expect(await codeOf(change(body, viewer))).toEqual([403, 'FORBIDDEN', []]);
    await administrator.get('POST', `/alerts/${id}/resolve`);
    expect(await codeOf(change(body))).toEqual([409, 'CONFLICT', []]);
  });

  describe('that is raised again while it is muted', () => {
    const path = '/alerts';
    let second = Math.floor(Date.now() / 1_000) - 1_000;
    /** Each in a second of its own: two that are the same count as one. */
    const report = (event: 'FLAGGED' | 'UNFLAGGED') => {
      const { object, entry } = qualityNotification(event);
      second += 1;
      return notify(stack, { object, entry: entry.map((each) => ({ ...each, time: second })) });
    };
    const flag = () => report('FLAGGED');
    const open = () => until(async () => (await listed())[0]);
    const end = async () => {
      await report('UNFLAGGED');
      await until(async () => (await listed()).length === 0);
    };
    /** What was stored for endpoints, in the statement that changed the alert. */
    const told = async (alert: { id: string }) => {
      const rows = await stack.sql(
        `select type from (select event_id, type, body from open_events
           union all select event_id, type, body from done_events) e
         where type like 'alert.%' and body::json->'data'->>'alert_id' = $1 order by event_id`,
        [alert.id],
      );
      return rows.map(({ type }) => type);
    };

    beforeAll(async () => {
      const { key } = await addApiKey(stack, { permissions: ['manage_webhooks', 'view_messages'] });
      const events = ['alert.raised', 'alert.resolved'];
      await stack.request('/webhooks', {
        apiKey: key,
        body: { url: receiver.url(path), events, scope: 'account' },
      });
    });

    beforeEach(() => stack.sql('delete from alerts'));

    it('is muted for the rest of the time, and nobody is told', async () => {
      const muted_until = inMs(hourMs);
      await flag();
      const first = await open();
      id = first.id;
      await changed({ muted_until });
      await end();
      expect(await told(first)).toEqual(['alert.raised', 'alert.resolved']);

      await flag();
      const next = await open();
      expect(next.id).not.toBe(first.id);
      expect(next).toMatchObject({ owner: null, muted_until });
      await flag();
      await end();
      expect(await told(next)).toEqual([]);

      await flag();
      const third = await open();
      expect(third).toMatchObject({ muted_until });
      expect(await told(third)).toEqual([]);

      // Still open after that time: it is told when it is raised again, once.
      await stack.sql('update alerts set muted_until = now()');
      await flag();
      await until(async () => (await told(third)).length > 0);
      await flag();
      await end();
      expect(await told(third)).toEqual(['alert.raised', 'alert.resolved']);

      await flag();
      const fourth = await open();
      expect(fourth).toMatchObject({ muted_until: null });
      expect(await told(fourth)).toEqual(['alert.raised']);
      await until(() => receiver.at(path).length === 5);
      expect(receiver.at(path).filter(({ body }) => body.data.alert_id === next.id)).toEqual([]);
    });

    it.each([
      ['is unmuted', () => changed({ muted_until: null }).then(end)],
      ['is resolved by hand', () => administrator.get('POST', `/alerts/${id}/resolve`)],
    ])('is told again if it %s before', async (_, act) => {
      await flag();
      ({ id } = await open());
      await changed({ muted_until: inMs(hourMs) });
      await act();
      await flag();
      const again = await open();
      expect(again).toMatchObject({ muted_until: null });
      expect(again.id).not.toBe(id);
      expect(await told(again)).toEqual(['alert.raised']);
    });

    it('is muted by the latest alert of its kind and subject only', async () => {
      const muted = inMs(hourMs);
      await flag();
      ({ id } = await open());
      await changed({ muted_until: muted });
      await end();
      await flag();
      ({ id } = await open());
      await changed({ muted_until: null });
      await end();
      await flag();
      expect(await open()).toMatchObject({ muted_until: null });
    });
  });
});
