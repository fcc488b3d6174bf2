import { Dashboard, newUser, password } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';

const browser = 'Mozilla/5.0 (a browser of the tests)';

describe('the sessions of a user', () => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
  });

  beforeEach(() => stack.sql('delete from attempt_counters'));

  afterAll(() => stack?.stop());

  /** A user who is signed in some times. */
  async function somebody(times: number, change: Record<string, unknown> = {}) {
    const { user } = await operator.get('POST', '/users', newUser(change));
    const credentials = { email: user.email, password };
    const sessions: Dashboard[] = [];
    for (let time = 0; time < times; time += 1) {
      const one = new Dashboard(stack);
      await one.call('POST', '/session', credentials, { headers: { 'User-Agent': browser } });
      sessions.push(one);
    }
    return { id: user.id as string, email: user.email, sessions };
  }

  const anAdministrator = { role: 'administrator', account_id: installation.accountId };
  const statusesOf = (sessions: readonly Dashboard[]) =>
    Promise.all(sessions.map(async (one) => (await one.call('GET', '/session')).status));

  it('are listed with where they began, and none of their secrets', async () => {
    const { id, sessions } = await somebody(2, anAdministrator);
    const answer = await sessions[0]!.call('GET', `/users/${id}/sessions`);
    const listed = answer.body.data.sessions;
    expect(listed).toHaveLength(2);
    for (const one of listed) {
      expect(one).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        address: '127.0.0.1',
        user_agent: browser,
        is_current: expect.any(Boolean),
      });
    }
    expect(listed.filter((one: any) => one.is_current)).toHaveLength(1);
    const at = `/users/${id}/sessions?limit=1`;
    const first = await sessions[0]!.get('GET', at);
    const second = await sessions[0]!.get('GET', `${at}&cursor=${first.next_cursor}`);
    expect([...first.sessions, ...second.sessions].map((one) => one.id)).toEqual(
      listed.map((one: any) => one.id),
    );
    expect(second.next_cursor).toBeNull();
    const stored = await stack.sql(
      `select encode(digest, 'hex') as hex, encode(digest, 'base64') as base64 from sessions
       where user_id = $1`,
      [id],
    );
    for (const { hex, base64 } of stored) {
      expect(answer.text).not.toContain(hex);
      expect(answer.text).not.toContain(base64);
    }
  });

  it('are listed as long as they go on, also those that the version before began', async () => {
    const { id } = await somebody(3);
    await stack.sql(
      `update sessions set id = null, address = null, user_agent = null where user_id = $1`,
      [id],
    );
    await stack.sql(
      `update sessions set last_seen_at = now() - interval '31 minutes'
       where digest = (select min(digest) from sessions where user_id = $1)`,
      [id],
    );
    await stack.sql(
      `update sessions set expires_at = now() - interval '1 second'
       where digest = (select max(digest) from sessions where user_id = $1)`,
      [id],
    );
    const { sessions } = await operator.get('GET', `/users/${id}/sessions`);
    expect(sessions).toMatchObject([{ id: expect.any(String), address: null, user_agent: null }]);
    await operator.get('DELETE', `/users/${id}/sessions/${sessions[0].id}`);
    expect((await operator.get('GET', `/users/${id}/sessions`)).sessions).toEqual([]);
  });

  it('end one by one', async () => {
    const { id, sessions } = await somebody(2, anAdministrator);
    const [one, other] = sessions as [Dashboard, Dashboard];
    const { sessions: listed } = await one.get('GET', `/users/${id}/sessions`);
    const path = `/users/${id}/sessions/${listed.find((each: any) => !each.is_current).id}`;
    expect(await one.get('DELETE', path)).toEqual({ sessions_ended: 1 });
    expect(await statusesOf([one, other])).toEqual([200, 401]);
    expect((await one.call('DELETE', path)).status).toBe(404);
  });

  it('end together, but for the one that asks', async () => {
    const { id, sessions } = await somebody(3, anAdministrator);
    expect(await sessions[1]!.get('DELETE', `/users/${id}/sessions`)).toEqual({
      sessions_ended: 2,
    });
    expect(await statusesOf(sessions)).toEqual([401, 200, 401]);
  });

  it('are ended by operators for everybody', async () => {
    const { id, sessions } = await somebody(2);
    expect(await operator.get('DELETE', `/users/${id}/sessions`)).toEqual({ sessions_ended: 2 });
    expect(await statusesOf([...sessions, operator])).toEqual([401, 401, 200]);
  });

  it.each(['GET', 'DELETE'])(
    'are closed to administrators of the same account: %s',
    async (method) => {
      const { sessions } = await somebody(1, anAdministrator);
      const colleague = await somebody(1, anAdministrator);
      const answer = await sessions[0]!.call(method, `/users/${colleague.id}/sessions`);
      expect(answer.status).toBe(404);
      expect(await statusesOf(colleague.sessions)).toEqual([200]);
    },
  );

  it('are not ended under the name of another user', async () => {
    const [one, other] = [await somebody(1), await somebody(1, anAdministrator)];
    const { sessions } = await operator.get('GET', `/users/${one.id}/sessions`);
    const path = `/users/${other.id}/sessions/${sessions[0].id}`;
    expect((await other.sessions[0]!.call('DELETE', path)).status).toBe(404);
    expect(await statusesOf(one.sessions)).toEqual([200]);
  });

  it('leave behind when the user last signed in', async () => {
    const { id, sessions } = await somebody(0);
    expect(sessions).toEqual([]);
    const find = async () => {
      const { users } = await operator.get('GET', '/users');
      return users.find((user: any) => user.id === id);
    };
    const { email, last_sign_in_at: before } = await find();
    expect(before).toBeNull();
    await Dashboard.signIn(stack, email, password);
    await new Dashboard(stack).call('POST', '/session', { email, password: 'wrong' });
    const [started] = (await operator.get('GET', `/audit-log?subject_id=${id}`)).entries.filter(
      ({ action }: any) => action === 'session.started',
    );
    const late = Date.parse((await find()).last_sign_in_at) - Date.parse(started.at);
    expect(Math.abs(late)).toBeLessThan(10_000);
  });
});
