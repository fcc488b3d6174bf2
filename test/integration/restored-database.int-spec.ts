import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import {
  beginHistoryAnew,
  noteHistory,
  noteWitness,
} from '../../src/database/history/database-history.js';
import { newId } from '../../src/database/ids.js';
import { checkRestore } from '../../src/doctor/restore-checks.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { HistoryWatch } from '../../src/sending/history-watch.js';
import { holdRestored } from '../../src/sending/restored-database.js';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { TestDatabase } from '../support/database.js';
import { insertMessage, readRow } from '../support/messages.js';
import { openModule } from '../support/module.js';

describe('a restored database', () => {
  let database: TestDatabase;
  let process: TestingModule;
  let dataSource: DataSource;
  let accountId: string;
  let apiKeyId: string;

  beforeEach(async () => {
    database = await TestDatabase.clone('seeded');
    process = await open();
    dataSource = process.get(DataSource);
    accountId = await addAccount(database);
    apiKeyId = (await addApiKey(database, { accountId })).id;
    await noteHistory(dataSource);
  });

  afterEach(async () => {
    await process.close();
    await database.drop();
  });

  const open = () =>
    openModule({
      databaseUrl: database.url,
      imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
      providers: [HistoryWatch],
    });

  /** From now on it is a copy of what it was. */
  async function restore(): Promise<void> {
    await database.sql(
      `update database_histories set history = 'the original', is_synchronous = true`,
    );
    await noteHistory(dataSource);
  }

  const insert = (change = {}) =>
    insertMessage(database, {
      accountId,
      apiKeyId,
      createdIn: -300,
      nextAttemptIn: -300,
      ...change,
    });

  async function schedule(sendIn: number): Promise<string> {
    const id = newId();
    await database.sql(
      `insert into scheduled_messages (id, account_id, api_key_id, mode, type, recipient, payload, send_at, expires_at,
         needs_mapping, needs_window, route, created_at)
       values ($1, $2, $3, 'live', 'text', '+14155550123', '{}', now() + make_interval(secs => $4),
         now() + interval '1 day', false, false, '/send', now() - interval '1 hour')`,
      [id, accountId, apiKeyId, sendIn],
    );
    return id;
  }

  async function campaign(
    status: string,
    change: { reason?: string; sendIn?: number; since?: number } = {},
  ): Promise<string> {
    const id = newId();
    await database.sql(
      `insert into campaigns (id, account_id, api_key_id, mode, name, template_name, language, message_events, status, reason, send_at,
         created_at, running_since, paused_at)
       values ($1, $2, $3, 'live', 'Sale', 'sale', 'en', 'all', $4, $5, now() + make_interval(secs => $6),
         now() - interval '1 hour', now() + make_interval(secs => $7), now() + make_interval(secs => $7))`,
      [
        id,
        accountId,
        apiKeyId,
        status,
        change.reason ?? null,
        change.sendIn ?? null,
        change.since ?? -60,
      ],
    );
    return id;
  }

  const statusOf = async (id: string) => (await readRow(database, id)).status;
  const campaignOf = async (id: string) => {
    const [row] = await database.sql('select status, reason from campaigns where id = $1', [id]);
    return [row.status, row.reason];
  };
  const alerts = (kind: string) =>
    database.sql('select account_id, subject, message, details from alerts where kind = $1', [
      kind,
    ]);
  const doctor = async () =>
    (await checkRestore(dataSource)).map(({ verdict, text }) => `${verdict} ${text}`);

  it('holds every message that may have been sent, and tells the account', async () => {
    const waiting = await insert();
    const later = await insert({ nextAttemptIn: 600, attempt: 1, waiting: false });
    const sending = await insert({ status: 'sending', attempt: 1, leaseIn: 20 });
    const due = await schedule(-5);
    const notDue = await schedule(600);
    const sent = await insert({ status: 'sent', attempt: 1 });
    await restore();
    const own = await insert({ createdIn: 1 });
    expect(await doctor()).toEqual([
      expect.stringMatching(/^warn .+ 4 messages unconfirmed and pause 0 campaigns/),
    ]);

    expect(await holdRestored(dataSource)).toEqual({ messages: 4, campaigns: 0 });
    for (const id of [waiting, later, sending, due]) expect(await statusOf(id)).toBe('unconfirmed');
    expect(await statusOf(sent)).toBe('sent');
    expect(await statusOf(own)).toBe('queued');
    expect(await database.sql('select id from scheduled_messages')).toEqual([{ id: notDue }]);
    expect(await alerts('database_restored')).toEqual([
      {
        account_id: accountId,
        subject: expect.stringMatching(/^20\S+Z$/),
        message: expect.stringContaining('4 messages are unconfirmed and 0 campaigns are paused'),
        details: expect.objectContaining({ messages: 4, campaigns: 0 }),
      },
    ]);
    expect(await doctor()).toEqual([expect.stringMatching(/^warn .+ restored: 4 messages/)]);
  });

  it('pauses every campaign that would go on by itself', async () => {
    const held = [
      await campaign('running'),
      await campaign('scheduled', { sendIn: -5 }),
      await campaign('paused', { reason: 'daily_limit' }),
      await campaign('paused', { reason: 'number_paused' }),
      await campaign('paused', { reason: 'template_paused' }),
    ];
    const others = [
      await campaign('draft'),
      await campaign('scheduled', { sendIn: 600 }),
      await campaign('paused', { reason: 'operator' }),
      await campaign('completed'),
    ];
    const before = await Promise.all(others.map(campaignOf));
    await restore();
    // Somebody has resumed it in the copy.
    const resumed = await campaign('running', { since: 1 });

    expect(await holdRestored(dataSource)).toEqual({ messages: 0, campaigns: 5 });
    for (const id of held) expect(await campaignOf(id)).toEqual(['paused', 'restored']);
    expect(await Promise.all(others.map(campaignOf))).toEqual(before);
    expect(await campaignOf(resumed)).toEqual(['running', null]);
    const told = await alerts('campaign_paused');
    expect(new Set(told.map(({ subject }) => subject))).toEqual(new Set(held));
  });

  it('holds once: what somebody releases afterwards goes on', async () => {
    await insert();
    const running = await campaign('running');
    await restore();
    await holdRestored(dataSource);
    await database.sql(`update campaigns set status = 'running', reason = null where id = $1`, [
      running,
    ]);
    const later = await insert();
    expect(await holdRestored(dataSource)).toBeNull();
    expect(await campaignOf(running)).toEqual(['running', null]);
    expect(await statusOf(later)).toBe('queued');
    expect(await alerts('database_restored')).toHaveLength(1);
  });

  it('holds everything by several workers at once, and counts it once', async () => {
    await database.sql(
      `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting,
         created_at, next_attempt_at, give_up_at)
       select uuidv7(), $1, $2, 'live', 'button', '+14155550123', '{}', number % 2 = 0,
         now() - interval '1 minute', now() - interval '1 minute', now() + interval '1 minute'
       from generate_series(1, 2500) as number`,
      [accountId, apiKeyId],
    );
    await restore();
    const held = await Promise.all([1, 2, 3].map(() => holdRestored(dataSource)));
    expect(held.filter(Boolean)).toEqual([{ messages: 2_500, campaigns: 0 }]);
    expect(await database.sql(`select from messages where status <> 'unconfirmed'`)).toEqual([]);
  });

  it('holds nothing in the first history, nor where a worker vouches for it', async () => {
    const id = await insert();
    const running = await campaign('running');
    expect(await holdRestored(dataSource)).toBeNull();
    expect(await doctor()).toEqual([expect.stringMatching(/^ok /)]);
    await restore();
    await noteWitness(dataSource);
    expect(await holdRestored(dataSource)).toBeNull();
    expect(await doctor()).toEqual([expect.stringMatching(/^ok /)]);
    expect(await statusOf(id)).toBe('queued');
    expect(await campaignOf(running)).toEqual(['running', null]);
  });

  it('lets no witness stop what has begun', async () => {
    const id = await insert();
    await restore();
    await database.sql(
      `update database_histories set held = '{}' where history = database_history()`,
    );
    await noteWitness(dataSource);
    expect(await holdRestored(dataSource)).toEqual({ messages: 1, campaigns: 0 });
    expect(await statusOf(id)).toBe('unconfirmed');
  });

  it('is held when somebody says so that it is a copy, and again when they say it again', async () => {
    const id = await insert();
    await beginHistoryAnew(dataSource);
    expect(await holdRestored(dataSource)).toEqual({ messages: 1, campaigns: 0 });
    expect(await statusOf(id)).toBe('unconfirmed');
    await beginHistoryAnew(dataSource);
    expect(await holdRestored(dataSource)).toEqual({ messages: 0, campaigns: 0 });
  });

  it('makes new workers wait for a witness, then hold, and then claim, though the original was replicated', async () => {
    const id = await insert();
    await restore();
    const watch = process.get(HistoryWatch);
    const look = (by: HistoryWatch) =>
      by.look({ inHand: new Map(), missesRows: false }, () => Promise.resolve(0));
    await look(watch);
    expect([watch.mayClaim, await statusOf(id)]).toEqual([false, 'queued']);
    await database.sql(
      `update database_histories set began_at = began_at - interval '21 seconds'
       where history = database_history()`,
    );
    await look(watch);
    expect([watch.mayClaim, await statusOf(id)]).toEqual([true, 'unconfirmed']);
    // One that starts later has nothing to wait for.
    const other = await open();
    await look(other.get(HistoryWatch));
    expect(other.get(HistoryWatch).mayClaim).toBe(true);
    await other.close();
  });

  it('is noticed by a worker that lives on, too: it knew another database', async () => {
    const watch = process.get(HistoryWatch);
    const look = () =>
      watch.look({ inHand: new Map(), missesRows: false }, () => Promise.resolve(0));
    await look();
    expect(watch.mayClaim).toBe(true);
    const copy = await TestDatabase.clone('seeded');
    const moved = await openModule({
      databaseUrl: copy.url,
      imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
    });
    await noteHistory(moved.get(DataSource));
    await copy.sql(`update database_histories set history = 'the original'`);
    // As if its address led to the copy now.
    Object.assign(watch, { dataSource: moved.get(DataSource) });
    await look();
    expect(watch.mayClaim).toBe(false);
    expect(await copy.sql('select from database_histories where witnessed_at is not null')).toEqual(
      [],
    );
    await moved.close();
    await copy.drop();
  });
});
