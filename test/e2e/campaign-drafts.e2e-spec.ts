import { hourMs } from '#libs/durations';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard, neighbour } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { newRecipient, Stack } from '../support/stack.js';
import {
  definitions,
  map,
  paidMapping as mapping,
  putTemplates,
  sync,
  paidVariables as variables,
} from '../support/templates.js';
import { until } from '../support/until.js';

describe('a campaign that a person makes for a key', () => {
  let stack: Stack;
  let operator: Dashboard;
  let keyId: string;

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    operator = await Dashboard.signIn(stack);
    await putTemplates(stack, Object.values(definitions));
    await sync(operator);
  });

  beforeEach(async () => {
    ({ id: keyId } = await addApiKey(stack, { accountId: installation.accountId }));
    await map(operator, keyId, 'paid', mapping);
  });

  afterAll(() => stack?.stop());

  const draft = (change = {}) => ({
    name: 'Spring',
    template_name: 'paid',
    language: 'en_US',
    api_key_id: keyId,
    ...change,
  });
  const created = async (): Promise<string> =>
    (await operator.get('POST', '/campaigns', draft())).id;
  const refusal = async (method: string, path: string, body?: object, user = operator) => {
    const { status, body: answer } = await user.call(method, path, body);
    return [status, answer.error?.code];
  };
  const add = (id: string, recipients: object[]) =>
    operator.get('POST', `/campaigns/${id}/recipients`, { recipients });

  it('says what failed after WhatsApp had taken it, which the overview counts as sent, too', async () => {
    const sentIn = async () => (await operator.get('GET', '/outcomes?range=1h')).sent;
    const before = await sentIn();
    const refused = newRecipient();
    await stack.rules.add({ match: { to: refused }, fault: { code: 131009 } });
    const id = await created();
    // The number of the second is one whose messages fail after they were taken.
    await add(
      id,
      [newRecipient(), '+15551131026', refused].map((to) => ({ to, variables })),
    );
    await operator.get('POST', `/campaigns/${id}/start`);
    await until(async () => (await operator.get('GET', `/campaigns/${id}`)).counts.failed === 2);
    const { counts, failed_after_sent: lost } = await operator.get('GET', `/campaigns/${id}`);
    expect(lost).toBe(1);
    const sent = counts.sent + counts.delivered + counts.read + lost;
    expect(sent).toBe(2);
    expect((await sentIn()) - before).toBe(sent);
    await stack.rules.clear();
  });

  it('says why its messages wait, and when they are tried again', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { code: 131056 }, times: 2 });
    const id = await created();
    await add(id, [{ to, variables }]);
    const read = () => operator.get('GET', `/campaigns/${id}`);
    expect((await read()).waiting).toBeNull();
    await operator.get('POST', `/campaigns/${id}/start`);
    const waiting = await until(async () => (await read()).waiting);
    expect(waiting).toEqual({ code: '131056', next_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    const [{ id: messageId }] = await stack.sql('select id from messages where campaign_id = $1', [
      id,
    ]);
    const nextTry = async () =>
      (await operator.get('GET', `/messages/${messageId}`)).next_attempt_at;
    expect(await until(nextTry)).toMatch(/^\d{4}-.*Z$/);
    await until(async () => (await read()).status === 'completed');
    expect((await read()).waiting).toBeNull();
    await until(async () => (await nextTry()) === null);
    await stack.rules.clear();
  });

  it('finds a recipient as people write them, and shows the first of a draft', async () => {
    const [first, second] = ['+14155550187', '+4917612345678'];
    const id = await created();
    const user = 'US.1234567890';
    await add(id, [
      { to: first, variables, reference: 'order-1042' },
      { to: second, variables: { ...variables, what: 'coffee' } },
      { to_user_id: user, variables },
    ]);
    await stack.sql(
      `insert into contacts (id, account_id, mode, phone, name) values (uuidv7(), $1, 'live', $2, 'Zoë Ångström')`,
      [installation.accountId, second],
    );
    const found = async (q: string, more = '') => {
      const query = `q=${encodeURIComponent(q)}${more}`;
      const page = await operator.get('GET', `/campaigns/${id}/recipients?${query}`);
      return page.recipients.map((each: any) => each.to ?? each.to_user_id);
    };
    for (const q of ['(415) 555-0187', first, '0187', 'order-1', '415 555 0187']) {
      expect([q, await found(q)]).toEqual([q, [first]]);
    }
    expect(await found('0176 12345678')).toEqual([second]);
    expect(await found(user)).toEqual([user]);
    expect(await found('1042')).toEqual([]);
    expect(await found('0187', '&status=failed')).toEqual([]);
    expect(await found('0187', '&status=pending')).toEqual([first]);
    expect(await found('angst')).toEqual([second]);
    const { first_recipients: shown } = await operator.get('GET', `/campaigns/${id}`);
    expect(shown).toEqual([
      { to: first, to_user_id: null, variables },
      { to: second, to_user_id: null, variables: { ...variables, what: 'coffee' } },
      { to: null, to_user_id: user, variables },
    ]);
    await operator.get('POST', `/campaigns/${id}/cancel`);
    expect((await operator.get('GET', `/campaigns/${id}`)).first_recipients).toEqual([]);
  });

  it('is filled, estimated, started and sent like one of a program', async () => {
    const id = await created();
    const to = newRecipient();
    const answer = await add(id, [
      { to, variables },
      { to, variables },
      { to: '12', variables },
    ]);
    expect(answer).toMatchObject({
      added: 1,
      duplicates: 1,
      total: 1,
      invalid: [{ index: 2, fields: { to: expect.any(String) } }],
    });
    expect(await operator.get('GET', `/campaigns/${id}/estimate`)).toMatchObject({
      recipients: 1,
      opted_out: 0,
    });
    expect(await operator.get('POST', `/campaigns/${id}/start`)).toMatchObject({
      status: 'running',
      api_key_id: keyId,
    });
    await until(async () => (await operator.get('GET', `/campaigns/${id}`)).status === 'completed');
    expect(await stack.ledger(to)).toHaveLength(1);
  });

  it('can be changed until it is started', async () => {
    const id = await created();
    const sendAt = new Date(Date.now() + hourMs).toISOString();
    const change = {
      name: 'Summer',
      send_at: sendAt,
      per_second: 8,
      message_events: 'failed',
      pause_on: { failure_rate: 0.1 },
    };
    expect(await operator.get('PATCH', `/campaigns/${id}`, change)).toMatchObject(change);
    expect(await operator.get('PATCH', `/campaigns/${id}`, { per_second: null })).toMatchObject({
      ...change,
      per_second: null,
    });
    const soon = { send_at: new Date().toISOString() };
    expect(await refusal('PATCH', `/campaigns/${id}`, soon)).toEqual([400, 'VALIDATION_ERROR']);
    await operator.get('POST', `/campaigns/${id}/cancel`);
    expect(await refusal('PATCH', `/campaigns/${id}`, { per_second: 1 })).toEqual([
      409,
      'CAMPAIGN_STATE',
    ]);
  });

  describe('that has ended is tried again', () => {
    const retry = (id: string, body: object = {}) =>
      operator.get('POST', `/campaigns/${id}/retry`, body);
    const recipients = async (id: string): Promise<string[]> =>
      (await operator.get('GET', `/campaigns/${id}/recipients`)).recipients.map(
        (one: { to: string }) => one.to,
      );

    const retries = (id: string) => operator.get('GET', `/campaigns/${id}/retries`);

    afterEach(() => stack.rules.clear());

    it('with those whose message has failed, as a draft of the same key', async () => {
      const [good, bad] = [newRecipient(), newRecipient()];
      await stack.rules.add({ match: { to: bad }, fault: { code: 131026 } });
      const id = await created();
      await add(id, [
        { to: good, variables },
        { to: bad, variables },
      ]);
      await operator.get('POST', `/campaigns/${id}/start`);
      await until(async () => (await operator.get('GET', `/campaigns/${id}`)).counts.failed === 1);
      await until(
        async () => (await operator.get('GET', `/campaigns/${id}`)).status === 'completed',
      );
      expect(await retries(id)).toEqual({
        failed: 1,
        failed_by_code: { 131026: 1 },
        rest: 0,
        retries: [],
      });
      const made = await retry(id);
      expect(made).toMatchObject({ status: 'draft', retry_of: id, api_key_id: keyId });
      const draftOf = async () => (await operator.get('GET', `/campaigns/${made.id}`)).retried;
      expect(await draftOf()).toEqual({ name: 'Spring', failed_by_code: { 131026: 1 } });
      const listed = { id: made.id, name: 'Spring (retry)', total: 1 };
      expect(await retries(id)).toEqual({
        failed: 0,
        failed_by_code: {},
        rest: 0,
        retries: [{ ...listed, status: 'draft', who: 'failed' }],
      });
      expect(await recipients(made.id)).toEqual([bad]);
      expect(await refusal('POST', `/campaigns/${id}/retry`, {})).toEqual([409, 'CAMPAIGN_STATE']);
      const { entries } = await operator.get('GET', `/audit-log?subject_id=${made.id}`);
      expect(entries).toMatchObject([
        { action: 'campaign.retried', details: { retry_of: id, recipients: 1 } },
      ]);
      // Nobody has got anything from a retry that was cancelled.
      await operator.get('POST', `/campaigns/${made.id}/cancel`);
      expect(await draftOf()).toEqual({ name: 'Spring', failed_by_code: null });
      expect(await retries(id)).toMatchObject({ failed: 1, retries: [{ status: 'cancelled' }] });
    });

    it('with those of the chosen codes and reasons, whom it has counted by these before', async () => {
      const [hopeless, hopeful, good] = [newRecipient(), newRecipient(), newRecipient()];
      await stack.rules.add({ match: { to: hopeless }, fault: { code: 131026 } });
      await stack.rules.add({ match: { to: hopeful }, fault: { code: 131049 } });
      const unsent = newRecipient();
      await stack.rules.add({ match: { to: unsent }, fault: { code: 131009 } });
      const id = await created();
      await add(
        id,
        [hopeless, hopeful, good, unsent].map((to) => ({ to, variables })),
      );
      await operator.get('POST', `/campaigns/${id}/start`);
      await until(
        async () => (await operator.get('GET', `/campaigns/${id}`)).status === 'completed',
      );
      await until(async () => (await operator.get('GET', `/campaigns/${id}`)).counts.failed === 3);
      // As a message has it that WhatsApp never answered.
      await stack.sql(
        `update messages set error = error || '{"platformCode": null, "reason": "unreachable"}'
         where campaign_id = $1 and recipient = $2`,
        [id, unsent],
      );
      const byCode = { 131026: 1, 131049: 1, unreachable: 1 };
      expect(await retries(id)).toMatchObject({ failed: 3, failed_by_code: byCode });
      expect(await refusal('POST', `/campaigns/${id}/retry`, { reasons: ['1'] })).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      const made = await retry(id, { codes: [131049], reasons: ['unreachable'] });
      expect(await recipients(made.id)).toEqual([hopeful, unsent]);
      expect(await retries(id)).toMatchObject({ failed: 1, failed_by_code: { 131026: 1 } });
    });

    it('without those whose message somebody has sent again', async () => {
      const bad = newRecipient();
      await stack.rules.add({ match: { to: bad }, fault: { code: 131026 }, times: 1 });
      const id = await created();
      await add(id, [{ to: bad, variables }]);
      await operator.get('POST', `/campaigns/${id}/start`);
      await until(async () => (await operator.get('GET', `/campaigns/${id}`)).counts.failed === 1);
      const [message] = await stack.sql('select id from messages where campaign_id = $1', [id]);
      await operator.get('POST', `/messages/${message.id}/resend`);
      expect(await retries(id)).toMatchObject({ failed: 0, retries: [] });
      expect(await refusal('POST', `/campaigns/${id}/retry`, {})).toEqual([409, 'CAMPAIGN_STATE']);
      expect(await stack.ledger(bad)).toHaveLength(2);
    });

    /** A campaign whose one recipient has failed so many times. @returns the ids of it and of its message */
    const failed = async (to: string, times: number) => {
      await stack.rules.add({ match: { to }, fault: { code: 131026 }, times });
      const id = await created();
      await add(id, [{ to, variables }]);
      await operator.get('POST', `/campaigns/${id}/start`);
      await until(async () => {
        const { status, counts } = await operator.get('GET', `/campaigns/${id}`);
        return status === 'completed' && counts.failed === 1;
      });
      const [message] = await stack.sql('select id from messages where campaign_id = $1', [id]);
      return [id, message.id];
    };
    const resend = (id: string) => operator.call('POST', `/messages/${id}/resend`);

    it('without those who got it by a second message after one that failed as well', async () => {
      const to = newRecipient();
      const [id, messageId] = await failed(to, 2);
      const second = (await resend(messageId)).body.error.details.message_id;
      expect(await retries(id)).toMatchObject({ failed: 1 });
      expect((await resend(second)).status).toBe(200);
      expect(await retries(id)).toMatchObject({ failed: 0 });
      expect(await refusal('POST', `/campaigns/${id}/retry`, {})).toEqual([409, 'CAMPAIGN_STATE']);
    });

    it('once: whom it waits for or has reached, nobody sends the failed message again', async () => {
      const to = newRecipient();
      const [id, messageId] = await failed(to, 2);
      const second = (await resend(messageId)).body.error.details.message_id;
      expect(await operator.get('GET', `/messages/${messageId}`)).toMatchObject({
        retried_in: null,
        next_attempt_at: null,
      });
      const made = await retry(id);
      const retriedIn = { campaign_id: made.id, campaign_name: 'Spring (retry)' };
      const refused = async (told: string, status: string) => {
        for (const each of [messageId, second]) {
          const { retried_in } = await operator.get('GET', `/messages/${each}`);
          expect(retried_in).toMatchObject({ ...retriedIn, status });
        }
        // What was sent again before has its own answer for a day.
        const { body, ...answer } = await resend(second);
        expect(answer.status).toBe(409);
        expect(body.error).toMatchObject({ code: 'CONFLICT', message: told });
      };
      await refused('A retry of its campaign, “Spring (retry)”, has them waiting.', 'pending');
      await operator.get('POST', `/campaigns/${made.id}/start`);
      await until(async () => (await stack.ledger(to)).length === 3);
      const [{ id: reached }] = await stack.sql('select id from messages where campaign_id = $1', [
        made.id,
      ]);
      await until(
        async () => (await operator.get('GET', `/messages/${reached}`)).status === 'read',
      );
      await refused(
        `A retry of its campaign, “Spring (retry)”, has a message to them: ${reached}.`,
        'read',
      );
      expect(await stack.ledger(to)).toHaveLength(3);
    });

    it('with the rest of those who got nothing, where it was cancelled', async () => {
      const id = await created();
      const rest = [newRecipient(), newRecipient()];
      await add(
        id,
        rest.map((to) => ({ to, variables })),
      );
      expect(await refusal('POST', `/campaigns/${id}/retry`, { who: 'rest' })).toEqual([
        409,
        'CAMPAIGN_STATE',
      ]);
      await operator.get('POST', `/campaigns/${id}/cancel`);
      expect(await refusal('POST', `/campaigns/${id}/retry`, { who: 'rest', codes: [1] })).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      expect(await retries(id)).toMatchObject({ failed: 0, failed_by_code: {}, rest: 2 });
      let made = await retry(id, { who: 'rest' });
      expect(await retries(id)).toMatchObject({
        rest: 0,
        retries: [{ id: made.id, total: 2, who: 'rest' }],
      });
      await operator.get('POST', `/campaigns/${made.id}/cancel`);
      const both = await retry(id, { who: 'failed_and_rest', codes: [131026] });
      const logOfBoth = await operator.get('GET', `/audit-log?subject_id=${both.id}`);
      expect(logOfBoth.entries[0]).toMatchObject({
        action: 'campaign.retried_with_rest',
        details: { retry_of: id, recipients: 2 },
      });
      await operator.get('POST', `/campaigns/${both.id}/cancel`);
      made = await retry(id, { who: 'rest' });
      const log = await operator.get('GET', `/audit-log?subject_id=${made.id}`);
      expect(log.entries[0]).toMatchObject({
        action: 'campaign.sent_to_rest',
        details: { retry_of: id, recipients: 2 },
      });
      await operator.get('PATCH', `/campaigns/${made.id}`, { per_second: 7, pause_on: null });
      const { entries } = await operator.get('GET', `/audit-log?subject_id=${made.id}`);
      expect(entries[0]).toMatchObject({
        action: 'campaign.changed',
        details: { per_second: { from: null, to: 7 } },
      });
      expect(await recipients(made.id)).toEqual(rest);
      await operator.get('POST', `/campaigns/${made.id}/start`);
      await until(async () => (await stack.ledger(rest[1] ?? '')).length === 1);
    });
  });

  it('is refused where the key would be', async () => {
    const withKey = async (change: object) => {
      const { id } = await addApiKey(stack, { accountId: installation.accountId, ...change });
      await map(operator, id, 'paid', mapping);
      return id;
    };
    const made = async (change: object) => refusal('POST', '/campaigns', draft(change));
    const lacking = await withKey({ permissions: ['send_template'] });
    expect(await made({ api_key_id: lacking })).toEqual([403, 'PERMISSION_DENIED']);
    expect(await made({ template_name: 'plain' })).toEqual([400, 'TEMPLATE_NOT_CONFIGURED']);
    expect(await made({ api_key_id: installation.accountId })).toEqual([404, 'NOT_FOUND']);
    const revoked = await withKey({});
    const { id } = await operator.get('POST', '/campaigns', draft({ api_key_id: revoked }));
    await add(id, [{ to: newRecipient(), variables }]);
    await operator.get('POST', `/api-keys/${revoked}/revoke`);
    expect(await refusal('POST', `/campaigns/${id}/start`)).toEqual([401, 'REVOKED_API_KEY']);
    expect(await refusal('POST', `/campaigns/${id}/recipients`, { recipients: [{}] })).toEqual([
      401,
      'REVOKED_API_KEY',
    ]);
  });

  it('is out of reach for administrators of other accounts', async () => {
    const id = await created();
    const { administrator: stranger } = await neighbour(stack, operator);
    expect(await refusal('POST', '/campaigns', draft(), stranger)).toEqual([404, 'NOT_FOUND']);
    for (const [method, path, body] of [
      ['PATCH', '', { per_second: 1 }],
      ['POST', '/recipients', { recipients: [{}] }],
      ['GET', '/estimate', undefined],
      ['POST', '/start', undefined],
      ['POST', '/retry', {}],
    ] as const) {
      expect(await refusal(method, `/campaigns/${id}${path}`, body, stranger)).toEqual([
        404,
        'CAMPAIGN_NOT_FOUND',
      ]);
    }
  });
});
