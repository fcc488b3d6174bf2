import type { TestingModule } from '@nestjs/testing';
import { DatabaseTimeline } from '../../src/database/history/database-timeline.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { MessageClaims } from '../../src/messages/rows/message-claims.js';
import { MessageEndings } from '../../src/messages/rows/message-endings.js';
import { MessageSettlement } from '../../src/messages/rows/message-settlement.js';
import { HistoryWatch, type Testimony } from '../../src/sending/history-watch.js';
import { insertMessage, type RowChange, readRow, result } from '../support/messages.js';
import { openModule } from '../support/module.js';
import { MortalPostgres } from '../support/mortal-postgres.js';
import { until } from '../support/until.js';

const nothing: Testimony = { inHand: new Map(), missesRows: false };

/** A worker that lives through failovers, and another that starts after one. */
describe('a worker whose database begins another history', () => {
  let postgres: MortalPostgres;
  let worker: TestingModule;
  let watch: HistoryWatch;

  const open = () =>
    openModule({
      databaseUrl: postgres.url,
      imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
      providers: [HistoryWatch],
    });
  const endings = () => worker.get(MessageEndings, { strict: false });
  const look = (testimony = nothing, by = watch) =>
    by.look(testimony, async (before) => (await endings().endForgotten(100, before)).length);
  /** The next history begins, and a look has found it. */
  const beginNext = async (testimony = nothing) => {
    await postgres.startNewTimeline();
    await until(() => look(testimony).catch(() => ''));
  };
  /** Accepted long before, so that it is also older than a history that `letTimePass` has aged. */
  const insertOld = (change: RowChange = {}) =>
    insertMessage(postgres, { createdIn: -300, nextAttemptIn: -300, ...change });
  const letTimePass = () =>
    postgres.sql(`update database_histories set began_at = began_at - interval '1 minute'
      where history = database_history()`);
  const claim = async (id: string) => {
    const claims = worker.get(MessageClaims, { strict: false });
    return (await claims.claim([id], claims.newToken())).claimed;
  };
  const alerts = () =>
    postgres.sql(`select message from alerts where kind = 'database_history' order by id`);

  beforeAll(async () => {
    postgres = await MortalPostgres.start();
    worker = await open();
    watch = worker.get(HistoryWatch);
  });

  afterAll(async () => {
    await worker?.close();
    await postgres?.stop();
  });

  it('claims nothing before it has looked, and everything in the first history', async () => {
    expect(watch.mayClaim).toBe(false);
    await look();
    expect(watch.mayClaim).toBe(true);
    expect(await claim(await insertMessage(postgres, {}))).toHaveLength(1);
  });

  it('gives other workers time to speak, and then goes on where nothing is missing', async () => {
    const id = await insertMessage(postgres, {});
    await beginNext();
    expect(watch.mayClaim).toBe(false);
    // A hint comes before the look: the statement itself refuses.
    expect(await claim(id)).toEqual([]);

    await letTimePass();
    await look();
    expect(watch.mayClaim).toBe(true);
    expect(await alerts()).toEqual([]);
    expect(await claim(id)).toHaveLength(1);
  });

  it('says that nothing is missing, so that workers that start now hold nothing', async () => {
    const id = await insertOld();
    await beginNext();
    const later = await open();
    await letTimePass();
    await look(nothing, later.get(HistoryWatch));
    expect(later.get(HistoryWatch).mayClaim).toBe(true);
    expect((await readRow(postgres, id)).status).toBe('queued');
    await later.close();
    await look();
  });

  it('holds what may have been sent where every worker is new, though commits waited', async () => {
    await postgres.sql(
      'update database_histories set is_synchronous = true where history = database_history()',
    );
    const id = await insertOld();
    await postgres.startNewTimeline();
    const fresh = await open();
    await look(nothing, fresh.get(HistoryWatch));
    expect(fresh.get(HistoryWatch).mayClaim).toBe(false);
    await letTimePass();
    await look(nothing, fresh.get(HistoryWatch));
    expect(fresh.get(HistoryWatch).mayClaim).toBe(true);
    expect((await readRow(postgres, id)).status).toBe('unconfirmed');
    await fresh.close();
    // This one comes too late to say anything.
    await until(() => look().catch(() => ''));
    expect(watch.mayClaim).toBe(true);
    expect(await alerts()).toEqual([]);
  });

  it('goes on at once where each commit waited for the standby', async () => {
    await postgres.sql(
      'update database_histories set is_synchronous = true where history = database_history()',
    );
    await beginNext();
    expect(watch.mayClaim).toBe(true);
    expect(await alerts()).toEqual([]);
  });

  it.each<[string, (id: string) => Testimony]>([
    ['in hand', (id) => ({ inHand: new Map([[id, 1]]), missesRows: false })],
    ['settled meanwhile', () => ({ inHand: new Map(), missesRows: true })],
  ])('sends nothing again where it misses a claim that was %s', async (_, testimony) => {
    const [id, later] = [await insertOld(), await insertOld({ nextAttemptIn: 600 })];
    const before = await alerts();
    await beginNext(testimony(id));
    expect(watch.mayClaim).toBe(false);
    expect(await alerts()).toHaveLength(before.length + 1);

    const created = await insertMessage(postgres, {});
    await letTimePass();
    await until(() => look().then(() => watch.mayClaim));
    expect((await readRow(postgres, id)).status).toBe('unconfirmed');
    expect((await readRow(postgres, later)).status).toBe('queued');
    expect((await readRow(postgres, created)).status).toBe('queued');

    // The worker still has the answer to the try that was forgotten.
    const settlement = worker.get(MessageSettlement, { strict: false });
    await settlement.settle(result(id, { attempt: 1, status: 'sent' }));
    expect((await readRow(postgres, id)).status).toBe('sent');
  });

  it('sends nothing again where it saw commits that are missing, nor does a worker that starts later', async () => {
    const id = await insertOld();
    const timeline = worker.get(DatabaseTimeline, { strict: false });
    // What was written elsewhere meanwhile says nothing.
    const seen = timeline.highestSeen;
    timeline.note('0000FFFF/FFFF/0');
    expect(timeline.highestSeen).toBe(seen);
    timeline.note(`${timeline.current}/FFFF/0`);
    await beginNext();
    expect(watch.mayClaim).toBe(false);

    const other = await open();
    const itsWatch = other.get(HistoryWatch);
    await look(nothing, itsWatch);
    expect(itsWatch.mayClaim).toBe(false);
    await letTimePass();
    await look(nothing, itsWatch);
    expect(itsWatch.mayClaim).toBe(true);
    expect((await readRow(postgres, id)).status).toBe('unconfirmed');
    await other.close();
  });

  it('tells administrators what may be missing', async () => {
    const [alert] = await alerts();
    expect(alert.message).toMatch(
      /^PostgreSQL was replaced .* from 20\S+Z to 20\S+Z may be missing/,
    );
  });
});
