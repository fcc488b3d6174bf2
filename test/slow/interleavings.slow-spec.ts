import type { TestingModule } from '@nestjs/testing';
import { Client } from 'pg';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageWithdrawal } from '../../src/messages/acceptance/message-withdrawal.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { MessageClaims } from '../../src/messages/rows/message-claims.js';
import { MessageEndings } from '../../src/messages/rows/message-endings.js';
import type { TimelineRecord } from '../../src/messages/rows/message-history.js';
import { MessageSettlement } from '../../src/messages/rows/message-settlement.js';
import { StatusReports } from '../../src/messages/rows/status-reports.js';
import { TestDatabase } from '../support/database.js';
import { insertMessage, newMessage, readRow, report, result } from '../support/messages.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

/** Held by the test while the first of two statements waits at its breakpoint. */
const breakPoint = 4711;

/** What a process may do to messages, and where a message is when it may be done. */
const works = {
  claim: async (at: At, ids) => (await at.claims.claim(ids, at.claims.newToken())).claimed,
  'claim what is due': async (at: At) =>
    at.claims.claimDue(10, at.claims.newToken(), await at.now()),
  'settle as sent': (at: At, ids) => settle(at, ids, 'sent'),
  'settle as refused for now': (at: At, ids) => settle(at, ids, 'queued'),
  'end leases': (at: At) => at.endings.endLeases(10),
  expire: (at: At) => at.endings.expire(10),
  'report as delivered': (at: At, ids) => reportAs(at, ids, 'delivered'),
  'report as failed': (at: At, ids) => reportAs(at, ids, 'failed'),
  withdraw: async (at: At, ids) => {
    for (const id of ids) await at.withdrawal.withdraw(newMessage({ id }));
  },
} satisfies Record<string, (at: At, ids: string[]) => Promise<unknown>>;

type Work = keyof typeof works;

/** They skip rows that another process has in hand, and run again within a second. */
const passingBy: readonly Work[] = ['claim', 'claim what is due', 'end leases', 'expire'];

/** One process of the product. */
interface At {
  readonly now: () => Promise<string>;
  readonly claims: MessageClaims;
  readonly endings: MessageEndings;
  readonly settlement: MessageSettlement;
  readonly reports: StatusReports;
  readonly withdrawal: MessageWithdrawal;
}

function settle(at: At, ids: string[], status: 'sent' | 'queued'): Promise<unknown> {
  return Promise.all(ids.map((id) => at.settlement.settle(result(id, { status }))));
}

function reportAs(at: At, ids: string[], status: 'delivered' | 'failed'): Promise<unknown> {
  return Promise.all(ids.map((id) => at.reports.apply(report(id, status, { at: null }))));
}

/** Rows to begin with: one that waits, and one that is under way and whose lease is over. */
const beginnings = {
  queued: { status: 'queued', attempt: 0, createdIn: -10, nextAttemptIn: -5, giveUpIn: 600 },
  sending: { status: 'sending', attempt: 1, leaseIn: -1, nextAttemptIn: -5, giveUpIn: 600 },
  'queued again, and late': { status: 'queued', attempt: 1, nextAttemptIn: -5, giveUpIn: -1 },
} as const;

const names = Object.keys(works) as Work[];
const pairs = names.flatMap((first) => names.map((second) => [first, second] as const));

/**
 * One statement is stopped in the middle, after it has locked its rows and before it has changed
 * them; another process's statement comes meanwhile. The result must be the same as
 * running them one after the other.
 */
describe('two processes at the same messages', () => {
  let database: TestDatabase;
  let processes: TestingModule[];
  let one: At;
  let other: At;
  let locks: Client;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    const open = () =>
      openModule({
        databaseUrl: database.url,
        imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
        providers: [MessageWithdrawal],
      });
    processes = [await open(), await open()];
    [one, other] = processes.map((process) => ({
      now: () => database.now(),
      claims: process.get(MessageClaims, { strict: false }),
      endings: process.get(MessageEndings, { strict: false }),
      settlement: process.get(MessageSettlement, { strict: false }),
      reports: process.get(StatusReports, { strict: false }),
      withdrawal: process.get(MessageWithdrawal, { strict: false }),
    })) as [At, At];
    locks = new Client({ connectionString: database.url, application_name: 'test' });
    await locks.connect();
    await database.sql('create sequence stops');
    await database.sql(
      `create function stop_once() returns trigger language plpgsql as $$ begin
         if nextval('stops') = 1 then
           perform pg_advisory_xact_lock_shared(${breakPoint});
         end if;
         return new;
       end $$`,
    );
    await database.sql(
      'create trigger stop_once before update on messages for each row execute function stop_once()',
    );
  });

  afterAll(async () => {
    await locks.end();
    for (const process of processes) await process.close();
    await database.drop();
  });

  async function begin(): Promise<string[]> {
    await database.empty('messages');
    const ids: string[] = [];
    for (const row of Object.values(beginnings)) ids.push(await insertMessage(database, row));
    return ids;
  }

  /** The rows, without what may depend on the order of the two statements. */
  async function outcome(ids: readonly string[]): Promise<string[]> {
    const rows = await Promise.all(ids.map((id) => readRow(database, id)));
    return rows.map(({ status, attempt, error, timeline }) =>
      JSON.stringify({
        status,
        attempt,
        reason: error?.reason,
        statuses: timeline.map((entry: TimelineRecord) => entry.status),
      }),
    );
  }

  const waitingForLocks = async () => {
    const rows = await database.sql(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };

  async function inTurn(...all: Work[]): Promise<string[]> {
    const ids = await begin();
    for (const work of all) await works[work](one, ids);
    return outcome(ids);
  }

  async function interleaved(first: Work, second: Work): Promise<string[]> {
    const ids = await begin();
    await database.sql('alter sequence stops restart');
    await locks.query('select pg_advisory_lock($1)', [breakPoint]);
    let isOver = 0;
    const count = () => {
      isOver += 1;
    };
    const firstDone = works[first](one, ids).finally(count);
    await until(async () => isOver === 1 || (await waitingForLocks()) === 1, 5_000);
    const secondDone = works[second](other, ids).finally(count);
    // It has passed the first one by, or waits for it.
    await until(async () => isOver + (await waitingForLocks()) === 2, 5_000);
    await locks.query('select pg_advisory_unlock($1)', [breakPoint]);
    await Promise.all([firstDone, secondDone]);
    return outcome(ids);
  }

  it.each(pairs)('%s, and meanwhile %s: as one after the other', async (first, second) => {
    const possible = [await inTurn(first, second), await inTurn(second, first)];
    if (passingBy.includes(second)) possible.push(await inTurn(first));
    const rows = await interleaved(first, second);
    rows.forEach((row, at) => expect(possible.map((all) => all[at])).toContain(row));
  });
});
