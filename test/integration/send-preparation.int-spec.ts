import { jest } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageChangesModule } from '../../src/messages/message-changes.module.js';
import { MessageClaims } from '../../src/messages/message-claims.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { QuotaModule } from '../../src/quota/quota.module.js';
import { MessageSending } from '../../src/sending/message-sending.js';
import { NumberHolds } from '../../src/sending/number-holds.js';
import { PlatformGateway } from '../../src/sending/platform-gateway.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { insertMessage, readRow } from '../support/messages.js';
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
      providers: [MessageSending, NumberHolds, PlatformGateway],
    });
  });

  afterEach(async () => {
    await process.close();
    await database.drop();
  });

  /** Tries a new message once, and returns its row. */
  async function sendOne(mode: 'live' | 'test' = 'live') {
    const claims = process.get(MessageClaims, { strict: false });
    const id = await insertMessage(database, { mode });
    const [message] = await claims.claim([id], claims.newToken());
    if (!message) throw new Error('the message was not claimed');
    const settle = await process.get(MessageSending).send(message, new AbortController().signal);
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

  it('is tried again when this worker has no simulator', async () => {
    const { row } = await sendOne('test');
    expect(row).toMatchObject({ status: 'queued', error: { reason: 'no_simulator' } });
  });
});
