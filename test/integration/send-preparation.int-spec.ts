import { jest } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { AccountVersions } from '../../src/accounts/account-versions.js';
import { NumberHolds } from '../../src/accounts/number-holds.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { type ClaimedMessage, MessageClaims } from '../../src/messages/rows/message-claims.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { PlatformClients } from '../../src/platform/platform-clients.js';
import { QuotaModule } from '../../src/quota/quota.module.js';
import { MessageSending } from '../../src/sending/message-sending.js';
import { PlatformGateway } from '../../src/sending/platform-gateway.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { insertMessage, type RowChange, readRow } from '../support/messages.js';
import { openModule } from '../support/module.js';

describe('a send that cannot be prepared', () => {
  let database: TestDatabase;
  let process: TestingModule;

  beforeEach(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({
      databaseUrl: database.url,
      imports: [
        QueuesModule.forRole('producer'),
        RepliesModule,
        MessageChangesModule,
        PlatformModule,
        QuotaModule,
      ],
      providers: [AccountVersions, MessageSending, NumberHolds, PlatformGateway],
    });
  });

  afterEach(async () => {
    await process.close();
    await database.drop();
  });

  /** Tries a new message once, and returns its row. */
  async function sendOne(
    mode: 'live' | 'test' = 'live',
    change: RowChange = {},
    known: Partial<ClaimedMessage> = {},
  ) {
    const claims = process.get(MessageClaims, { strict: false });
    const id = await insertMessage(database, { mode, ...change });
    const [message] = (await claims.claim([id], claims.newToken())).claimed;
    if (!message) throw new Error('the message was not claimed');
    const settle = await process
      .get(MessageSending)
      .sendToPlatform({ ...message, ...known }, new AbortController().signal);
    const settled = await settle();
    return { ...settled, row: await readRow(database, id) };
  }

  it('fails for good when no key opens the access token', async () => {
    await database.sql('update accounts set access_token = $2 where id = $1', [
      installation.accountId,
      'v1.00000000.a.b.c',
    ]);
    const { row, retryInMs } = await sendOne();
    expect(row).toMatchObject({ status: 'failed', error: { reason: 'credentials_unreadable' } });
    expect(retryInMs).toBeNull();
  });

  it('is tried again when the store fails', async () => {
    const store = process.get(DataSource, { strict: false });
    const query = jest.spyOn(store, 'query').mockRejectedValueOnce(new Error('connection lost'));
    const { row, retryInMs } = await sendOne();
    query.mockRestore();
    expect(row).toMatchObject({ status: 'queued', error: { reason: 'store_unavailable' } });
    expect(retryInMs).toBeGreaterThan(0);
  });

  it('because of the store is tried again until it expires, though its caller has gone', async () => {
    const store = process.get(DataSource, { strict: false });
    const failing = async (expiresInMs: number) => {
      const query = jest.spyOn(store, 'query').mockRejectedValueOnce(new Error('connection lost'));
      const { row } = await sendOne('live', { giveUpIn: -1 }, { expiresInMs });
      query.mockRestore();
      return row.status;
    };
    expect([await failing(60_000), await failing(1)]).toEqual(['queued', 'failed']);
  });

  it('asks for the account of many messages once, and again where it has changed since', async () => {
    const gateway = process.get(PlatformGateway);
    const { accountId } = installation;
    const version = async () =>
      Number(
        (await database.sql('select version from accounts where id = $1', [accountId]))[0].version,
      );
    const look = jest.spyOn(process.get(PlatformClients, { strict: false }), 'credentialsOf');
    const prepare = (accountVersion: number) =>
      gateway.prepare({ mode: 'live', accountId, accountVersion, payload: '{}' });
    const known = await version();
    const first = Array.from({ length: 100 }, () => prepare(known));
    await database.sql('update accounts set version = version + 1 where id = $1', [accountId]);
    await Promise.all([...first, ...Array.from({ length: 100 }, () => prepare(known + 1))]);
    expect(look.mock.calls.length).toBeLessThanOrEqual(2);
    await prepare(known + 1);
    expect(look.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('is tried again when this worker has no simulator', async () => {
    const { row } = await sendOne('test');
    expect(row).toMatchObject({ status: 'queued', error: { reason: 'no_simulator' } });
  });
});
