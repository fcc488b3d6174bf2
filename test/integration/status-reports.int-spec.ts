import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import type { MessageFailure } from '../../src/messages/message.js';
import { MessageChangesModule } from '../../src/messages/message-changes.module.js';
import {
  messageStatuses,
  type ReportedStatus,
  statusAfterReport,
} from '../../src/messages/message-status.js';
import { failureView } from '../../src/messages/message-view.js';
import { type StatusReport, StatusReports } from '../../src/messages/status-reports.js';
import { QueuesModule } from '../../src/queues/queues.module.js';
import { RepliesModule } from '../../src/replies/replies.module.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { insertMessage } from '../support/messages.js';
import { openModule } from '../support/module.js';

const failure: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'The user can’t receive it',
  retryable: false,
  platformCode: 131026,
  platformMessage: 'Message undeliverable',
  reason: null,
};

describe('reports of the platform on messages', () => {
  let database: TestDatabase;
  let process: TestingModule;
  let reports: StatusReports;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({
      databaseUrl: database.url,
      imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
    });
    reports = process.get(StatusReports, { strict: false });
    dataSource = process.get(DataSource);
  });

  afterAll(async () => {
    await process.close();
    await database.drop();
  });

  const report = (messageId: string | null, change: Partial<StatusReport> = {}): StatusReport => ({
    accountId: installation.accountId,
    mode: 'live',
    messageId,
    platformMessageId: `wamid.${messageId}`,
    status: 'sent',
    at: new Date(),
    failure: change.status === 'failed' ? failure : null,
    pricing: null,
    ...change,
  });
  const apply = (given: StatusReport[]) =>
    dataSource.transaction((manager) => reports.apply(manager, given));
  const row = async (id: string) =>
    (await database.sql('select * from messages where id = $1', [id]))[0];
  const timeline = (id: string) =>
    database.sql('select status, source from message_timeline where message_id = $1', [id]);

  const reported: ReportedStatus[] = ['sent', 'delivered', 'read', 'failed'];
  const pairs = messageStatuses.flatMap((before) =>
    reported.map((status) => [before, status] as const),
  );

  it.each(pairs)(
    'a row that is %s, reported as %s, is what the rule says',
    async (before, status) => {
      const id = await insertMessage(database, { status: before, attempt: 1, leaseIn: 30 });
      const [answer] = await apply([report(id, { status })]);
      const expected = statusAfterReport(before, status);
      expect(answer).toMatchObject({ id, before, status: expected ?? before });
      expect((await row(id)).status).toBe(expected ?? before);
      expect(await timeline(id)).toEqual(expected ? [{ status: expected, source: 'webhook' }] : []);
    },
  );

  it('find a message by its platform id where they do not bring ours', async () => {
    const id = await insertMessage(database, { status: 'sent', attempt: 1 });
    await database.sql('update messages set platform_message_id = $2 where id = $1', [
      id,
      'wamid.Q',
    ]);
    const [answer] = await apply([
      report(null, {
        platformMessageId: 'wamid.Q',
        status: 'delivered',
        pricing: { billable: true },
      }),
    ]);
    expect(answer).toMatchObject({ id, status: 'delivered' });
    expect((await row(id)).pricing).toEqual({ billable: true });
  });

  it.each([
    ['of the other mode', { mode: 'test' as const }],
    ['of another account', { accountId: '018f0000-0000-7000-8000-00000000000b' }],
  ])('leave a message alone that is %s', async (_, change) => {
    const id = await insertMessage(database, { status: 'sent', attempt: 1 });
    expect(await apply([report(id, { status: 'read', ...change })])).toEqual([null]);
    expect((await row(id)).status).toBe('sent');
  });

  it('touch a message once in a group, or nothing comes of the group', async () => {
    const id = await insertMessage(database, { status: 'sent', attempt: 1 });
    await expect(
      apply([report(id, { status: 'delivered' }), report(id, { status: 'read' })]),
    ).rejects.toThrow('about the same message');
    expect((await row(id)).status).toBe('sent');
  });

  it('write the event of a change with it, in the words of the message itself', async () => {
    const [key] = await database.sql(
      `update api_keys set webhook_url = 'http://127.0.0.1:1/' where account_id = $1 returning id`,
      [installation.accountId],
    );
    const id = await insertMessage(database, { status: 'sent', attempt: 1 });
    await database.sql('update messages set api_key_id = $2 where id = $1', [id, key.id]);
    for (let time = 0; time < 2; time += 1) {
      const [answer] = await apply([report(id, { status: 'failed' })]);
      expect(answer?.endpointToWake).toBe(time === 0 ? key.id : null);
    }
    const events = await database.sql('select body from webhook_events');
    expect(events.map(({ body }) => JSON.parse(body))).toEqual([
      {
        event: 'message.status',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        data: {
          message_id: id,
          platform_message_id: `wamid.${id}`,
          to: '+14155550123',
          reference: null,
          status: 'failed',
          error: failureView(failure),
        },
      },
    ]);
  });

  it('of many workers on the same messages in any order end without a deadlock', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => insertMessage(database, { status: 'sent', attempt: 1 })),
    );
    const shuffled = () => ids.toSorted(() => Math.random() - 0.5);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        apply(shuffled().map((id) => report(id, { status: index % 2 ? 'read' : 'delivered' }))),
      ),
    );
    const rows = await database.sql('select distinct status from messages where id = any ($1)', [
      ids,
    ]);
    expect(rows).toEqual([{ status: 'read' }]);
  });
});
