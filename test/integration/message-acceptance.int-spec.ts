import { randomUUID } from 'node:crypto';
import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { bodyDigest } from '../../src/idempotency/canonical-json.js';
import { MessageAcceptance } from '../../src/messages/acceptance/message-acceptance.js';
import { MessageWithdrawal } from '../../src/messages/acceptance/message-withdrawal.js';
import { RepeatedMessages } from '../../src/messages/acceptance/repeated-messages.js';
import { MessagesModule } from '../../src/messages/messages.module.js';
import { TestDatabase } from '../support/database.js';
import { Link } from '../support/link.js';
import { insertMessage, newMessage, readRow } from '../support/messages.js';
import { openModule } from '../support/module.js';
import { freePort } from '../support/server-process.js';
import { until } from '../support/until.js';

const claim = (key: string, body: object = { a: 1 }) => ({
  route: '/send',
  key,
  bodyDigest: bodyDigest(body),
});

const open = (databaseUrl: string, sendWaitMs?: number) =>
  openModule({
    databaseUrl,
    sendWaitMs,
    imports: [QueuesModule.forRole('producer'), RepliesModule, MessagesModule],
  });

describe('accepting messages', () => {
  let database: TestDatabase;
  let processes: TestingModule[];
  let acceptance: MessageAcceptance;
  let other: MessageAcceptance;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    processes = [await open(database.url), await open(database.url)];
    [acceptance, other] = processes.map((process) =>
      process.get(MessageAcceptance, { strict: false }),
    ) as [MessageAcceptance, MessageAcceptance];
  });

  afterAll(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  const count = async () => (await database.sql('select count(*)::int from messages'))[0].count;

  it('stores the row that workers and readers need', async () => {
    const message = newMessage({ reference: 'order-42', payload: { to: '+1', b: [1, 'ü'] } });
    expect(await acceptance.accept(message)).toMatchObject({
      messageId: message.id,
      isReplay: false,
    });
    const row = await readRow(database, message.id);
    expect(row).toMatchObject({
      account_id: message.accountId,
      api_key_id: message.apiKeyId,
      mode: 'live',
      type: 'button',
      recipient: '+14155550123',
      reference: 'order-42',
      status: 'queued',
      attempt: 0,
      waiting: true,
      timeline: [],
      payload: { to: '+1', b: [1, 'ü'], biz_opaque_callback_data: message.id },
    });
    expect(row.next_attempt_at).toEqual(row.created_at);
    expect(row.give_up_at.getTime() - row.created_at.getTime()).toBe(9_000);
  });

  it('answers the first message to the same key and body, from any process', async () => {
    const key = randomUUID();
    const first = await acceptance.accept(newMessage({ idempotency: claim(key) }));
    const before = await count();
    const again = await other.accept(newMessage({ idempotency: claim(key) }));
    expect(again).toEqual({ messageId: first.messageId, isReplay: true, day: null });
    expect(await count()).toBe(before);
  });

  it('refuses the same key with another body', async () => {
    const key = randomUUID();
    const { messageId } = await acceptance.accept(newMessage({ idempotency: claim(key) }));
    await expect(
      other.accept(newMessage({ idempotency: claim(key, { a: 2 }) })),
    ).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      details: { message_id: messageId },
    });
  });

  it('stores one row for fifty parallel requests with one key', async () => {
    const key = randomUUID();
    const before = await count();
    const accepted = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? acceptance : other).accept(newMessage({ idempotency: claim(key) })),
      ),
    );
    expect(new Set(accepted.map(({ messageId }) => messageId)).size).toBe(1);
    expect(accepted.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(await count()).toBe(before + 1);
  });

  it('stores every message of many groups with shuffled keys from two processes', async () => {
    const keys = Array.from({ length: 300 }, () => randomUUID());
    const before = await count();
    const accepted = await Promise.all(
      [...keys, ...keys.toReversed()].map((key, index) =>
        (index % 2 ? acceptance : other).accept(newMessage({ idempotency: claim(key) })),
      ),
    );
    expect(accepted.filter(({ isReplay }) => !isReplay)).toHaveLength(300);
    expect(await count()).toBe(before + 300);
  });

  it('takes an expired key for a new one', async () => {
    const key = randomUUID();
    const first = await acceptance.accept(newMessage({ idempotency: claim(key) }));
    await database.sql(`update idempotency_keys set expires_at = now() where key = $1`, [key]);
    const second = await acceptance.accept(newMessage({ idempotency: claim(key, { a: 2 }) }));
    expect(second.isReplay).toBe(false);
    expect(second.messageId).not.toBe(first.messageId);
    const again = await acceptance.accept(newMessage({ idempotency: claim(key, { a: 2 }) }));
    expect(again).toEqual({ messageId: second.messageId, isReplay: true, day: null });
  });

  it('stores as many messages as the daily limit of their key allows, and no more', async () => {
    const apiKeyId = randomUUID();
    const before = await count();
    const messages = Array.from({ length: 40 }, (_, index) =>
      newMessage({
        apiKeyId,
        dailyLimit: 15,
        idempotency: index % 2 ? claim(`day ${index}`) : null,
      }),
    );
    const bystanders = Array.from({ length: 10 }, () => newMessage());
    const results = await Promise.allSettled(
      [...messages, ...bystanders].map((message, index) =>
        (index % 2 ? acceptance : other).accept(message),
      ),
    );
    const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(25);
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'DAILY_LIMIT_EXCEEDED', dayUsed: { used: 15 } });
    }
    expect(await count()).toBe(before + 25);
    const [{ used }] = await database.sql('select used from api_key_usage where api_key_id = $1', [
      apiKeyId,
    ]);
    expect(used).toBe(15);
    // A key whose message was refused is free.
    const sql = `select 1 from idempotency_keys k left join messages m on m.id = k.message_id
                 where k.api_key_id = $1 and m.id is null`;
    expect(await database.sql(sql, [apiKeyId])).toEqual([]);
  });

  it('counts repetitions once, even when the day is used up', async () => {
    const apiKeyId = randomUUID();
    const repeat = (index: number) =>
      (index % 2 ? acceptance : other).accept(
        newMessage({ apiKeyId, dailyLimit: 1, idempotency: claim('again') }),
      );
    const accepted = await Promise.all(Array.from({ length: 20 }, (_, index) => repeat(index)));
    expect(accepted.filter(({ isReplay }) => !isReplay)).toMatchObject([{ day: { used: 1 } }]);
    expect(await repeat(0)).toMatchObject({ isReplay: true });
  });

  it('keeps keys of other API keys and routes apart', async () => {
    const key = randomUUID();
    const accepted = [
      await acceptance.accept(newMessage({ idempotency: claim(key) })),
      await acceptance.accept(newMessage({ idempotency: claim(key), apiKeyId: randomUUID() })),
      await acceptance.accept(newMessage({ idempotency: { ...claim(key), route: '/other' } })),
    ];
    expect(accepted.map(({ isReplay }) => isReplay)).toEqual([false, false, false]);
  });

  it('lets one row that the store refuses fail alone', async () => {
    const id = await insertMessage(database);
    const good = Array.from({ length: 10 }, () => newMessage());
    const bad = [newMessage({ reference: 'a\0b' }), newMessage({ id })];
    const results = await Promise.allSettled(
      [...good.slice(0, 5), ...bad, ...good.slice(5)].map((message) => acceptance.accept(message)),
    );
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
      ...Array(5).fill(true),
      false,
      false,
      ...Array(5).fill(true),
    ]);
    for (const message of good) expect((await readRow(database, message.id)).status).toBe('queued');
  });

  describe('with a store that', () => {
    /** Lets inserts of messages of this status fail until `mend`. */
    const fail = (status: string, sqlState: string) =>
      database.sql(
        `create sequence failures;
         create function fail() returns trigger language plpgsql as $$
         begin perform nextval('failures'); raise sqlstate '${sqlState}' using message = 'as the test wants it'; end $$;
         create trigger fail before insert on messages for each row
         when (new.status = '${status}') execute function fail()`,
      );
    const mend = () =>
      database.sql('drop function if exists fail cascade; drop sequence if exists failures');
    // A sequence keeps its value when its transaction is rolled back.
    const failures = async () =>
      Number((await database.sql('select last_value from failures'))[0].last_value);
    afterEach(mend);

    it('gives way to deadlocks answers 503 and stores nothing that could be sent', async () => {
      await fail('queued', '40P01');
      const message = newMessage();
      await expect(acceptance.accept(message)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        details: { message_id: message.id },
      });
      expect(await readRow(database, message.id)).toMatchObject({
        status: 'failed',
        error: { reason: 'withdrawn' },
      });
    });

    it('meets an internal error withdraws a message once that is over', async () => {
      await fail('failed', 'XX000');
      const message = newMessage();
      await insertMessage(database, { id: message.id });
      const withdrawal = processes[0]?.get(MessageWithdrawal, { strict: false });
      const withdrawn = withdrawal?.withdraw(message);
      await until(async () => (await failures()) > 1);
      expect((await readRow(database, message.id)).status).toBe('queued');
      await mend();
      await withdrawn;
      expect((await readRow(database, message.id)).status).toBe('failed');
    });
  });

  describe('repetitions over a network that', () => {
    let link: Link;
    let far: TestingModule;
    let farAcceptance: MessageAcceptance;
    let messageId: string;
    const repeat = () => farAcceptance.accept(newMessage({ idempotency: claim('far') }));

    beforeAll(async () => {
      link = new Link(await freePort());
      link.target = Number(new URL(database.url).port);
      await link.join();
      far = await open(Object.assign(new URL(database.url), { port: link.port }).href, 10_000);
      farAcceptance = far.get(MessageAcceptance, { strict: false });
      ({ messageId } = await repeat());
    });

    afterAll(async () => {
      await far.close();
      link.cut();
    });

    it('is too slow for further connections are all answered', async () => {
      // Longer than a connection may take to be opened.
      link.delayMs = 1_100;
      const answers = await Promise.all(Array.from({ length: 25 }, repeat));
      link.delayMs = 0;
      expect(answers).toEqual(answers.map(() => ({ messageId, isReplay: true, day: null })));
    });

    it('breaks are answered once it is whole again', async () => {
      link.cut();
      const found = far
        .get(RepeatedMessages, { strict: false })
        .find(newMessage().apiKeyId, claim('far'));
      await expect(far.get(DataSource).query('select 1')).rejects.toThrow();
      await link.join();
      expect(await found).toBe(messageId);
    });
  });
});
