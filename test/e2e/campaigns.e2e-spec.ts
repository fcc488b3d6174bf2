import { randomUUID } from 'node:crypto';
import { hourMs } from '#libs/durations';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
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
import { demoNumber, notify } from '../support/webhooks.js';

const template = { template_name: 'paid', language: 'en_US' };

describe('a campaign', () => {
  let stack: Stack;
  let operator: Dashboard;
  let apiKey: string;
  let keyId: string;

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
    await putTemplates(stack, Object.values(definitions));
    await sync(operator);
  });

  beforeEach(async () => {
    ({ id: keyId, key: apiKey } = await addApiKey(stack, { accountId: installation.accountId }));
    await map(operator, keyId, 'paid', mapping);
    await setPace(null);
  });

  afterEach(() => stack.rules.clear());
  afterAll(() => stack?.stop());

  const call = async (method: string, path: string, body?: object, options = {}) =>
    stack.request(`/campaigns${path}`, { method, body, apiKey, ...options });
  const create = async (change = {}, options = {}) =>
    call('POST', '', { name: 'Spring', ...template, ...change }, options);
  const created = async (change = {}) => (await create(change)).body.data.campaign.id as string;
  const recipients = (count: number) =>
    Array.from({ length: count }, () => ({ to: newRecipient(), variables }));
  const add = (id: string, list: object[], options = {}) =>
    call('POST', `/${id}/recipients`, { recipients: list }, options);
  const read = async (id: string) => (await call('GET', `/${id}`)).body.data.campaign;
  const steer = async (id: string, verb: string) => call('POST', `/${id}/${verb}`);
  const results = async (id: string, query = '') =>
    (await call('GET', `/${id}/recipients?limit=100${query}`)).body.data.recipients as any[];
  const setPace = (pace: number | null) =>
    stack.sql('update accounts set messages_per_second = $2, version = version + 1 where id = $1', [
      installation.accountId,
      pace,
    ]);
  const becomes = (id: string, status: string) =>
    until(async () => {
      const campaign = await read(id);
      expectBooks(campaign);
      return campaign.status === status;
    });
  const expectBooks = ({ counts: { total, ...counts } }: any) =>
    expect(Object.values<number>(counts).reduce((sum, count) => sum + count, 0)).toBe(total);
  /** A running campaign to so many, at a pace of its own. */
  async function running(count: number, change = {}): Promise<string> {
    const id = await created(change);
    for (let added = 0; added < count; added += 1_000) {
      await add(id, recipients(Math.min(1_000, count - added)));
    }
    expect((await steer(id, 'start')).body.data.campaign.status).toBe('running');
    return id;
  }

  it('sends the template to each of its recipients once, with their variables', async () => {
    const { status, body } = await create({ reference: 'spring', per_second: 100 });
    expect(status).toBe(200);
    const { id } = body.data.campaign;
    expect(body.data.campaign).toMatchObject({
      status: 'draft',
      name: 'Spring',
      template_name: 'paid',
      per_second: 100,
      message_events: 'all',
      pause_on: null,
      counts: { total: 0, pending: 0 },
    });
    const [first, second] = [newRecipient(), newRecipient()];
    const added = await add(id, [
      { to: first, variables },
      { to: second, variables: { ...variables, what: 'coffee' }, reference: 'own' },
    ]);
    expect([added.status, added.body.data]).toEqual([
      200,
      { added: 2, duplicates: 0, invalid: [], total: 2 },
    ]);
    expect((await steer(id, 'start')).status).toBe(200);
    await becomes(id, 'completed');
    await until(async () => {
      const { sent, delivered, read: seen } = (await read(id)).counts;
      return sent + delivered + seen === 2;
    });
    expect(await results(id)).toMatchObject([
      { to: first, reference: 'spring', reason: null, error: null },
      { to: second, reference: 'own' },
    ]);
    expect(await stack.ledger(first)).toHaveLength(1);
    const [{ payload }] = await stack.sql('select payload from messages where recipient = $1', [
      second,
    ]);
    expect(payload.template.components[0].parameters).toMatchObject([
      { text: '€ 9' },
      { text: '1 May' },
      { text: 'coffee' },
    ]);
    const [{ message_id: messageId }] = await results(id);
    expect((await stack.get(`/messages/${messageId}`, { apiKey })).body.data).toMatchObject({
      type: 'template',
      campaign_id: id,
    });
    const { messages } = await operator.get('GET', `/messages?q=${messageId}`);
    expect(messages).toMatchObject([{ campaign_name: 'Spring', text: 'paid' }]);
    expect(await operator.get('GET', `/messages/${messageId}`)).toMatchObject({
      campaign_name: 'Spring',
    });
  });

  describe('takes recipients', () => {
    it('and says which of them are wrong, or there already', async () => {
      const id = await created();
      const to = newRecipient();
      const { body } = await add(id, [
        { to, variables },
        { to, variables },
        { to: '12', variables },
        { to: newRecipient(), variables: { amount: '1' } },
        { to: newRecipient(), variables: { ...variables, other: 'x' } },
        { to_user_id: 'US.13491208655302741918', variables },
        {},
        { to: newRecipient(), variables: { ...variables, day: 'a\0' } },
        { to: newRecipient(), variables, reference: '\ud83d' },
      ]);
      expect(body.data).toMatchObject({ added: 2, duplicates: 1, total: 2 });
      expect(body.data.invalid).toEqual([
        { index: 2, fields: { to: expect.any(String) } },
        {
          index: 3,
          fields: { 'variables.day': 'is required', 'variables.what': 'is required' },
        },
        { index: 4, fields: { 'variables.other': 'is not a variable of the mapping' } },
        { index: 6, fields: expect.objectContaining({ to: expect.any(String) }) },
        { index: 7, fields: { 'variables.day': 'must not contain NUL characters' } },
        { index: 8, fields: { reference: 'must not contain lone surrogates' } },
      ]);
      expect((await add(id, [{ to, variables }])).body.data).toMatchObject({
        added: 0,
        duplicates: 1,
        total: 2,
      });
    });

    it('once for a repeated request', async () => {
      const id = await created();
      const list = recipients(3);
      const options = { headers: { 'Idempotency-Key': randomUUID() } };
      const first = await add(id, list, options);
      const again = await add(id, list, options);
      expect(again.body.data).toEqual(first.body.data);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect((await add(id, recipients(1), options)).body.error.code).toBe(
        'IDEMPOTENCY_KEY_REUSED',
      );
      expect((await read(id)).counts.total).toBe(3);
    });

    it('not more than 100,000, and none after its start', async () => {
      const id = await created();
      await stack.sql('update campaigns set total = 99999 where id = $1', [id]);
      expect((await add(id, recipients(2))).body.error.details.fields).toEqual({
        recipients: 'must not make more than 100000 in all; the campaign has 99999',
      });
      const other = await running(1);
      expect((await add(other, recipients(1))).body.error).toMatchObject({
        code: 'CAMPAIGN_STATE',
      });
    });
  });

  it('is made once for a repeated request', async () => {
    const options = { headers: { 'Idempotency-Key': randomUUID() } };
    const first = await create({}, options);
    const again = await create({}, options);
    expect(again.body.data).toEqual(first.body.data);
    expect((await create({ name: 'Other' }, options)).body.error.code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect((await call('GET', '')).body.data.campaigns).toHaveLength(1);
  });

  it('is refused without its template, its mapping, or permissions', async () => {
    const code = async (change: object, options = {}) =>
      (await create(change, options)).body.error.code;
    expect(await code({ template_name: 'unknown' })).toBe('TEMPLATE_NOT_FOUND');
    expect(await code({ template_name: 'plain' })).toBe('TEMPLATE_NOT_CONFIGURED');
    expect(await code({ per_second: 0 })).toBe('VALIDATION_ERROR');
    expect(await code({ pause_on: { failure_rate: 2 } })).toBe('VALIDATION_ERROR');
    const { key } = await addApiKey(stack, { permissions: ['manage_campaigns'] });
    expect(await code({}, { apiKey: key })).toBe('PERMISSION_DENIED');
    const { key: sender } = await addApiKey(stack, { permissions: ['send_template'] });
    expect(await code({}, { apiKey: sender })).toBe('PERMISSION_DENIED');
  });

  it('belongs to the key that made it', async () => {
    const id = await created();
    const { key: stranger } = await addApiKey(stack, {});
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/start'],
      ['POST', '/pause'],
      ['POST', '/cancel'],
      ['GET', '/recipients'],
    ] as const) {
      const answer = await call(method, `/${id}${path}`, undefined, { apiKey: stranger });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'CAMPAIGN_NOT_FOUND']);
    }
    expect((await call('GET', '/no-id')).body.error.code).toBe('CAMPAIGN_NOT_FOUND');
  });

  it('is listed for people by the mode of its key', async () => {
    const [live, test] = [await created(), await created()];
    await stack.sql(`update campaigns set mode = 'test' where id = $1`, [test]);
    const listed = async (mode: string) => {
      const { campaigns } = await operator.get('GET', `/campaigns?mode=${mode}&limit=100`);
      return campaigns.map(({ id }: any) => id);
    };
    expect(await listed('live')).toContain(live);
    expect(await listed('live')).not.toContain(test);
    expect(await listed('test')).toEqual([test]);
  });

  it('is listed for people by its status', async () => {
    const draft = await created();
    const cancelled = await created();
    await steer(cancelled, 'cancel');
    const listed = async (status: string) => {
      const { campaigns } = await operator.get('GET', `/campaigns?status=${status}&limit=100`);
      return campaigns.map(({ id }: any) => id);
    };
    expect(await listed('draft')).toContain(draft);
    expect(await listed('draft')).not.toContain(cancelled);
    expect(await listed('cancelled')).toContain(cancelled);
    expect((await operator.call('GET', '/campaigns?status=none')).status).toBe(400);
  });

  it('begins at its time', async () => {
    const sendAt = new Date(Date.now() + hourMs).toISOString();
    const id = await created({ send_at: sendAt });
    await add(id, recipients(1));
    expect((await steer(id, 'start')).body.data.campaign).toMatchObject({
      status: 'scheduled',
      send_at: sendAt,
    });
    await stack.sql('update campaigns set send_at = now() where id = $1', [id]);
    await becomes(id, 'completed');
  });

  it('does not begin twice, or without recipients', async () => {
    const id = await created();
    const empty = await steer(id, 'start');
    expect([empty.status, empty.body.error]).toMatchObject([
      409,
      { code: 'CAMPAIGN_STATE', details: { status: 'draft' } },
    ]);
    await add(id, recipients(1));
    await steer(id, 'start');
    expect((await steer(id, 'start')).body.error.code).toBe('CAMPAIGN_STATE');
    await becomes(id, 'completed');
    expect((await steer(id, 'cancel')).body.error).toMatchObject({
      code: 'CAMPAIGN_STATE',
      details: { status: 'completed' },
    });
  });

  describe('that runs', () => {
    it('says who has paused it: a person, or a program by the name of its key', async () => {
      const id = await running(60, { per_second: 1 });
      const pauser = async () => (await operator.get('GET', `/campaigns/${id}`)).paused_by;
      expect(await pauser()).toBeNull();
      const person = { kind: 'user', name: installation.adminEmail };
      await operator.get('POST', `/campaigns/${id}/pause`);
      expect(await pauser()).toEqual(person);
      await operator.get('POST', `/campaigns/${id}/resume`);
      expect(await pauser()).toBeNull();
      await steer(id, 'pause');
      const [{ name }] = await stack.sql('select name from api_keys where id = $1', [keyId]);
      expect(await pauser()).toEqual({ kind: 'api_key', name });
      // Who pauses what is paused by hand changes nothing.
      await operator.get('POST', `/campaigns/${id}/pause`);
      expect(await pauser()).toEqual({ kind: 'api_key', name });
      await steer(id, 'cancel');
      expect(await pauser()).toBeNull();
      expect(await operator.get('GET', `/campaigns/${id}`)).toMatchObject({
        cancelled_by: { kind: 'api_key', name },
      });
      const other = await running(60, { per_second: 1 });
      expect(await operator.get('GET', `/campaigns/${other}`)).toMatchObject({
        cancelled_by: null,
      });
      await operator.get('POST', `/campaigns/${other}/cancel`);
      expect(await operator.get('GET', `/campaigns/${other}`)).toMatchObject({
        cancelled_by: person,
      });
    });

    it('pauses, two seconds of its pace ahead at most, and goes on', async () => {
      const id = await running(60, { per_second: 10 });
      await until(async () => (await read(id)).counts.pending < 60);
      const paused = (await steer(id, 'pause')).body.data.campaign;
      expect(paused).toMatchObject({ status: 'paused', reason: 'operator', rate: null });
      expect((await steer(id, 'pause')).status).toBe(200);
      await until(async () => {
        const { counts } = await read(id);
        return counts.released + counts.sending === 0;
      });
      expect((await read(id)).counts.pending).toBe(paused.counts.pending);
      expect(paused.counts.pending).toBeGreaterThan(0);
      await stack.sql('update campaigns set per_second = null where id = $1', [id]);
      expect((await steer(id, 'resume')).body.data.campaign.status).toBe('running');
      await becomes(id, 'completed');
      const { counts } = await read(id);
      expect(counts.sent + counts.delivered + counts.read).toBe(60);
    });

    it('is cancelled: what nobody has in hand is never sent', async () => {
      await setPace(20);
      const id = await running(200);
      await until(async () => (await read(id)).counts.pending < 200);
      const { counts, status } = (await steer(id, 'cancel')).body.data.campaign;
      expect([status, counts.pending, counts.released]).toEqual(['cancelled', 0, 0]);
      expect((await steer(id, 'cancel')).status).toBe(200);
      await until(async () => (await read(id)).counts.sending === 0);
      const after = await read(id);
      expectBooks(after);
      expect(after.counts.cancelled).toBe(counts.cancelled);
      expect((await steer(id, 'resume')).body.error.code).toBe('CAMPAIGN_STATE');
    });

    it('skips those who have opted out, and those to whom WhatsApp sends nothing for a day', async () => {
      const id = await created();
      const [out, held, both] = [newRecipient(), newRecipient(), newRecipient()];
      await add(id, [
        { to: out, variables },
        { to: held, variables },
        { to: both, variables },
      ]);
      await call('GET', '');
      const consent = { phone: out, scope: 'all', state: 'opted_out' };
      await stack.request('/contacts/consent', { method: 'PUT', body: consent });
      await stack.rules.add({ match: { to: held }, fault: { code: 131049 }, times: 1 });
      await stack.request('/messages/template/send', {
        body: { to: held, ...template, variables },
        apiKey,
      });
      expect((await call('GET', `/${id}/estimate`)).body.data).toMatchObject({
        recipients: 3,
        opted_out: 1,
        messaging_limit: null,
        seconds: null,
      });
      await steer(id, 'start');
      await becomes(id, 'completed');
      expect(await results(id)).toMatchObject([
        { to: out, status: 'skipped', reason: 'opted_out', message_id: null },
        { to: held, status: 'skipped', reason: 'held_131049' },
        { to: both, reason: null },
      ]);
      expect(await results(id, '&status=skipped')).toHaveLength(2);
    });

    it('leaves out who opts out while they wait, at once and for good', async () => {
      const id = await running(3, { per_second: 1, send_at: null });
      await steer(id, 'pause');
      const later = await created({ send_at: new Date(Date.now() + hourMs).toISOString() });
      const [out, stays] = [newRecipient(), newRecipient()];
      await add(later, [
        { to: out, variables },
        { to: stays, variables },
      ]);
      await steer(later, 'start');
      const consentOf = (to: string, state: string) =>
        stack.request('/contacts/consent', {
          method: 'PUT',
          body: { phone: to, scope: 'all', state },
        });
      const waiting = (await results(id, '&status=pending'))[0].to;
      await consentOf(waiting, 'opted_out');
      await consentOf(out, 'opted_out');
      await consentOf(out, 'opted_in');
      expect(await results(id, '&status=skipped')).toMatchObject([
        { to: waiting, reason: 'opted_out', message_id: null },
      ]);
      const campaign = await read(later);
      expectBooks(campaign);
      expect(campaign.counts).toMatchObject({ skipped: 1, pending: 1, total: 2 });
      await stack.sql('update campaigns set send_at = now() where id = $1', [later]);
      await becomes(later, 'completed');
      expect(await stack.ledger(out)).toHaveLength(0);
      expect(await stack.ledger(stays)).toHaveLength(1);
      await steer(id, 'cancel');
    });
  });

  describe('pauses by itself', () => {
    const pauses = (id: string, reason: string) =>
      until(async () => {
        const campaign = await read(id);
        return campaign.status === 'paused' && campaign.reason === reason;
      });
    const alerts = (id: string) =>
      stack.sql(`select message, resolved_at from alerts where subject = $1`, [id]);

    it('when its template changes, until somebody resumes it', async () => {
      const id = await running(100, { per_second: 5 });
      await stack.sql(
        `update templates set components = components || '[{"type": "FOOTER", "text": "x"}]'::jsonb,
           updated_at = now() where name = 'paid' and account_id = $1`,
        [installation.accountId],
      );
      await pauses(id, 'template_changed');
      expect(await alerts(id)).toMatchObject([
        { message: expect.stringContaining('resume'), resolved_at: null },
      ]);
      expect((await steer(id, 'resume')).body.data.campaign.status).toBe('running');
      expect((await alerts(id))[0].resolved_at).not.toBeNull();
      await steer(id, 'cancel');
      await sync(operator);
    });

    it('when its template gets one variable more: nobody gets a message that lacks it', async () => {
      const longer = {
        ...definitions.paid,
        components: [{ type: 'BODY', text: 'You paid {{1}} on {{2}} for {{3}} at {{4}}.' }],
      };
      const others = Object.values(definitions).filter(({ name }) => name !== 'paid');
      const id = await running(60, { per_second: 10 });
      await until(async () => (await read(id)).counts.pending < 60);
      await putTemplates(stack, [longer, ...others]);
      await sync(operator);
      await pauses(id, 'template_changed');
      // What was queued has the former variables: WhatsApp refuses it.
      await until(async () => {
        const { released, sending } = (await read(id)).counts;
        return released + sending === 0;
      });
      const pending = (await read(id)).counts.pending;
      expect(pending).toBeGreaterThan(0);
      // The mapping does not fit, so that resuming it does not help.
      await steer(id, 'resume');
      await pauses(id, 'template_changed');
      expect((await read(id)).counts.pending).toBe(pending);
      // Nor have the recipients a value for the new variable.
      await map(operator, keyId, 'paid', {
        ...mapping,
        place: { component: 'body', position: 4, required: true },
      });
      await steer(id, 'resume');
      await becomes(id, 'completed');
      expect((await read(id)).counts).toMatchObject({ skipped: pending, pending: 0 });
      const skipped = await results(id, '&status=skipped');
      expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['invalid_variables']));
      const reached = new Set((await stack.ledger()).map(({ to }) => `+${to}`));
      expect(skipped.filter(({ to }) => reached.has(to))).toEqual([]);
      const failed = await results(id, '&status=failed');
      expect(failed.filter(({ error }) => error.whatsapp_error_code !== 132000)).toEqual([]);
      await putTemplates(stack, Object.values(definitions));
      await sync(operator);
    });

    const reports = (field: string, value: object) =>
      notify(stack, {
        object: 'whatsapp_business_account',
        entry: [
          {
            id: demoNumber.businessAccountId,
            // In whole seconds: the one that begins now.
            time: Math.ceil(Date.now() / 1_000),
            changes: [{ field, value }],
          },
        ],
      });
    const limitIs = (limit: number | string) =>
      reports('business_capability_update', { max_daily_conversations_per_business: limit });

    it('when WhatsApp lowers the messaging limit', async () => {
      const known = (limit: string) =>
        until(async () => {
          const [row] = await stack.sql('select quality_limit from accounts where id = $1', [
            installation.accountId,
          ]);
          return row.quality_limit === limit;
        });
      await limitIs('TIER_10K');
      await known('TIER_10K');
      const id = await running(100, { per_second: 5 });
      await limitIs(100_000);
      await known('100000');
      expect((await read(id)).status).toBe('running');
      await limitIs('TIER_2K');
      await pauses(id, 'messaging_limit');
      await stack.sql('update accounts set quality_event = null, quality_at = null where id = $1', [
        installation.accountId,
      ]);
      expect((await steer(id, 'resume')).body.data.campaign.status).toBe('running');
      await steer(id, 'cancel');
    });

    // Of each: what was read from the number, what was reported, and the report that pauses.
    it.each([
      ['lower than what was read', 'TIER_10K', null, 'TIER_1K'],
      ['as low as what was read already', 'TIER_2K', 'TIER_10K', 'TIER_2K'],
    ])('when WhatsApp reports a limit %s', async (_, found, reported, lowered) => {
      const { accountId } = installation;
      const report = (limit: string | null) =>
        stack.sql(
          `update accounts set quality_event = null, quality_limit = $2, quality_at = null where id = $1`,
          [accountId, limit],
        );
      await report(reported);
      await stack.sql(
        `insert into number_health (account_id, read_at, messaging_limit) values ($1, now(), $2)`,
        [accountId, found],
      );
      const id = await running(100, { per_second: 5 });
      expect((await call('GET', `/${id}/estimate`)).body.data.messaging_limit).toBe(found);
      // In a second of its own: the same limit in the same second would be the same notification.
      const second = () => Math.ceil(Date.now() / 1_000);
      const before = second();
      await until(() => second() > before);
      await limitIs(lowered);
      await pauses(id, 'messaging_limit');
      await steer(id, 'cancel');
      await stack.sql('delete from number_health where account_id = $1', [accountId]);
      await report(null);
    });

    it('each time that WhatsApp restricts the account', async () => {
      const restrict = (days: number) =>
        reports('account_update', {
          event: 'ACCOUNT_RESTRICTION',
          restriction_info: [
            { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: days },
          ],
        });
      const id = await running(100, { per_second: 5 });
      await restrict(1);
      await pauses(id, 'messaging_limit');
      expect((await steer(id, 'resume')).body.data.campaign.status).toBe('running');
      await restrict(2);
      await pauses(id, 'messaging_limit');
      await steer(id, 'cancel');
      // It is of the second that begins now: the next campaign must not begin before it.
      await stack.sql(`delete from alerts where kind = 'account_notice'`);
    });

    it('while its template is paused, and goes on by itself', async () => {
      const id = await running(100, { per_second: 5 });
      const set = (status: string) =>
        stack.sql(`update templates set status = $2 where name = 'paid' and account_id = $1`, [
          installation.accountId,
          status,
        ]);
      await set('PAUSED');
      await pauses(id, 'template_paused');
      await set('APPROVED');
      await until(async () => (await read(id)).status === 'running');
      expect((await alerts(id))[0].resolved_at).not.toBeNull();
      await steer(id, 'cancel');
    });

    it('when too many messages fail', async () => {
      await stack.rules.add({ match: {}, fault: { code: 131026 } });
      const id = await running(120, { per_second: 60, pause_on: { failure_rate: 0.5 } });
      await pauses(id, 'failure_rate');
      const { counts } = await read(id);
      expect(counts.failed).toBeGreaterThanOrEqual(50);
      expect((await results(id, '&code=131026')).length).toBeGreaterThanOrEqual(50);
      await steer(id, 'cancel');
    });

    it('at 90 % of the day of its key, which is never exceeded', async () => {
      ({ id: keyId, key: apiKey } = await addApiKey(stack, { dailyLimit: 40 }));
      await map(operator, keyId, 'paid', mapping);
      const id = await created();
      await add(id, recipients(60));
      await steer(id, 'start');
      await pauses(id, 'daily_limit');
      const [{ used }] = await stack.sql('select used from api_key_usage where api_key_id = $1', [
        keyId,
      ]);
      expect(used).toBeLessThanOrEqual(36);
      expectBooks(await read(id));
      await steer(id, 'cancel');
    });

    it('when its key or its account may not send any more', async () => {
      const id = await running(100, { per_second: 5 });
      await stack.sql('update api_keys set suspended_at = now() where id = $1', [keyId]);
      await until(async () => {
        const [row] = await stack.sql('select reason from campaigns where id = $1', [id]);
        return row.reason === 'key_not_active';
      });
    });
  });

  it('tries those again whose message has failed, each in one retry only', async () => {
    await stack.rules.add({ match: {}, fault: { code: 131026 }, times: 3 });
    const id = await running(5);
    await becomes(id, 'completed');
    await until(async () => (await read(id)).counts.failed === 3);
    expect((await call('POST', `/${id}/retry`, { codes: [131000] })).body.error.code).toBe(
      'CAMPAIGN_STATE',
    );
    const { campaign } = (await call('POST', `/${id}/retry`, { codes: [131026] })).body.data;
    expect(campaign).toMatchObject({ status: 'draft', retry_of: id, counts: { total: 3 } });
    for (const body of [{}, undefined]) {
      expect((await call('POST', `/${id}/retry`, body)).body.error.code).toBe('CAMPAIGN_STATE');
    }
    await steer(campaign.id, 'start');
    await becomes(campaign.id, 'completed');
  });

  it('sends to the rest of a cancelled campaign, once it is cancelled', async () => {
    const id = await running(40, { per_second: 5 });
    const retry = async (body: object) => (await call('POST', `/${id}/retry`, body)).body;
    expect((await retry({ who: 'rest' })).error.code).toBe('CAMPAIGN_STATE');
    await steer(id, 'cancel');
    const refused = [{ who: 'rest', codes: [131026] }, { who: 'all' }];
    const fields = [];
    for (const body of refused) fields.push(Object.keys((await retry(body)).error.details.fields));
    expect(fields).toEqual([['codes'], ['who']]);
    const { cancelled } = (await read(id)).counts;
    const { campaign } = (await retry({ who: 'rest', codes: null })).data;
    expect(campaign).toMatchObject({ retry_of: id, counts: { total: cancelled } });
    const [{ twice }] = await stack.sql(
      `select count(*)::int as twice from campaign_recipients r
       join campaign_recipients o on o.campaign_id = $1 and o.address = r.address
       join messages m on m.id = o.message_id and m.status <> 'cancelled' where r.campaign_id = $2`,
      [id, campaign.id],
    );
    expect(twice).toBe(0);
    await steer(campaign.id, 'cancel');
  });

  it('keeps its results when its messages are deleted', async () => {
    const id = await running(3);
    await becomes(id, 'completed');
    await until(async () => (await read(id)).counts.sending === 0);
    const [before, counts] = [await results(id), (await read(id)).counts];
    await stack.sql(
      `update campaign_recipients set released_at = now() - interval '60 days' where campaign_id = $1`,
      [id],
    );
    await stack.sql(`update periodic_work set next_run_at = now() where name = 'campaign-results'`);
    await until(async () => {
      const [row] = await stack.sql(
        'select count(result)::int as kept from campaign_recipients where campaign_id = $1',
        [id],
      );
      return row.kept === 3;
    });
    await stack.sql('delete from messages where campaign_id = $1', [id]);
    const kept = await results(id);
    expect(kept.map(({ status, message_id }) => [status, message_id])).toEqual(
      before.map(({ status, message_id }) => [status, message_id]),
    );
    expect(kept[0].sent_at).toBe(before[0].sent_at);
    expect((await read(id)).counts).toEqual(counts);
  });

  it('is listed as it was counted last once it has ended, and read as it is', async () => {
    const id = await running(2);
    await becomes(id, 'completed');
    const listed = async () => {
      const { campaigns } = (await call('GET', '')).body.data;
      return campaigns.find((campaign: any) => campaign.id === id).counts;
    };
    const count = () =>
      stack.sql(`update periodic_work set next_run_at = now() where name = 'campaign-counts'`);
    const stored = async () => {
      const [row] = await stack.sql(
        `select counts is not null as is from campaigns where id = $1`,
        [id],
      );
      return row.is;
    };
    await until(async () => (await read(id)).counts.sent === 2);
    expect(await listed()).toEqual((await read(id)).counts);
    // Again until it is there: a count that was under way meanwhile plans the next one by itself.
    await until(async () => {
      await count();
      return stored();
    });
    await stack.sql(
      `update messages set status = 'failed', receipt = null where campaign_id = $1`,
      [id],
    );
    expect((await read(id)).counts).toMatchObject({ failed: 2, total: 2 });
    expect(await listed()).toMatchObject({ sent: 2, failed: 0, total: 2 });
    await stack.sql(
      `update campaigns set counted_at = now() - interval '1 hour', ended_at = now() - interval '2 hours'
       where id = $1`,
      [id],
    );
    await until(async () => {
      await count();
      return (await listed()).failed === 2;
    });
  });

  it('gives its results as a file', async () => {
    const id = await created();
    await add(id, [{ to: newRecipient(), variables, reference: '=1+1' }]);
    await steer(id, 'start');
    await becomes(id, 'completed');
    const { text } = await call('GET', `/${id}/recipients`, undefined, {
      headers: { Accept: 'text/csv' },
    });
    const [head, row] = text.split(/\r?\n/);
    expect(head).toBe(
      'to,to_user_id,reference,status,reason,error_code,message_id,released_at,sent_at,delivered_at,read_at,failed_at',
    );
    expect(row).toMatch(/^\+\d+,,'=1\+1,/);
  });
});
