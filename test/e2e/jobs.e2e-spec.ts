import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { insertMessage } from '../support/messages.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import {
  addWebhookKey,
  demoNumber,
  notification,
  notify,
  textMessage,
} from '../support/webhooks.js';

describe('jobs over all that matches a filter', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let operator: Dashboard;
  let administrator: Dashboard;
  let accountId: string;
  let key: { id: string; key: string };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({ own: true, env: { WEBHOOK_RETRY_SECONDS: '0.1,0.1' } });
    operator = await Dashboard.signIn(stack);
  });

  beforeEach(async () => {
    accountId = await addAccount(stack);
    administrator = await Dashboard.administratorOf(stack, operator, accountId);
    key = await addApiKey(stack, { accountId });
  });

  afterEach(() => stack.rules.clear());

  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });

  const begin = async (kind: string, filter: object, user = administrator) =>
    (await user.get('POST', '/jobs', { kind, filter })).job;
  const ended = (id: string) =>
    until(async () => {
      const { job } = await administrator.get('GET', `/jobs/${id}`);
      return job.state !== 'running' && job;
    }, 30_000);
  const refusal = async (body: object, user = administrator) => {
    const answer = await user.call('POST', '/jobs', body);
    const { code, details } = answer.body.error;
    return [code, ...Object.keys(details?.fields ?? {})];
  };
  const failedOnes = async (count: number) => {
    const recipients = Array.from({ length: count }, newRecipient);
    for (const to of recipients) {
      await stack.rules.add({ match: { to }, fault: { code: 131026 }, times: 1 });
      await stack.send('button', buttonMessage({ to }), {}, { apiKey: key.key });
    }
    return recipients;
  };
  const arrived = async (recipients: string[]) =>
    Promise.all(recipients.map(async (to) => (await stack.ledger(to)).length));

  it('send failed messages again, each once, however often that is asked for', async () => {
    const recipients = await failedOnes(3);
    const job = await begin('resend', { status: 'failed' });
    expect(job).toMatchObject({
      kind: 'resend',
      state: 'running',
      total: 3,
      done: 0,
      failed: 0,
      filter: { status: 'failed' },
      account_id: accountId,
    });
    expect(await ended(job.id)).toMatchObject({ state: 'done', done: 3, failed: 0 });
    await until(async () => (await arrived(recipients)).every((count) => count === 2));
    const result = async () => (await administrator.get('GET', `/jobs/${job.id}`)).messages;
    // A message arrives a moment before its send is settled.
    await until(async () => (await result()).waiting === 0);
    expect(await result()).toEqual({ sent: 3, failed: 0, unconfirmed: 0, waiting: 0 });
    // What was sent again is no longer something to send.
    expect(await begin('resend', { status: 'failed' })).toMatchObject({ total: 0, state: 'done' });
    const rows = await stack.sql(
      'select count(*)::int as count from messages where account_id = $1 and resent_from is not null',
      [accountId],
    );
    expect(rows).toEqual([{ count: 3 }]);
    expect(await arrived(recipients)).toEqual([2, 2, 2]);
  });

  it('wait for the quota of the key, and end when they are stopped', async () => {
    const slow = await addApiKey(stack, { accountId, rateLimit: 1 });
    for (let index = 0; index < 5; index += 1) {
      await insertMessage(stack, { accountId, apiKeyId: slow.id, status: 'failed' });
    }
    const job = await begin('resend', { status: 'failed' });
    await until(async () => {
      const [row] = await stack.sql('select done from jobs where id = $1', [job.id]);
      return row.done > 0;
    });
    const stopped = await administrator.get('POST', `/jobs/${job.id}/stop`);
    expect(stopped.job).toMatchObject({
      state: 'stopped',
      failed: 0,
      ended_at: expect.any(String),
    });
    expect(stopped.job.done).toBeLessThan(5);
    const again = await administrator.get('POST', `/jobs/${job.id}/stop`);
    expect(again.job.ended_at).toEqual(stopped.job.ended_at);
    const { entries } = await administrator.get('GET', `/audit-log?subject_id=${job.id}`);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'job.stopped',
      'job.started',
    ]);
  });

  it('leave half of a minute to the callers of the key, and let other jobs go on meanwhile', async () => {
    const slow = await addApiKey(stack, { accountId, rateLimit: 4 });
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      ids.push(await insertMessage(stack, { accountId, apiKeyId: slow.id, status: 'failed' }));
    }
    const job = await begin('resend', { status: 'failed', key_id: slow.id });
    await until(async () => {
      const [row] = await stack.sql(
        `select count(*)::int as count from job_items where job_id = $1 and retry_at > now()`,
        [job.id],
      );
      return row.count > 0;
    });
    const other = await begin('cancel', { status: 'failed', key_id: slow.id });
    // What was sent again may have failed as well.
    const over = await ended(other.id);
    expect([over.state, over.done, over.failed]).toEqual(['done', 0, over.total]);
    const waiting = (await administrator.get('GET', `/jobs/${job.id}`)).job;
    expect(waiting).toMatchObject({ state: 'running', failed: 0 });
    // A minute may have begun meanwhile.
    expect([1, 2, 3, 4]).toContain(waiting.done);
    await administrator.get('POST', `/jobs/${job.id}/stop`);
    const sent = await stack.sql(
      'select count(*)::int as count from messages where resent_from = any ($1)',
      [ids],
    );
    expect(sent).toEqual([{ count: waiting.done }]);
  });

  it('send nothing again that belongs to a campaign, which has a retry of its own', async () => {
    const id = await insertMessage(stack, { accountId, apiKeyId: key.id, status: 'failed' });
    await stack.sql('update messages set campaign_id = gen_random_uuid() where id = $1', [id]);
    const job = await begin('resend', { status: 'failed', key_id: key.id });
    expect(job).toMatchObject({ total: 0, failed: 0, state: 'done' });
  });

  it('cancel what waits, and say what could not be cancelled', async () => {
    const waiting = { accountId, apiKeyId: key.id, nextAttemptIn: 600 };
    const ids = [await insertMessage(stack, waiting), await insertMessage(stack, waiting)];
    await insertMessage(stack, { ...waiting, status: 'sent' });
    const job = await begin('cancel', { key_id: key.id });
    expect(await ended(job.id)).toMatchObject({
      total: 3,
      done: 2,
      failed: 1,
      failures_by_code: { MESSAGE_STATE: 1 },
    });
    const rows = await stack.sql('select status from messages where id = any ($1)', [ids]);
    expect(rows).toEqual([{ status: 'cancelled' }, { status: 'cancelled' }]);
  });

  it('deliver events again, each once, also where the API is killed', async () => {
    const hook = '/jobs/killed';
    const [account] = await stack.sql('select phone_number_id from accounts where id = $1', [
      accountId,
    ]);
    const number = { ...demoNumber, phoneNumberId: account.phone_number_id };
    const { id } = await addWebhookKey(stack, receiver.url(hook), {
      accountId,
      events: ['message.received'],
    });
    const messages = Array.from({ length: 100 }, () => textMessage());
    await notify(stack, notification({ messages }, number), { secret: 'secret' });
    const succeeded = async () => {
      const [row] = await stack.sql(
        `select count(*)::int as count from done_events where endpoint_id = $1 and status = 'succeeded'`,
        [id],
      );
      return row.count;
    };
    await until(async () => (await succeeded()) === 100);
    const job = await begin('redeliver', { endpoint_id: id });
    await until(async () => {
      const [row] = await stack.sql('select done from jobs where id = $1', [job.id]);
      return row.done > 0;
    });
    await stack.apis[0]?.kill();
    await stack.sql('update jobs set resume_at = now() where id = $1', [job.id]);
    stack.apis[0]?.launch();
    await stack.apis[0]?.ready();
    expect(await ended(job.id)).toMatchObject({ total: 100, done: 100, failed: 0 });
    await until(async () => receiver.at(hook).length === 200 && (await succeeded()) === 100);
    const times = new Map<string, number>();
    for (const { headers } of receiver.at(hook)) {
      const event = String(headers['webhook-id']);
      times.set(event, (times.get(event) ?? 0) + 1);
    }
    expect(new Set(times.values())).toEqual(new Set([2]));
  }, 60_000);

  it('say what became of the events that they delivered again', async () => {
    const [account] = await stack.sql('select phone_number_id from accounts where id = $1', [
      accountId,
    ]);
    const number = { ...demoNumber, phoneNumberId: account.phone_number_id };
    const hooks = ['/jobs/mended', '/jobs/broken'];
    for (const hook of hooks) {
      receiver.react(hook, () => ({ status: 500 }));
      await addWebhookKey(stack, receiver.url(hook), { accountId, events: ['message.received'] });
    }
    await notify(stack, notification({ messages: [textMessage(), textMessage()] }, number), {
      secret: 'secret',
    });
    const list = async (status: string) =>
      (await administrator.get('GET', `/webhook-deliveries?status=${status}`)).deliveries;
    await until(async () => (await list('failed')).length === 4);
    receiver.react('/jobs/mended', () => ({ status: 200 }));
    const asked = { kind: 'redeliver', filter: { status: 'failed' } };
    expect(await administrator.get('POST', '/jobs/preview', asked)).toEqual({
      total: 4,
      total_is_exact: true,
      endpoints: hooks.toSorted().map((hook) => receiver.url(hook)),
      succeeded: 0,
      left_out: {},
      failed_by_code: {},
    });
    const job = await begin('redeliver', { status: 'failed' });
    await ended(job.id);
    const deliveries = await until(async () => {
      const { deliveries: now } = await administrator.get('GET', `/jobs/${job.id}`);
      return now.pending + now.retrying === 0 && now;
    });
    expect(deliveries).toEqual({ succeeded: 2, failed: 2, retrying: 0, pending: 0 });
    // Half of them are delivered now: all that is of this event, without them.
    const all = { kind: 'redeliver', filter: { event: 'message.received' } };
    const preview = (body: object) => administrator.get('POST', '/jobs/preview', body);
    expect(await preview(all)).toMatchObject({ total: 4, succeeded: 2 });
    const without = { ...all, without_succeeded: true };
    expect(await preview(without)).toMatchObject({
      total: 2,
      succeeded: 2,
      endpoints: [receiver.url('/jobs/broken')],
    });
    const before = receiver.at('/jobs/mended').length;
    const { job: again } = await administrator.get('POST', '/jobs', without);
    expect(again.total).toBe(2);
    await ended(again.id);
    await until(async () => (await list('failed')).length === 2);
    expect(receiver.at('/jobs/mended')).toHaveLength(before);
    expect(await refusal({ ...all, without_succeeded: 'yes' })).toEqual([
      'VALIDATION_ERROR',
      'without_succeeded',
    ]);
    const [failed] = await list('failed');
    // What waits for its next try is no failure, and no success.
    await stack.sql(
      `with back as (delete from done_events where id = $1 returning *)
       insert into open_events (id, event_id, endpoint_id, account_id, mode, type, body, attempts, attempts_before, due_at, created_at)
       select id, event_id, endpoint_id, account_id, mode, type, body, 2, 1, now() + interval '1 hour', created_at from back`,
      [failed.id],
    );
    const { deliveries: then } = await administrator.get('GET', `/jobs/${job.id}`);
    expect(then).toEqual({ succeeded: 2, failed: 1, retrying: 1, pending: 0 });
    const other = await begin('cancel', { reference: 'nothing has this' });
    expect((await administrator.get('GET', `/jobs/${other.id}`)).deliveries).toBeNull();
  });

  it('are counted before they begin', async () => {
    await insertMessage(stack, { accountId, apiKeyId: key.id, nextAttemptIn: 600 });
    await insertMessage(stack, { accountId, apiKeyId: key.id, status: 'failed' });
    const preview = (kind: string, filter: object) =>
      administrator.get('POST', '/jobs/preview', { kind, filter });
    const one = {
      total: 1,
      total_is_exact: true,
      endpoints: [],
      succeeded: 0,
      left_out: {},
      failed_by_code: {},
    };
    expect(await preview('cancel', { status: 'queued' })).toEqual(one);
    expect(await preview('resend', { status: 'failed' })).toEqual(one);
    await failedOnes(2);
    const ofCampaign = await insertMessage(stack, {
      accountId,
      apiKeyId: key.id,
      status: 'failed',
    });
    await stack.sql('update messages set campaign_id = new_id() where id = $1', [ofCampaign]);
    const asked = { kind: 'resend', filter: { status: 'failed' } };
    const counted = { left_out: { campaign: 1 }, failed_by_code: { 131026: 2 } };
    expect(await administrator.get('POST', '/jobs/preview', asked)).toEqual({
      ...one,
      ...counted,
      total: 3,
    });
    const without = { ...asked, without_codes: [131026] };
    expect(await administrator.get('POST', '/jobs/preview', without)).toEqual({
      ...one,
      ...counted,
    });
    expect((await administrator.get('GET', '/jobs')).jobs).toEqual([]);
    const { job } = await administrator.get('POST', '/jobs', without);
    expect(job).toMatchObject({ total: 1 });
    await administrator.get('POST', `/jobs/${job.id}/stop`);
    expect(await refusal({ ...asked, without_codes: ['131026'] })).toEqual([
      'VALIDATION_ERROR',
      'without_codes[0]',
    ]);
    const other = {
      kind: 'redeliver',
      filter: { account_id: await addAccount(stack), mode: 'live' },
    };
    expect((await administrator.call('POST', '/jobs/preview', other)).body.error.code).toBe(
      'NOT_FOUND',
    );
  });

  it('have nothing to do where nothing matches', async () => {
    expect(await begin('cancel', { reference: 'nothing has this' })).toMatchObject({
      state: 'done',
      total: 0,
      ended_at: expect.any(String),
    });
  });

  it('refuse what is not a filter of the list', async () => {
    const status = { status: 'failed' };
    expect(await refusal({ kind: 'resend', filter: {} })).toEqual(['VALIDATION_ERROR', 'filter']);
    expect(await refusal({ kind: 'resend', filter: null })).toEqual(['VALIDATION_ERROR', 'filter']);
    expect(await refusal({ kind: 'resend' })).toEqual(['VALIDATION_ERROR', 'filter']);
    expect(await refusal({ kind: 'erase', filter: status })).toEqual(['VALIDATION_ERROR', 'kind']);
    for (const [kind, filter, field] of [
      ['resend', { status: 'failed,unconfirmed' }, 'filter.status'],
      ['resend', { key_id: key.id }, 'filter.status'],
      ['cancel', { limit: 5 }, 'filter.limit'],
      ['cancel', { colour: 'red' }, 'filter.colour'],
      ['cancel', { status: ['queued'] }, 'filter.status'],
      ['cancel', { key_id: null }, 'filter.key_id'],
      ['redeliver', { endpoint_id: '' }, 'filter.endpoint_id'],
      ['redeliver', { status: 'queued' }, 'filter.status'],
    ] as const) {
      expect(await refusal({ kind, filter })).toEqual(['VALIDATION_ERROR', field]);
    }
  });

  it('are those of one account, and not for people who only read', async () => {
    const other = await addAccount(stack);
    const stranger = await Dashboard.administratorOf(stack, operator, other);
    const viewer = await Dashboard.viewerOf(stack, operator, accountId);
    const job = await begin('cancel', { reference: 'nothing' });
    expect((await stranger.call('GET', `/jobs/${job.id}`)).body.error.code).toBe('NOT_FOUND');
    expect((await stranger.call('POST', `/jobs/${job.id}/stop`)).body.error.code).toBe('NOT_FOUND');
    expect((await stranger.get('GET', '/jobs')).jobs).toEqual([]);
    const body = { kind: 'cancel', filter: { status: 'queued', account_id: accountId } };
    expect(await refusal(body, stranger)).toEqual(['NOT_FOUND']);
    expect(await refusal({ ...body, filter: { status: 'queued' } }, viewer)).toEqual(['FORBIDDEN']);
    const waiting = await insertMessage(stack, { accountId: other, nextAttemptIn: 600 });
    expect(await ended((await begin('cancel', { status: 'queued' })).id)).toMatchObject({
      total: 0,
    });
    const rows = await stack.sql('select status from messages where id = $1', [waiting]);
    expect(rows).toEqual([{ status: 'queued' }]);
    const { jobs } = await administrator.get('GET', '/jobs?limit=1');
    expect(jobs).toHaveLength(1);
    expect((await operator.get('GET', `/jobs?account_id=${accountId}`)).jobs).toHaveLength(2);
  });
});
