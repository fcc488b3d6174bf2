import { request } from 'node:http';
import { connect } from 'node:net';
import { Client } from 'pg';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard, newUser, password } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const head =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\n';

describe('who asks for much', () => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
  });

  afterAll(() => stack?.stop());

  /** Begins an upload that does not end. @returns its status, once it is answered, and what ends it. */
  function slowUpload(apiKey: string) {
    const upload = { status: 0, end: () => {} };
    const outgoing = request(`${stack.apis[0]?.url}/api/v1/external/media`, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'multipart/form-data; boundary=b' },
    });
    outgoing.on('response', (answer) => {
      upload.status = answer.statusCode ?? 0;
      answer.resume();
    });
    outgoing.on('error', () => {});
    upload.end = () => outgoing.destroy();
    outgoing.write(head);
    return upload;
  }

  it('holds all free places for uploads, and the others upload all the same', async () => {
    const greedy = Array.from({ length: 20 }, () => slowUpload(installation.apiKey));
    try {
      // Those beyond the places are refused after a while: then the others hold them.
      await until(() => greedy.filter(({ status }) => status === 503).length >= 4);
      const { key } = await addApiKey(stack, { accountId: await addAccount(stack) });
      const uploaded = await fetch(`${stack.apis[0]?.url}/api/v1/external/media`, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'multipart/form-data; boundary=b' },
        body: `${head}\r\n--b--\r\n`,
      });
      expect(uploaded.status).not.toBe(503);
    } finally {
      for (const { end } of greedy) end();
    }
  });

  it('connects a thousand times while the process is busy, and nobody waits for a place', async () => {
    const [api] = stack.apis;
    const { port } = new URL(api?.url ?? '');
    process.kill(api?.pid ?? 0, 'SIGSTOP');
    const sockets = Array.from({ length: 1_000 }, () => connect(Number(port), '127.0.0.1'));
    try {
      // The system connects them. A process that has places for 511 leaves the others to ask again, until it goes on.
      await until(() => sockets.every(({ connecting }) => !connecting));
    } finally {
      process.kill(api?.pid ?? 0, 'SIGCONT');
      for (const socket of sockets) socket.destroy();
    }
  });

  /** How many reads of deliveries wait for a lock. The worker's own statements may wait, too. */
  async function countWaiting(): Promise<number> {
    const [{ waiting }] = await stack.sql(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'
         and query like '%from open_events d%'`,
    );
    return waiting;
  }

  /** A new user, and a connection that keeps everybody from reading deliveries until it is rolled back. */
  async function lockDeliveries() {
    const { user } = await operator.get('POST', '/users', newUser());
    const client = new Client(stack.databaseUrl);
    await client.connect();
    await client.query('begin');
    await client.query('lock table done_events in access exclusive mode');
    return { client, greedy: await Dashboard.signIn(stack, user.email, password) };
  }

  it('waits for the database in the dashboard, and others work on', async () => {
    const { client, greedy } = await lockDeliveries();
    try {
      const asked = Array.from({ length: 20 }, () => greedy.call('GET', '/webhook-deliveries'));
      await until(async () => (await countWaiting()) >= 6);
      expect((await operator.call('GET', '/users')).status).toBe(200);
      const ready = await fetch(`${stack.apis[0]?.url}/health/ready`);
      expect(ready.status).toBe(200);
      await client.query('rollback');
      const answers = await Promise.all(asked);
      const refused = answers.filter(({ status }) => status !== 200);
      for (const { status, body } of refused) {
        expect([status, body.error.details.reason]).toEqual([503, 'too_many_requests']);
      }
    } finally {
      await client.end();
    }
  });

  it('searches deliveries one search at a time, and others search beside it', async () => {
    const { client, greedy } = await lockDeliveries();
    try {
      const search = '/webhook-deliveries?phone=%2B14155550123';
      const asked = Array.from({ length: 4 }, () => greedy.call('GET', search));
      await until(async () => (await countWaiting()) >= 1);
      const other = operator.call('GET', search);
      await until(async () => (await countWaiting()) >= 2);
      expect(await countWaiting()).toBe(2);
      await client.query('rollback');
      const answers = await Promise.all([...asked, other]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    } finally {
      await client.end();
    }
  });
});
