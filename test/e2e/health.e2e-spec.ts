import { version } from '../../src/config/version.js';
import { TestDatabase } from '../support/database.js';
import { stores } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

describe.each(stores)('health over %s', (store) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ store, own: true });
  });

  afterAll(() => stack?.stop());

  it.each(['API', 'worker'])(
    'of the %s is live and ready, and reports nothing more',
    async (name) => {
      const server = name === 'API' ? stack.apis[0] : stack.workers[0];
      const read = async (route: string) => {
        const response = await fetch(`${server?.url}/health/${route}`);
        return [response.status, await response.json()];
      };
      expect(await read('live')).toEqual([200, { status: 'ok', version }]);
      expect(await read('ready')).toEqual([
        200,
        {
          status: 'ok',
          process: 'up',
          database: 'up',
          redis: store === 'redis' ? 'up' : 'off',
          migrations: 'up',
        },
      ]);
    },
  );

  it('of the API tells the version to its own machine alone', async () => {
    const live = async (headers: Record<string, string>) => {
      const response = await fetch(`${stack.apis[0]?.url}/health/live`, { headers });
      return [response.status, await response.json()];
    };
    expect(await live({ 'X-Forwarded-For': '127.0.0.1' })).toEqual([200, { status: 'ok' }]);
    expect(await live({ Via: '1.1 proxy' })).toEqual([200, { status: 'ok' }]);
    expect(await live({})).toEqual([200, { status: 'ok', version }]);
  });

  it('comes with a log whose first line alone says which version runs', async () => {
    const servers = [...stack.apis, ...stack.workers];
    // Lines are gathered before they are written, so they can come after the first answers.
    await until(async () => servers.every(({ output }) => output.includes('\n')));
    for (const { output } of servers) {
      const [first, ...others] = output.trimEnd().split('\n');
      const facts = { version, node_version: process.versions.node };
      expect(JSON.parse(first ?? '')).toMatchObject(facts);
      expect(others.join('\n')).not.toContain('node_version');
    }
  });

  it('of the worker’s port answers no external API', async () => {
    const response = await fetch(`${stack.workers[0]?.url}/api/v1/external/messages`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  it('is 503 with the reason where the database cannot write because its disk is full', async () => {
    await stack.sql(
      `create function refuse_full() returns trigger language plpgsql as $$
       begin raise sqlstate '53100' using message = 'could not extend file'; end $$`,
    );
    await stack.sql(
      'create trigger full_disk before insert on messages execute function refuse_full()',
    );
    const sent = await stack.send('button', buttonMessage());
    expect(sent.status).toBe(503);
    const answer = await fetch(`${stack.apis[0]?.url}/health/ready`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { database: 'disk_full' }]);
    await stack.sql('drop function refuse_full cascade');
  });

  it('is 503 on both while the database refuses, and 200 when it takes them again', async () => {
    const name = new URL(stack.databaseUrl).pathname.slice(1);
    const admin = await TestDatabase.clone('migrated');
    const servers = [...stack.apis, ...stack.workers];
    const allAre = (status: number) => async () => {
      const states = await Promise.all(servers.map((server) => server.health('ready')));
      return states.every((state) => state === status);
    };
    await admin.sql(`alter database ${name} allow_connections false`);
    await admin.sql('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      name,
    ]);
    await until(allAre(503));
    for (const server of servers) expect(await server.health('live')).toBe(200);
    await admin.sql(`alter database ${name} allow_connections true`);
    await until(allAre(200));
    await admin.drop();
  });
});
