import { Dashboard, newAccount } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { notify } from '../support/webhooks.js';

const number = { phone_number_id: '300000000000901', business_account_id: '400000000000901' };
const accessToken = 'access-token-of-number-health';
const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

describe('the health of a number', () => {
  let stack: Stack;
  let operator: Dashboard;
  let id: string;

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
    const given = newAccount({ ...number, access_token: accessToken });
    id = (await operator.get('POST', '/accounts', given)).account.id;
  });

  afterAll(() => stack?.stop());
  afterEach(() => stack.rules.clear());

  const health = async () => (await operator.get('GET', `/accounts/${id}`)).account.health;
  const history = (query = '') => operator.get('GET', `/accounts/${id}/health-history${query}`);
  const newest = async () => {
    const { field, before, after } = (await history()).changes[0];
    return [field, before, after];
  };
  const set = (fields: object) => stack.control('PUT', 'numbers', { ...number, ...fields });
  const token = (fields: object) =>
    stack.control('PUT', 'tokens', { access_token: accessToken, ...fields });
  const alerts = async (state = 'open') =>
    (await operator.get('GET', `/alerts?account_id=${id}&state=${state}`)).alerts;
  const openKinds = async () => (await alerts()).map(({ kind }: { kind: string }) => kind);
  const begin = () =>
    stack.sql(`update periodic_work set next_run_at = now() where name = 'number-health'`);
  /** Waits for a round of the worker that began later. */
  const reading = async () => {
    const before = (await health())?.read_at;
    await begin();
    await until(async () => (await health())?.read_at !== before);
  };

  it('is not known before anything was read, and has no history', async () => {
    expect(await health()).toBeNull();
    expect(await history()).toEqual({ changes: [], next_cursor: null });
  });

  it('is read without asking once the account is verified', async () => {
    await stack.sql('update accounts set verified_at = now() where id = $1', [id]);
    await reading();
    const expected = {
      read_at: expect.any(String),
      quality: 'GREEN',
      messaging_limit: 'TIER_UNLIMITED',
      name_status: 'APPROVED',
      verified_name: 'Simulated Business',
      token_valid: true,
      token_expires_at: null,
    };
    expect(await health()).toEqual(expected);
    const { accounts } = await operator.get('GET', '/accounts');
    expect(accounts.find((account: any) => account.id === id).health).toEqual(expected);
    const { changes } = await history();
    expect(new Set(changes.map(({ field }: any) => field))).toEqual(
      new Set(['quality', 'messaging_limit', 'name_status', 'verified_name', 'token']),
    );
  });

  it('has a history of what changes, and only of that', async () => {
    const before = (await history()).changes.length;
    await reading();
    expect((await history()).changes).toHaveLength(before);
    await set({ name_status: 'PENDING_REVIEW' });
    await reading();
    expect((await history()).changes).toHaveLength(before + 1);
    expect(await newest()).toEqual(['name_status', 'APPROVED', 'PENDING_REVIEW']);
  });

  it('is also stored when an operator asks, and with the checklist', async () => {
    await set({ messaging_limit: 'TIER_2K' });
    await operator.get('POST', `/accounts/${id}/check`);
    expect(await newest()).toEqual(['messaging_limit', 'TIER_UNLIMITED', 'TIER_2K']);
    await set({ messaging_limit: 'TIER_10K' });
    await operator.get('GET', `/accounts/${id}/checklist`);
    expect(await newest()).toEqual(['messaging_limit', 'TIER_2K', 'TIER_10K']);
  });

  it('alerts to a low quality until it is better', async () => {
    await set({ quality_rating: 'RED' });
    await reading();
    expect(await openKinds()).toEqual(['number_quality']);
    await set({ quality_rating: 'YELLOW' });
    await reading();
    expect(await openKinds()).toEqual([]);
    expect(await newest()).toEqual(['quality', 'RED', 'YELLOW']);
  });

  it('alerts to a token that ends soon, once, until there is a later end', async () => {
    const soon = inDays(13);
    await token({ expires_at: soon });
    await reading();
    expect(await alerts()).toMatchObject([
      { kind: 'token_expiring', details: { expires_at: iso(soon) } },
    ]);
    expect((await health()).token_expires_at).toBe(iso(soon));
    const [{ id: alertId }] = await alerts();
    await operator.get('POST', `/alerts/${alertId}/resolve`);
    await reading();
    expect(await openKinds()).toEqual([]);
    await token({ expires_at: inDays(5) });
    await reading();
    expect(await openKinds()).toEqual(['token_expiring']);
    await token({ expires_at: inDays(60) });
    await reading();
    expect(await openKinds()).toEqual([]);
  });

  it('alerts to a token that WhatsApp no longer accepts', async () => {
    await token({ expires_at: 1 });
    await reading();
    expect(await openKinds()).toEqual(['token_refused']);
    expect(await health()).toMatchObject({ token_valid: false, quality: 'YELLOW' });
    await token({});
    await reading();
    expect(await openKinds()).toEqual([]);
    expect(await newest()).toEqual(['token', 'invalid', 'never']);
  });

  it('is as it was for an account whose number does not answer, and read for the others', async () => {
    const other = { phone_number_id: '300000000000902', business_account_id: '400000000000902' };
    const { account } = await operator.get('POST', '/accounts', newAccount(other));
    await stack.sql('update accounts set verified_at = now() where id = $1', [account.id]);
    await stack.sql(`update accounts set access_token = 'unreadable' where id = $1`, [
      installation.accountId,
    ]);
    await stack.rules.add({
      match: { type: 'management', phone_number_id: number.phone_number_id },
      fault: 'drop',
    });
    await set({ quality_rating: 'GREEN' });
    await begin();
    await until(
      async () => (await operator.get('GET', `/accounts/${account.id}`)).account.health !== null,
    );
    expect(await health()).toMatchObject({ quality: 'YELLOW', token_valid: true });
  });

  it('has what WhatsApp reports by itself in the same history', async () => {
    const time = () => Math.ceil(Date.now() / 1_000);
    const report = (field: string, value: object) =>
      notify(stack, {
        object: 'whatsapp_business_account',
        entry: [{ id: number.business_account_id, time: time(), changes: [{ field, value }] }],
      });
    const has = (...change: unknown[]) =>
      until(async () =>
        (await history()).changes.some(
          ({ field, before, after }: any) =>
            JSON.stringify([field, before, after]) === JSON.stringify(change),
        ),
      );
    await report('business_capability_update', { max_daily_conversations_per_business: 'TIER_2K' });
    await has('messaging_limit', 'TIER_10K', 'TIER_2K');
    // A lower limit is what WhatsApp calls a downgrade.
    await has('quality_event', null, 'DOWNGRADE');
    expect((await health()).messaging_limit).toBe('TIER_2K');
    const display_phone_number = (await operator.get('GET', `/accounts/${id}`)).account
      .display_phone_number;
    await report('phone_number_quality_update', {
      display_phone_number,
      event: 'FLAGGED',
      current_limit: 'TIER_2K',
    });
    await has('quality_event', 'DOWNGRADE', 'FLAGGED');
  });

  it('keeps the newest 100 changes, in pages', async () => {
    await stack.sql(
      `insert into number_health_changes (id, account_id, field, after)
       select new_id(), $1, 'quality', 'GREEN' from generate_series(1, 150)`,
      [id],
    );
    await set({ name_status: 'DECLINED' });
    await operator.get('POST', `/accounts/${id}/check`);
    const first = await history('?limit=60');
    const second = await history(`?limit=60&cursor=${first.next_cursor}`);
    expect([first.changes.length, second.changes.length]).toEqual([60, 40]);
    expect(second.next_cursor).toBeNull();
    expect(first.changes[0]).toMatchObject({ field: expect.any(String), at: expect.any(String) });
    const ids = [...first.changes, ...second.changes].map((change: any) => change.id);
    expect(new Set(ids).size).toBe(100);
  });

  it.each([['limit=0'], ['limit=101'], ['cursor=nothing']])('takes no %s', async (query) => {
    const path = `/accounts/${id}/health-history?${query}`;
    expect((await operator.call('GET', path)).status).toBe(400);
  });

  it('is not found for an account that is not there', async () => {
    for (const unknown of ['nothing', '01a1fe24-d4ba-71e8-a502-760746519a21']) {
      expect((await operator.call('GET', `/accounts/${unknown}/health-history`)).status).toBe(404);
    }
  });
});
