import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { type Answer, newRecipient, Stack } from '../support/stack.js';
import {
  definitions,
  map,
  paidMapping as mapping,
  putTemplates,
  sync,
  paidVariables as variables,
} from '../support/templates.js';
import { until } from '../support/until.js';

/** Some times the connections of a process. */
const many = 48;

describe('many requests at once that wait for one lock', () => {
  let stack: Stack;
  let locks: Client;

  beforeAll(async () => {
    stack = await Stack.start();
    const operator = await Dashboard.signIn(stack);
    await putTemplates(stack, Object.values(definitions));
    await sync(operator);
    const [key] = await stack.sql('select id from api_keys');
    await map(operator, key.id, 'paid', mapping);
    locks = new Client({ connectionString: stack.databaseUrl, application_name: 'test' });
    await locks.connect();
  });

  afterEach(() => locks.query('rollback'));
  afterAll(async () => {
    await locks?.end();
    await stack?.stop();
  });

  const call = (path: string, body: object = {}, options = {}) =>
    stack.request(path, { method: 'POST', body, ...options });
  const made = async () =>
    (await call('/campaigns', { name: 'Spring', template_name: 'paid', language: 'en_US' })).body
      .data.campaign.id as string;
  const atOnce = <T>(work: () => Promise<T>) => Array.from({ length: many }, () => work());
  const upload = (id: string, options = {}) =>
    call(
      `/campaigns/${id}/recipients`,
      { recipients: [{ to: newRecipient(), variables }] },
      options,
    );
  const cancel = (id: string) => call(`/campaigns/${id}/cancel`);
  const statuses = async (answers: Promise<Answer>[]) =>
    new Set((await Promise.all(answers)).map(({ status }) => status));
  /** Statements of the product that wait for a lock, each with a connection in hand. */
  const waiting = async () =>
    (
      await stack.sql(
        `select from pg_stat_activity
         where datname = current_database() and application_name = 'parley' and wait_event_type = 'Lock'`,
      )
    ).length;
  const lock = async (statement: string, values: unknown[]) => {
    await locks.query('begin');
    await locks.query(statement, values);
  };
  /** Holds what the requests wait for, and sees that another one is answered meanwhile, by the same process. */
  async function expectOneConnection(answers: () => Promise<Answer>[]): Promise<void> {
    const other = await made();
    const asked = answers();
    await until(async () => (await waiting()) > 0);
    expect(await cancel(other)).toMatchObject({ status: 200 });
    expect(await waiting()).toBe(1);
    await locks.query('rollback');
    expect(await statuses(asked)).toEqual(new Set([200]));
  }

  it('adds recipients to many campaigns', async () => {
    const ids = await Promise.all(atOnce(made));
    expect(await statuses(ids.map((id) => upload(id)))).toEqual(new Set([200]));
  });

  it('adds recipients to one campaign, with one connection', async () => {
    const id = await made();
    await lock('select from campaigns where id = $1 for update', [id]);
    await expectOneConnection(() => atOnce(() => upload(id)));
    const { counts } = (await stack.get(`/campaigns/${id}`)).body.data.campaign;
    expect(counts.total).toBe(many);
  });

  it('answers the repetitions of one upload, with one connection', async () => {
    const id = await made();
    const headers = { 'Idempotency-Key': randomUUID() };
    const recipients = [{ to: newRecipient(), variables }];
    const repeated = () => call(`/campaigns/${id}/recipients`, { recipients }, { headers });
    await lock('select from campaigns where id = $1 for update', [id]);
    const asked: Promise<Answer>[] = [];
    await expectOneConnection(() => {
      asked.push(...atOnce(repeated));
      return asked;
    });
    const answers = await Promise.all(asked);
    expect(answers.filter((one) => !one.headers.has('idempotency-replayed'))).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.data.added))).toEqual(new Set([1]));
  });

  it.each([
    ['consents', () => stack.request('/contacts/consent', { method: 'PUT', body: consent() })],
    ['imports of consents', () => call('/contacts/consent/import', { items: [consent()] })],
  ])('records %s of one account, with one connection', async (_, record) => {
    const account = `${installation.accountId} live`;
    await lock('select pg_advisory_xact_lock(7242, hashtext($1))', [account]);
    await expectOneConnection(() => atOnce(record));
  });

  const consent = () => ({ phone: newRecipient(), scope: 'marketing', state: 'opted_out' });
});
