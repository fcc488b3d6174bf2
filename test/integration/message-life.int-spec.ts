import type { TestingModule } from '@nestjs/testing';
import fc from 'fast-check';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { MessageClaims } from '../../src/messages/rows/message-claims.js';
import { MessageEndings } from '../../src/messages/rows/message-endings.js';
import type { TimelineRecord } from '../../src/messages/rows/message-history.js';
import { MessageSettlement } from '../../src/messages/rows/message-settlement.js';
import {
  type MessageStatus,
  type ReportedStatus,
  type SettledStatus,
  statusAfterAttempt,
  statusAfterReport,
} from '../../src/messages/rows/message-status.js';
import { StatusReports } from '../../src/messages/rows/status-reports.js';
import { TestDatabase } from '../support/database.js';
import { insertMessage, readRow, report, result } from '../support/messages.js';
import { openModule } from '../support/module.js';

/** Something that happens to a message, in any order with anything else. */
type Event =
  | { kind: 'claim' }
  | { kind: 'settle'; status: SettledStatus; attemptsAgo: number }
  | { kind: 'end of the lease' }
  | { kind: 'report'; status: ReportedStatus };

/** A message, by the rules alone. */
interface Model {
  status: MessageStatus;
  attempt: number;
  /** Every status after the acceptance, in the order in which it came. */
  statuses: MessageStatus[];
}

const events: fc.Arbitrary<Event> = fc.oneof(
  fc.constant({ kind: 'claim' as const }),
  fc.record({
    kind: fc.constant('settle' as const),
    status: fc.constantFrom<SettledStatus>('sent', 'failed', 'queued', 'unconfirmed'),
    attemptsAgo: fc.constantFrom(0, 0, 0, 1),
  }),
  fc.constant({ kind: 'end of the lease' as const }),
  fc.record({
    kind: fc.constant('report' as const),
    status: fc.constantFrom<ReportedStatus>('sent', 'delivered', 'read', 'failed'),
  }),
);

function enter(model: Model, status: MessageStatus | null): void {
  if (status === null || status === model.status) return;
  model.status = status;
  model.statuses.push(status);
}

describe('the life of a message', () => {
  let database: TestDatabase;
  let process: TestingModule;
  let claims: MessageClaims;
  let endings: MessageEndings;
  let settlement: MessageSettlement;
  let reports: StatusReports;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({
      databaseUrl: database.url,
      imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
    });
    claims = process.get(MessageClaims, { strict: false });
    endings = process.get(MessageEndings, { strict: false });
    settlement = process.get(MessageSettlement, { strict: false });
    reports = process.get(StatusReports, { strict: false });
  });

  afterAll(async () => {
    await process.close();
    await database.drop();
  });

  /** Lets it happen in the database, and to the model by the rules alone. */
  async function happen(id: string, event: Event, model: Model): Promise<void> {
    switch (event.kind) {
      case 'claim': {
        await database.sql('update messages set next_attempt_at = now() where id = $1', [id]);
        const { claimed } = await claims.claim([id], claims.newToken());
        expect(claimed).toHaveLength(model.status === 'queued' ? 1 : 0);
        if (model.status === 'queued') model.attempt += 1;
        if (model.status === 'queued') enter(model, 'sending');
        return;
      }
      case 'settle': {
        const attempt = model.attempt - event.attemptsAgo;
        if (attempt < 1) return;
        await settlement.settle(result(id, { status: event.status, attempt }));
        // The result of an earlier attempt says nothing about this one.
        if (event.attemptsAgo > 0) return;
        enter(model, statusAfterAttempt(model.status, event.status));
        return;
      }
      case 'end of the lease':
        await database.sql(
          `update messages set lease_until = now() - interval '1 second' where id = $1`,
          [id],
        );
        await endings.endLeases(10);
        if (model.status === 'sending') enter(model, 'unconfirmed');
        return;
      case 'report':
        await reports.apply(report(id, event.status));
        // An overtaken report is entered too, and moves nothing back.
        if (event.status !== 'failed' && !model.statuses.includes(event.status)) {
          model.statuses.push(event.status);
          model.status = statusAfterReport(model.status, event.status) ?? model.status;
        } else {
          enter(model, statusAfterReport(model.status, event.status));
        }
    }
  }

  it('follows the rules, whatever happens in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(events, { minLength: 1, maxLength: 12 }), async (all) => {
        const id = await insertMessage(database);
        const model: Model = { status: 'queued', attempt: 0, statuses: [] };
        for (const event of all) await happen(id, event, model);
        const row = await readRow(database, id);
        expect({
          status: row.status,
          attempt: row.attempt,
          statuses: row.timeline.map((entry: TimelineRecord) => entry.status).toSorted(),
        }).toEqual({ ...model, statuses: model.statuses.toSorted() });
      }),
      { numRuns: 120 },
    );
  });
});
