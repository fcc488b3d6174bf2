import type { TestingModule } from '@nestjs/testing';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { MessageClaims } from '../../src/messages/rows/message-claims.js';
import { MessageEndings } from '../../src/messages/rows/message-endings.js';
import { MessageSettlement } from '../../src/messages/rows/message-settlement.js';
import {
  messageStatuses,
  type SettledStatus,
  statusAfterAttempt,
} from '../../src/messages/rows/message-status.js';
import { TestDatabase } from '../support/database.js';
import { failure, insertMessage, readRow, result } from '../support/messages.js';
import { openModule } from '../support/module.js';

/** Scheduled messages are in another table, and no worker has them. */
const storedStatuses = messageStatuses.filter((status) => status !== 'scheduled');

describe('settling messages', () => {
  let database: TestDatabase;
  let processes: TestingModule[];
  let settlements: MessageSettlement[];
  let settlement: MessageSettlement;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    const open = () =>
      openModule({
        databaseUrl: database.url,
        imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
      });
    processes = [await open(), await open()];
    settlements = processes.map((process) => process.get(MessageSettlement, { strict: false }));
    settlement = settlements[0] as MessageSettlement;
  });

  afterAll(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  const settled: SettledStatus[] = ['sent', 'failed', 'queued', 'unconfirmed'];
  const pairs = storedStatuses.flatMap((before) =>
    settled.map((status) => [before, status] as const),
  );

  it.each(pairs)(
    'a row that is %s, after an attempt that ended as %s, is what the rule says',
    async (before, status) => {
      const id = await insertMessage(database, { status: before, attempt: 1 });
      const { timeline } = await readRow(database, id);
      const after = statusAfterAttempt(before, status);
      // Waiting callers do not get receipts.
      const answered = after === 'delivered' || after === 'read' ? 'sent' : after;
      expect(await settlement.settle(result(id, { status }))).toMatchObject({
        id,
        status: answered,
      });
      const row = await readRow(database, id);
      expect(row.status).toBe(after);
      expect(row.timeline).toEqual(
        before === after
          ? timeline
          : expect.arrayContaining([{ status: after, at: expect.any(Date), source: 'platform' }]),
      );
      expect(row.attempts).toHaveLength(1);
      if (before === after) expect(row.error).toBeNull();
      if (status === 'sent') expect(row.platform_message_id).toBe(`wamid.${id}`);
    },
  );

  it('writes a refusal whose text PostgreSQL would not take', async () => {
    const id = await insertMessage(database, { status: 'sending', attempt: 1 });
    const platformMessage = 'no\0 \ud800';
    await settlement.settle(
      result(id, { status: 'failed', failure: { ...failure, platformMessage } }),
    );
    expect(await readRow(database, id)).toMatchObject({
      status: 'failed',
      error: { ...failure, platformMessage: 'no \ufffd' },
    });
  });

  it('writes everything that is known of an attempt', async () => {
    const id = await insertMessage(database, { status: 'sending', attempt: 1 });
    const startedAt = new Date('2026-11-21T10:00:00.123Z');
    await settlement.settle(
      result(id, {
        status: 'failed',
        startedAt,
        durationMs: 321,
        httpStatus: 400,
        errorCode: 131000,
        detail: '{"error":{}}',
      }),
    );
    const row = await readRow(database, id);
    expect(row).toMatchObject({ status: 'failed', error: failure, sent_at: null });
    expect(row.failed_at).not.toBeNull();
    expect(row.attempts).toEqual([
      {
        number: 1,
        startedAt,
        durationMs: 321,
        outcome: 'refused',
        httpStatus: 400,
        errorCode: 131000,
        detail: '{"error":{}}',
      },
    ]);
  });

  it('queues a retryable refusal for its next try, and clears the refusal on success', async () => {
    const id = await insertMessage(database, { status: 'sending', attempt: 1 });
    const before = Date.now();
    await settlement.settle(result(id, { status: 'queued', retryInMs: 60_000 }));
    const after = Date.now();
    const waiting = await readRow(database, id);
    expect(waiting).toMatchObject({ status: 'queued', error: failure, failed_at: null });
    const settledAt = waiting.next_attempt_at.getTime() - 60_000;
    expect(settledAt).toBeGreaterThanOrEqual(before);
    expect(settledAt).toBeLessThanOrEqual(after);

    await database.sql('update messages set next_attempt_at = now() where id = $1', [id]);
    const claims = processes[0]?.get(MessageClaims, { strict: false });
    expect((await claims?.claim([id], claims.newToken()))?.claimed).toMatchObject([{ attempt: 2 }]);
    await settlement.settle(result(id, { attempt: 2 }));
    const sent = await readRow(database, id);
    expect(sent).toMatchObject({ status: 'sent', error: null, sent_at: expect.any(Date) });
    expect(sent.timeline.map(({ status }: any) => status)).toEqual([
      'sending',
      'queued',
      'sending',
      'sent',
    ]);
    expect(sent.attempts).toHaveLength(2);
  });

  it('ignores a result of an earlier attempt', async () => {
    const id = await insertMessage(database, { status: 'sending', attempt: 2 });
    expect(await settlement.settle(result(id, { attempt: 1 }))).toBeNull();
    expect(await readRow(database, id)).toMatchObject({ status: 'sending', attempts: [] });
  });

  it('accepts a proof that comes after the lease ended', async () => {
    const id = await insertMessage(database, { status: 'sending', attempt: 1, leaseIn: -1 });
    await processes[0]?.get(MessageEndings, { strict: false }).endLeases(10);
    expect((await readRow(database, id)).status).toBe('unconfirmed');
    await settlement.settle(result(id));
    expect(await readRow(database, id)).toMatchObject({
      status: 'sent',
      sent_at: expect.any(Date),
    });
  });

  it('counts a result that is written twice once', async () => {
    const id = await insertMessage(database, { status: 'sending', attempt: 1 });
    await settlement.settle(result(id));
    expect(await settlement.settle(result(id))).toMatchObject({ status: 'sent' });
    const row = await readRow(database, id);
    expect([row.timeline.length, row.attempts.length]).toEqual([1, 1]);
  });

  it('lets one result that the store refuses fail alone', async () => {
    const ids = await Promise.all(
      Array.from({ length: 3 }, () => insertMessage(database, { status: 'sending', attempt: 1 })),
    );
    const results = await Promise.allSettled(
      ids.map((id, index) => settlement.settle(result(id, index === 1 ? { detail: 'a\0b' } : {}))),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('never lets groups of two processes deadlock, whatever the order of their ids', async () => {
    for (let round = 0; round < 20; round += 1) {
      const ids = await Promise.all(
        Array.from({ length: 30 }, () =>
          insertMessage(database, { status: 'sending', attempt: 1 }),
        ),
      );
      const both = await Promise.all(
        settlements.flatMap((one, index) =>
          (index === 0 ? ids : ids.toReversed()).map((id) => one.settle(result(id))),
        ),
      );
      expect(both.every((row) => row?.status === 'sent')).toBe(true);
    }
  });
});
