import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TestingModule } from '@nestjs/testing';
import { Client } from 'pg';
import { hourMs } from '#libs/durations';
import { isDataError, isLockTimeout } from '../../src/database/store-errors.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { failureView } from '../../src/messages/reads/message-view.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import {
  type MessageStatus,
  messageStatuses,
  type ReportedStatus,
  statusAfterReport,
} from '../../src/messages/rows/message-status.js';
import { type NamedReport, StatusReports } from '../../src/messages/rows/status-reports.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { eventsOf, failure, insertMessage, readRow, report } from '../support/messages.js';
import { openModule } from '../support/module.js';

/** In the order in which they happen. */
const reported: ReportedStatus[] = ['sent', 'delivered', 'read', 'failed'];

/** Every set of reports that one group may hold of a message. */
const sets = Array.from({ length: 15 }, (_, index) =>
  reported.filter((__, bit) => (index + 1) & (1 << bit)),
);

/** The status of a message by the rules alone: one report after the other. */
const statusAfter = (before: MessageStatus, set: readonly ReportedStatus[]) =>
  set.reduce<MessageStatus>((status, one) => statusAfterReport(status, one) ?? status, before);

/** What a message in `before` has already reported, if it got there the usual way. */
const toldBefore: Partial<Record<MessageStatus, ReportedStatus[]>> = {
  sent: ['sent'],
  delivered: ['sent', 'delivered'],
  read: ['sent', 'delivered', 'read'],
  failed: ['failed'],
};

/** What is reported: what was not reported before, and `failed` only without a proof of delivery. */
function told(before: MessageStatus, set: readonly ReportedStatus[]): ReportedStatus[] {
  // No worker ever had it.
  if (before === 'cancelled') return [];
  const isDelivered = [before, ...set].some((one) => one === 'delivered' || one === 'read');
  return set.filter(
    (one) => !toldBefore[before]?.includes(one) && !(one === 'failed' && isDelivered),
  );
}

/** Scheduled messages are in another table, and no worker has them. */
const storedStatuses = messageStatuses.filter((status) => status !== 'scheduled');

describe('reports from the platform on messages', () => {
  let database: TestDatabase;
  let process: TestingModule;
  let reports: StatusReports;
  let keyId: string;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({
      databaseUrl: database.url,
      imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
    });
    reports = process.get(StatusReports, { strict: false });
    const [key] = await database.sql(
      `update webhook_endpoints set url = 'http://127.0.0.1:1/' where account_id = $1 returning id`,
      [installation.accountId],
    );
    keyId = key.id;
  });

  afterAll(async () => {
    await process.close();
    await database.drop();
  });

  const insert = (status: MessageStatus = 'sent') =>
    insertMessage(database, { status, attempt: 1, leaseIn: 30, apiKeyId: keyId });
  const apply = (all: readonly NamedReport[]) => Promise.all(all.map((one) => reports.apply(one)));
  const written = async (id: string) =>
    (await database.sql('select xmin::text from messages where id = $1', [id]))[0].xmin;

  describe.each(storedStatuses)('on a message that is %s', (before) => {
    it.each(sets)('and that together say %s %s %s %s', async (...set) => {
      const expected = told(before, set);
      for (const given of [set, set.toReversed()]) {
        const id = await insert(before);
        const earlier = (await readRow(database, id)).timeline.length;
        expect(await apply(given.map((status) => report(id, status)))).toEqual(set.map(() => true));
        const { status, timeline } = await readRow(database, id);
        expect(status).toBe(statusAfter(before, set));
        expect(timeline).toHaveLength(earlier + expected.length);
        expect(timeline).toEqual(
          expect.arrayContaining(
            expected.map((entered) =>
              expect.objectContaining({ status: entered, source: 'webhook' }),
            ),
          ),
        );
        const events = await eventsOf(database, id);
        expect(events.map(({ data }) => data.status)).toEqual(expected);
      }
    });
  });

  it.each([
    ['sent', true],
    ['delivered', true],
    ['read', true],
    ['failed', false],
  ] as const)(
    'on the probe of a number on hold that say %s note it: %s',
    async (status, isNoted) => {
      const [probe, another] = [await insert(), await insert()];
      await database.sql('update accounts set hold_probe_id = $1 where id = $2', [
        probe,
        installation.accountId,
      ]);
      await apply([report(probe, status), report(another, status)]);
      const noted = async (id: string) =>
        (
          await database.sql('select entered & 16 <> 0 as noted from messages where id = $1', [id])
        )[0];
      expect(await noted(probe)).toEqual({ noted: isNoted });
      expect(await noted(another)).toEqual({ noted: false });
      // Nothing is written twice.
      const before = await written(probe);
      await apply([report(probe, status)]);
      expect(await written(probe)).toBe(before);
    },
  );

  it.each(['queued', 'sending', 'unconfirmed', 'sent', 'failed'] as const)(
    'on a message that is %s cause one event per status, in whatever order they come',
    async (before) => {
      const all: ReportedStatus[] = ['sent', 'delivered', 'read'];
      const orders = all.flatMap((one) =>
        [all.filter((other) => other !== one)].flatMap(([a, b]: any) => [
          [one, a, b],
          [one, b, a],
        ]),
      ) as ReportedStatus[][];
      for (const order of orders) {
        const id = await insert(before);
        for (const status of [...order, ...order]) await apply([report(id, status)]);
        const expected = all.filter((status) => !toldBefore[before]?.includes(status));
        const events = (await eventsOf(database, id)).map(({ data }) => data.status);
        expect(events).toEqual(order.filter((status) => expected.includes(status)));
        const row = await readRow(database, id);
        expect(row.status).toBe('read');
        const reached = row.timeline.filter((line: any) => all.includes(line.status));
        expect(reached.map((line: any) => line.status)).toEqual(all);
      }
    },
  );

  it('set when a message was sent, even after it was read', async () => {
    const id = await insert('sending');
    const [sentAt, readAt] = [Date.now() + 20, Date.now() + 60].map((ms) => new Date(ms));
    await pause(100);
    await apply([report(id, 'read', { at: readAt })]);
    await apply([report(id, 'sent', { at: sentAt })]);
    const row = await readRow(database, id);
    expect([row.sent_at, row.read_at]).toEqual([sentAt, readAt]);
    const events = (await eventsOf(database, id)).map(({ data }) => [
      data.status,
      data.occurred_at,
    ]);
    expect(events).toEqual([
      ['read', readAt?.toISOString()],
      ['sent', sentAt?.toISOString()],
    ]);
  });

  it('of a failure cause no event after a proof of delivery; a delivery after a failure does', async () => {
    const [one, other] = [await insert(), await insert()];
    await apply([report(one, 'delivered')]);
    await apply([report(one, 'failed')]);
    await apply([report(other, 'failed')]);
    await apply([report(other, 'delivered')]);
    const statuses = async (id: string) =>
      (await eventsOf(database, id)).map(({ data }) => data.status);
    expect(await statuses(one)).toEqual(['delivered']);
    expect(await statuses(other)).toEqual(['failed', 'delivered']);
    for (const id of [one, other]) expect((await readRow(database, id)).status).toBe('delivered');
  });

  it('are found by the platform’s id where they do not bring ours', async () => {
    const id = await insert();
    await database.sql('update messages set platform_message_id = $2 where id = $1', [
      id,
      'wamid."Q\\',
    ]);
    const unnamed = { ...report(id, 'delivered', { platformMessageId: 'wamid."Q\\' }) };
    const [named, unknown] = await reports.name([
      { ...unnamed, messageId: null },
      { ...unnamed, messageId: null, platformMessageId: 'wamid.unknown' },
    ]);
    expect([named?.messageId, unknown]).toEqual([id, null]);
  });

  it.each([
    ['of the other mode', { mode: 'test' as const }],
    ['of another account', { accountId: '018f0000-0000-7000-8000-00000000000b' }],
    ['of an account that has changed since', { accountVersion: '4711' }],
  ])('leave a message alone that is %s', async (_, change) => {
    const id = await insert();
    const before = await written(id);
    expect(await apply([report(id, 'read', change)])).toEqual([false]);
    expect(await written(id)).toBe(before);
  });

  it('are ignored when the id is unknown; the others in their group count', async () => {
    const id = await insert();
    const unknown = '018f0000-0000-7000-8000-00000000000c';
    expect(await apply([report(unknown, 'read'), report(id, 'read')])).toEqual([false, true]);
    expect(await readRow(database, id)).toMatchObject({ status: 'read' });
  });

  it('that bring nothing new write nothing', async () => {
    const id = await insert();
    const pricing = { billable: true };
    await apply([report(id, 'sent'), report(id, 'delivered', { pricing }), report(id, 'read')]);
    const before = await written(id);
    const again = [
      ...(['sent', 'delivered', 'read', 'failed'] as const).map((status) => report(id, status)),
      report(id, 'read', { pricing: { billable: false } }),
    ];
    expect(await apply(again)).toEqual([true, true, true, true, true]);
    for (const one of again) await apply([one]);
    expect(await written(id)).toBe(before);
  });

  it.each([
    ['one after the other', false],
    ['in one group', true],
  ])('have the price of the latest stage, in whatever order they come, %s', async (_, together) => {
    const id = await insert();
    const all = [
      report(id, 'delivered', { pricing: { of: 'delivered' } }),
      report(id, 'sent', { pricing: { of: 'sent' } }),
      report(id, 'read', {}),
      report(id, 'sent', { pricing: { of: 'sent again' } }),
    ];
    if (together) await apply(all);
    else for (const one of all) await apply([one]);
    expect(await readRow(database, id)).toMatchObject({ pricing: { of: 'delivered' } });
    const later = await insert();
    await apply([report(later, 'sent', { pricing: { of: 'sent' } })]);
    await apply([report(later, 'delivered', { pricing: { of: 'delivered' } })]);
    expect(await readRow(database, later)).toMatchObject({ pricing: { of: 'delivered' } });
  });

  it('save their price and time even when they come late', async () => {
    const id = await insert();
    const at = new Date(Date.now() + hourMs);
    await apply([report(id, 'read', { at: null })]);
    await apply([report(id, 'delivered', { at, pricing: { note: 'a\0b \ud800' } })]);
    const row = await readRow(database, id);
    expect(row).toMatchObject({ status: 'read', pricing: { note: 'ab \ufffd' } });
    // A clock ahead of ours does not count.
    expect(row.delivered_at.getTime()).toBeLessThanOrEqual(Date.now());
    expect(row.timeline.map((line: any) => line.status)).toEqual(['sent', 'delivered', 'read']);
  });

  it('are merged only when all their ids match', async () => {
    const id = await insert();
    await apply([
      report(id, 'read', { platformMessageId: 'wamid.other' }),
      report(id.toUpperCase(), 'delivered'),
      report(id, 'delivered', { mode: null }),
      report(id, 'read', { accountId: '018f0000-0000-7000-8000-00000000000b' }),
      report(id, 'failed'),
    ]);
    expect(await readRow(database, id)).toMatchObject({ status: 'read', error: null });
    const events = (await eventsOf(database, id)).map(({ data }) => data.status);
    expect(new Set(events)).toEqual(new Set(['delivered', 'read']));
    expect(events).toHaveLength(2);
  });

  it('write a change and its event together, with the message’s own data', async () => {
    const id = await insert();
    for (let time = 0; time < 2; time += 1) await apply([report(id, 'failed')]);
    expect(await eventsOf(database, id)).toEqual([
      {
        event: 'message.status',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        data: {
          message_id: id,
          platform_message_id: `wamid.${id}`,
          to: '+14155550123',
          to_user_id: null,
          contact_id: null,
          reference: null,
          status: 'failed',
          occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          held: false,
          error: failureView(failure),
        },
      },
    ]);
  });

  it('give up on a message that another transaction holds locked', async () => {
    const [locked, free] = [await insert(), await insert()];
    const other = new Client({ connectionString: database.url, application_name: 'test' });
    await other.connect();
    await other.query('begin');
    await other.query('select from messages where id = $1 for update', [locked]);
    const error = await reports.apply(report(locked, 'read')).catch((thrown: unknown) => thrown);
    expect(isLockTimeout(error)).toBe(true);
    expect(await reports.apply(report(free, 'read'))).toBe(true);
    await other.query('rollback');
    await other.end();
    expect(await reports.apply(report(locked, 'read'))).toBe(true);
  });

  it('count though another one of their group is refused by the store', async () => {
    const id = await insert();
    const results = await Promise.allSettled([
      reports.apply(report(id, 'read')),
      reports.apply(report(id, 'read', { accountId: 'no id' })),
    ]);
    expect(results).toMatchObject([{ value: true }, { status: 'rejected' }]);
    const [, refused] = results;
    expect(refused?.status === 'rejected' && isDataError(refused.reason)).toBe(true);
  });

  it('that are receipts change no indexed column', async () => {
    const id = await insert();
    const row = async () =>
      (await database.sql(`select to_jsonb(m) as row from messages m where id = $1`, [id]))[0].row;
    await apply([report(id, 'sent')]);
    const before = await row();
    await apply([report(id, 'delivered'), report(id, 'read')]);
    const after = await row();
    const changed = Object.keys(after).filter(
      (column) => !isDeepStrictEqual(before[column], after[column]),
    );
    expect(changed).toContain('receipt');
    const indexed = await database.sql(
      `select distinct a.attname as column
       from pg_partition_tree('messages') t
       join pg_index i on i.indrelid = t.relid
       join pg_attribute a on a.attrelid = t.relid and (a.attnum = any(i.indkey) or exists (
         select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
           and d.refobjid = t.relid and d.refobjsubid = a.attnum))`,
    );
    const columns = indexed.map(({ column }) => column);
    expect(columns).toContain('status');
    expect(columns.filter((column) => changed.includes(column))).toEqual([]);
  });

  it('cannot be receipts of a message that was not sent', async () => {
    const id = await insert('failed');
    await expect(
      database.sql(`update messages set receipt = 'read' where id = $1`, [id]),
    ).rejects.toThrow('check constraint');
  });

  it('from many workers on the same messages, in any order, do not deadlock', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => insert()));
    const others = await Promise.all(
      Array.from({ length: 4 }, () =>
        openModule({
          databaseUrl: database.url,
          imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
        }),
      ),
    );
    const shuffled = () => ids.toSorted(() => Math.random() - 0.5);
    const all = [process, ...others].map((one) => one.get(StatusReports, { strict: false }));
    const status = (index: number) => (index % 2 ? 'read' : 'delivered');
    await Promise.all(
      Array.from({ length: 6 }, (_, index) => status(index)).flatMap((one) =>
        all.flatMap((some) => shuffled().map((id) => some.apply(report(id, one)))),
      ),
    );
    const rows = await Promise.all(ids.map((id) => readRow(database, id)));
    for (const row of rows) expect(row.status).toBe('read');
    for (const one of others) await one.close();
  });
});
