import type { TestingModule } from '@nestjs/testing';
import { hourMs } from '#libs/durations';
import { newId } from '../../src/database/ids.js';
import type { AppError } from '../../src/errors/app-error.js';
import { type ReplyHint, ReplyHints } from '../../src/hints/reply-hints.js';
import { MessageAcceptance } from '../../src/messages/acceptance/message-acceptance.js';
import { RepeatedMessages } from '../../src/messages/acceptance/repeated-messages.js';
import { MessageReads } from '../../src/messages/reads/message-reads.js';
import { MessageWaiting } from '../../src/messages/sends/message-waiting.js';
import { SendService } from '../../src/messages/sends/send.service.js';
import type { SendRequest } from '../../src/messages/sends/send-options.js';
import { TestDatabase } from '../support/database.js';
import { insertMessage } from '../support/messages.js';
import { openModule } from '../support/module.js';

/** Every hint is lost, but for those that a test gives. */
class LostHints {
  give: (hints: ReplyHint[]) => void = () => undefined;

  listen(_: string, onHints: (hints: ReplyHint[]) => void): Promise<void> {
    this.give = onHints;
    return Promise.resolve();
  }

  publish(): Promise<void> {
    return Promise.resolve();
  }
}

/** Callers that are refused before acceptance do not count. */
class ForbiddenAcceptance {
  accept(): Promise<never> {
    return Promise.reject(new Error('this message must not be accepted'));
  }
}

describe('callers that wait', () => {
  let database: TestDatabase;
  let process: TestingModule;
  let waiting: MessageWaiting;

  beforeEach(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({
      databaseUrl: database.url,
      providers: [
        MessageReads,
        MessageWaiting,
        RepeatedMessages,
        SendService,
        { provide: ReplyHints, useClass: LostHints },
        { provide: MessageAcceptance, useClass: ForbiddenAcceptance },
      ],
    });
    waiting = process.get(MessageWaiting);
  });

  afterEach(async () => {
    await process.close();
    await database.drop();
  });

  it('hear of their messages even when every hint is lost', async () => {
    const ids = await Promise.all([
      insertMessage(database, { status: 'sending', attempt: 1 }),
      insertMessage(database, { status: 'sending', attempt: 1 }),
    ]);
    // Far longer than this test may take: their own wait does not end first.
    const outcomes = ids.map((id) => waiting.register(id, hourMs).outcome());
    await database.sql(`update messages set status = 'sent' where id = any ($1)`, [ids]);
    expect((await Promise.all(outcomes)).map(({ status }) => status)).toEqual(['sent', 'sent']);
    expect(waiting.size).toBe(0);
  });

  it('for a repetition get the state of the row, not that of a hint, which does not know the fallback', async () => {
    const id = await insertMessage(database, { status: 'sent', attempt: 1 });
    await database.sql(`update messages set sent_as = 'fallback' where id = $1`, [id]);
    const outcome = waiting.register(id, hourMs, true).outcome();
    process.get<LostHints>(ReplyHints).give([{ id, status: 'sent' }]);
    expect(await outcome).toMatchObject({ id, status: 'sent', sentAs: 'fallback' });
  });

  it('get the current state when they have waited long enough', async () => {
    const id = await insertMessage(database, { status: 'sending', attempt: 1 });
    await expect(waiting.register(id, 100).outcome()).resolves.toMatchObject({ status: 'sending' });
  });

  it('number ten thousand at most: one more is refused before anything is stored', async () => {
    const waiters = Array.from({ length: 10_000 }, () => waiting.register(newId(), 60_000));
    const request = {
      principal: { mode: 'live', account: { isActive: true, isPaused: false } },
      route: 'route',
      idempotencyKey: null,
      isAsync: false,
      reply: { request: {} },
    } as unknown as SendRequest;
    const draft = {
      type: 'text' as const,
      recipient: '+1',
      toUserId: null,
      reference: null,
      payload: {},
    };
    const send = () => process.get(SendService).sendMessage(request, draft, {});
    const refusal = await send().catch((error: AppError) => error);
    expect(refusal).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { reason: 'too_many_waiting' },
    });
    waiters[0]?.cancel();
    await expect(send()).rejects.toThrow('must not be accepted');
    for (const waiter of waiters) waiter.cancel();
  });
});
