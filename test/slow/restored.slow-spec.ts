import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { hourMs } from '#libs/durations';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { checkout } from '../support/npm-start.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import {
  definitions,
  map,
  paidMapping,
  putTemplates,
  sync,
  paidVariables as variables,
} from '../support/templates.js';
import { until } from '../support/until.js';

const perSecond = 10;

/** The original sends on after the copy was made; the copy is started later, with processes of its own. */
describe('a database that is restored from a copy', () => {
  let original: TestDatabase;
  let copy: TestDatabase;
  let stack: Stack;
  let apiKey: string;
  let operator: Dashboard;

  afterAll(async () => {
    await stack?.stop();
    await original?.drop();
    await copy?.drop();
  });

  const call = async (method: string, path: string, body?: object) =>
    (await stack.request(path, { method, body, apiKey })).body.data;
  const recipients = (count: number) =>
    Array.from({ length: count }, () => ({ to: newRecipient(), variables }));
  async function running(count: number): Promise<string> {
    const template = { template_name: 'paid', language: 'en_US' };
    const { campaign } = await call('POST', '/campaigns', { name: 'Spring', ...template });
    await call('POST', `/campaigns/${campaign.id}/recipients`, { recipients: recipients(count) });
    await call('POST', `/campaigns/${campaign.id}/start`);
    return campaign.id;
  }
  const send = async (change = {}) =>
    (await call('POST', '/messages/interactive/button', buttonMessage(change)))
      .message_id as string;
  const campaignOf = async (id: string) => (await call('GET', `/campaigns/${id}`)).campaign;
  const statusOf = async (id: string) => (await call('GET', `/messages/${id}`)).status;
  const letRun = (database: TestDatabase, pace: number | null) =>
    database.sql('update accounts set messages_per_second = $1, version = version + 1', [pace]);

  it('sends nothing a second time, and goes on where somebody says so', async () => {
    original = await TestDatabase.clone('seeded');
    stack = await Stack.launch({ databaseUrl: original.url });
    operator = await Dashboard.signIn(stack);
    await putTemplates(stack, Object.values(definitions));
    await sync(operator);
    const key = await addApiKey(original, { accountId: installation.accountId });
    apiKey = key.key;
    await map(operator, key.id, 'paid', paidMapping);
    await letRun(original, perSecond);
    const inAnHour = new Date(Date.now() + hourMs).toISOString();
    const scheduled = [await send({ send_at: inAnHour }), await send({ send_at: inAnHour })];
    const later = await send({ send_at: inAnHour });
    const campaigns = [await running(80), await running(80)] as [string, string];

    // In the middle, by the copy.
    await until(async () => (await stack.ledger()).length > 15);
    const processes = [...stack.workers, ...stack.apis];
    await Promise.all(processes.map((process) => process.kill()));
    await original.sql(
      `update scheduled_messages set send_at = now(), expires_at = now() + interval '1 hour' where id = any ($1)`,
      [scheduled],
    );
    copy = await original.copy();
    const sentBefore = new Set(
      (await stack.ledger()).map((entry) => entry.biz_opaque_callback_data),
    );
    for (const process of processes) process.launch();
    await Promise.all(processes.map((process) => process.ready()));
    await letRun(original, null);
    await until(async () => {
      const sent = await Promise.all(scheduled.map((id) => stack.tries(id)));
      const states = await Promise.all(campaigns.map(campaignOf));
      return (
        sent.every(({ length }) => length === 1) &&
        states.every(({ counts }) => counts.pending + counts.released === 0)
      );
    });
    expect((await stack.ledger()).length).toBeGreaterThan(sentBefore.size);
    await stack.stop();

    await letRun(copy, null);
    stack = await Stack.launch({ databaseUrl: copy.url });
    await putTemplates(stack, Object.values(definitions));
    operator = await Dashboard.signIn(stack);
    const alerts = () => copy.sql(`select details from alerts where kind = 'database_restored'`);
    await until(async () => (await alerts()).length === 1);
    const held = await copy.sql(`select from messages where status = 'unconfirmed'`);
    const [{ details }] = await alerts();
    expect(details).toMatchObject({ campaigns: 2 });
    expect(details.messages).toBeLessThanOrEqual(held.length);
    await until(() => stack.workers[0]?.output.includes('the database was restored'));
    const { stdout: doctor } = spawnSync(process.execPath, [join(checkout, 'dist/src/doctor.js')], {
      env: { PATH: process.env.PATH, ...stack.workers[0]?.env },
      encoding: 'utf8',
    });
    expect(doctor).toMatch(/WARN +restore +.+ 2 campaigns are paused/);

    // What is new goes out, and nothing else.
    const fresh = await send();
    await until(async () => (await statusOf(fresh)) === 'sent');
    const ledger = async () =>
      (await stack.ledger()).map((entry) => entry.biz_opaque_callback_data);
    expect(await ledger()).toEqual([fresh]);
    for (const id of scheduled) expect(await statusOf(id)).toBe('unconfirmed');
    expect(await statusOf(later)).toBe('scheduled');
    for (const id of campaigns)
      expect(await campaignOf(id)).toMatchObject({ status: 'paused', reason: 'restored' });

    // Somebody decides.
    const [resumed, cancelled] = campaigns;
    const { pending } = (await campaignOf(resumed)).counts;
    expect(pending).toBeGreaterThan(0);
    await call('POST', `/campaigns/${resumed}/resume`);
    await call('POST', `/campaigns/${cancelled}/cancel`);
    await operator.get('POST', `/messages/${scheduled[0]}/resend`);
    await until(async () => (await ledger()).length === 1 + pending + 1);
    await until(async () => (await campaignOf(resumed)).status === 'completed');
    expect((await campaignOf(cancelled)).status).toBe('cancelled');
    expect(await ledger()).toHaveLength(1 + pending + 1);
    expect(
      await copy.sql(`select from alerts where kind = 'campaign_paused' and resolved_at is null`),
    ).toEqual([]);
  });
});
