import { randomBytes } from 'node:crypto';
import { Dashboard } from '../support/dashboard.js';
import { TestDatabase } from '../support/database.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

describe('a database that stops accepting our login', () => {
  let database: TestDatabase;
  let stack: Stack;
  const role = `role_${randomBytes(6).toString('hex')}`;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    await database.sql(`create role ${role} superuser login password 'first'`);
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'first'];
    stack = await Stack.start({ databaseUrl: url.href, workers: 0 });
    // From now on, each process has cached what it learns only once.
    await stack.get('/messages');
  });

  afterAll(async () => {
    await stack?.stop();
    await database.sql(`drop role ${role}`);
    await database.drop();
  });

  const disconnect = () =>
    database.sql(
      'select pg_terminate_backend(pid) from pg_stat_activity where starts_with(usename, $1)',
      [role],
    );

  it.each([
    ['whose role may not log in', `alter role ${role} nologin`, `alter role ${role} login`],
    [
      'whose role is gone',
      `alter role ${role} rename to ${role}_away`,
      `alter role ${role}_away rename to ${role}`,
    ],
  ])('counts as down for callers: %s', async (_, refuse, admit) => {
    await database.sql(refuse);
    await disconnect();
    const operator = new Dashboard(stack);
    const cookie = `parley_session_00000000=${'A'.repeat(43)}`;
    const answers = [
      await stack.send('button', buttonMessage(), { Prefer: 'respond-async' }),
      await stack.get('/messages'),
      await operator.call('GET', '/session', undefined, { headers: { Cookie: cookie } }),
      await operator.call('POST', '/session', { email: 'a@b.c', password: 'wrong' }),
    ];
    // A cookie of another name is ignored, without a look-up.
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 401, 503]);
    expect(answers[0]?.body.error).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { reason: 'store_unavailable' },
    });
    await database.sql(admit);
    await until(async () => (await stack.get('/messages')).status === 200);
  });
});
