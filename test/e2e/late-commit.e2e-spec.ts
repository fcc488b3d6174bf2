import { Client } from 'pg';
import { TestDatabase } from '../support/database.js';
import { GraphProgram, graphMessage } from '../support/graph.js';
import { Link } from '../support/link.js';
import { freePort } from '../support/server-process.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

/**
 * The unnoticed commit: the connection breaks, the server goes on with the statement
 * anyway, and by the time it commits the caller has an answer that nothing was sent.
 */
describe('a commit that comes after its connection was lost', () => {
  let database: TestDatabase;
  let link: Link;
  let stack: Stack;
  let locks: Client;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    link = new Link(await freePort());
    link.target = Number(new URL(database.url).port);
    await link.join();
    const databaseUrl = Object.assign(new URL(database.url), { port: link.port }).href;
    stack = await Stack.start({ databaseUrl });
    locks = new Client({ connectionString: database.url, application_name: 'test' });
    await locks.connect();
  }, 30_000);

  afterAll(async () => {
    await locks.end();
    await stack.stop();
    link.cut();
    await database.drop();
  });

  /** The server process that waits for a lock of ours in the middle of accepting a message; upkeep may wait, too. */
  async function findAccepting(): Promise<number | undefined> {
    const [backend] = await database.sql<{ pid: number }>(
      `select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where l.relation = 'idempotency_keys'::regclass and not l.granted
         and a.application_name = 'parley hot' and a.datname = current_database()`,
    );
    return backend?.pid;
  }

  async function isAlive(pid: number): Promise<boolean> {
    return (await database.sql('select from pg_stat_activity where pid = $1', [pid])).length > 0;
  }

  it('sends nothing, and the repetition sends once', async () => {
    const message = buttonMessage({ to: newRecipient() });
    const send = () => stack.send('button', message, { 'Idempotency-Key': 'late' });
    await locks.query('begin; lock table idempotency_keys in share mode');
    const refused = send();
    const pid = await until(findAccepting);
    link.cut();
    await link.join();
    const { status, body } = await refused;
    await locks.query('rollback');
    await until(async () => !(await isAlive(pid)));

    expect(status).toBe(503);
    // On a slow machine PostgreSQL may notice that the connection is gone before it can commit: then there is no row.
    const withdrawn = { id: body.error.details?.message_id, status: 'failed' };
    for (const row of await database.sql('select id, status from messages'))
      expect(row).toEqual(withdrawn);
    const repeated = await until(async () => {
      const answer = await send();
      return answer.status === 200 && answer.body.data;
    });
    expect(repeated.message_id).not.toBe(body.error.details?.message_id);
    expect(await stack.ledger(message.to as string)).toHaveLength(1);
  }, 60_000);

  it('is no "not sent" for programs that speak WhatsApp’s own API and repeat it', async () => {
    const program = await GraphProgram.with(stack, {}, database);
    const to = newRecipient();
    await locks.query('begin; lock table idempotency_keys in share mode');
    const answer = program.send(graphMessage(to));
    await until(findAccepting);
    link.cut();
    const { status, body } = await answer;
    await locks.query('rollback');
    await link.join();

    expect([status, body.error.code, body.error.is_transient]).toEqual([409, 131000, false]);
    expect(body.error.error_data.details).toMatch(
      /^MESSAGE_SEND_FAILED: unconfirmed [\da-f-]{36}$/,
    );
  }, 60_000);

  it('cannot come where no connection was there: nothing was sent', async () => {
    const program = await GraphProgram.with(stack, {}, database);
    await program.send(graphMessage(newRecipient()));
    link.cut();
    const { status, body } = await program.send(graphMessage(newRecipient()));
    await link.join();
    expect([status, body.error.code, body.error.is_transient]).toEqual([503, 131016, true]);
  }, 60_000);
});
