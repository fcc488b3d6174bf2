import { TestDatabase } from '../support/database.js';
import { stores } from '../support/installation.js';
import { until } from '../support/npm-start.js';
import { Stack } from '../support/stack.js';

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
      expect(await read('live')).toEqual([200, { status: 'ok' }]);
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

  it('of the worker’s port answers no external API', async () => {
    const response = await fetch(`${stack.workers[0]?.url}/api/v1/external/messages`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
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
