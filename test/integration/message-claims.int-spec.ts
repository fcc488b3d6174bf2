import { randomUUID } from 'node:crypto';
import type { TestingModule } from '@nestjs/testing';
import type { PoolClient } from 'pg';
import { HotStatements } from '../../src/database/hot-statements.js';
import type { PreparedStatement } from '../../src/database/statements/statement.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { MessageClaims } from '../../src/messages/rows/message-claims.js';
import {
  claimDueMessages,
  claimMessages,
  findPacedDue,
} from '../../src/messages/rows/message-claims.statements.js';
import { MessageEndings } from '../../src/messages/rows/message-endings.js';
import { endLeases, expireMessages } from '../../src/messages/rows/message-endings.statements.js';
import { QuotaModule } from '../../src/quota/quota.module.js';
import { addAccount } from '../support/api-keys.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { insertMessage, type RowChange, readRow } from '../support/messages.js';
import { openModule } from '../support/module.js';

describe('claiming messages', () => {
  let database: TestDatabase;
  let process: TestingModule;
  let claims: MessageClaims;
  let endings: MessageEndings;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({
      databaseUrl: database.url,
      imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule, QuotaModule],
    });
    claims = process.get(MessageClaims, { strict: false });
    endings = process.get(MessageEndings, { strict: false });
  });

  beforeEach(async () => {
    await database.empty('messages');
    await database.sql(
      'update accounts set hold_kind = null, hold_until = null, messages_per_second = null',
    );
  });

  afterAll(async () => {
    await process.close();
    await database.drop();
  });

  const insert = (change: RowChange = {}) => insertMessage(database, change);
  const claimIds = async (ids: string[]) =>
    (await claims.claim(ids, claims.newToken())).claimed.map(({ id }) => id);
  const claimDueIds = async (limit = 10) =>
    (await claims.claimDue(limit, claims.newToken(), await database.now())).map(({ id }) => id);

  it('makes a row the claimer’s, with a lease and a line on its timeline', async () => {
    const before = Date.now();
    const id = await insert({ giveUpIn: 9 });
    const [claimed] = (await claims.claim([id], claims.newToken())).claimed;
    expect(claimed).toMatchObject({
      id,
      accountId: installation.accountId,
      accountVersion: expect.any(Number),
      mode: 'live',
      attempt: 1,
      payload: '{"a":1}',
      origin: null,
      waiting: true,
      traceparent: null,
      giveUpInMs: expect.any(Number),
      expiresInMs: expect.any(Number),
    });
    expect(claimed?.giveUpInMs).toBeGreaterThanOrEqual(9_000 - (Date.now() - before) - 1);
    expect(claimed?.giveUpInMs).toBeLessThanOrEqual(9_000);
    const row = await readRow(database, id);
    expect(row).toMatchObject({ status: 'sending', attempt: 1 });
    expect(row.timeline).toEqual([{ status: 'sending', at: row.sending_at, source: 'worker' }]);
    const leaseMs = row.lease_until.getTime() - row.sending_at.getTime();
    expect(leaseMs).toBeGreaterThanOrEqual(29_999);
    expect(leaseMs).toBeLessThanOrEqual(31_000);
  });

  it('never gives one row to two claimers', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => insert({ nextAttemptIn: -2 })));
    const shuffled = () => ids.toSorted(() => Math.random() - 0.5);
    const claimed = await Promise.all([
      ...Array.from({ length: 10 }, () => claimIds(shuffled())),
      ...Array.from({ length: 10 }, () => claimDueIds(30)),
    ]);
    expect(claimed.flat()).toHaveLength(100);
    expect(new Set(claimed.flat())).toEqual(new Set(ids));
  });

  it.each<[string, RowChange]>([
    ['is not due yet', { nextAttemptIn: 5 }],
    ['has been tried and may not be tried any more', { attempt: 1, giveUpIn: -1 }],
    ['no worker could try for fifteen minutes', { createdIn: -901, nextAttemptIn: -901 }],
    ...['sending', 'unconfirmed', 'sent', 'delivered', 'read', 'failed'].map(
      (status): [string, RowChange] => [`is ${status}`, { status, nextAttemptIn: -2 }],
    ),
  ])('leaves a row that %s', async (_, change) => {
    const id = await insert(change);
    expect([await claimIds([id]), await claimDueIds()]).toEqual([[], []]);
  });

  it('tries a row for the first time even after its caller has left', async () => {
    const id = await insert({ giveUpIn: -1, createdIn: -800 });
    expect(await claimIds([id])).toEqual([id]);
  });

  it.each(['throttled', 'paused'])('takes nothing for a number that is %s', async (kind) => {
    const free = await insert({ accountId: await addAccount(database), nextAttemptIn: -2 });
    const held = await insert({ nextAttemptIn: -2 });
    const test = await insert({ nextAttemptIn: -2, mode: 'test' });
    await database.sql('update accounts set hold_kind = $1 where id = $2', [
      kind,
      installation.accountId,
    ]);
    expect(await claimIds([held, free, test])).toEqual([free, test]);
    expect(await claimDueIds()).toEqual([]);
    expect(await claims.claimProbe(installation.accountId, randomUUID())).toMatchObject({
      id: held,
      attempt: 1,
    });
    expect(await claims.claimProbe(installation.accountId, randomUUID())).toBeNull();
  });

  it('finds due rows without a hint: waiting callers first, then the oldest', async () => {
    const fresh = await insert({ nextAttemptIn: 0 });
    const background = await insert({ nextAttemptIn: -50, waiting: false });
    const second = await insert({ nextAttemptIn: -3 });
    const first = await insert({ nextAttemptIn: -4 });
    expect(await claimDueIds(1)).toEqual([first]);
    expect(await claimDueIds(1)).toEqual([second]);
    expect(await claimDueIds()).toEqual([background]);
    expect(await claimIds([fresh])).toEqual([fresh]);
  });

  it('takes no due row when the claim reaches the store late', async () => {
    const id = await insert({ nextAttemptIn: -5 });
    const [clock] = await database.sql(`select (now() - interval '2 seconds')::text as earlier`);
    expect(await claims.claimDue(10, claims.newToken(), clock.earlier)).toEqual([]);
    expect(await claimDueIds()).toEqual([id]);
  });

  it('can be read back by its token while the lease lasts', async () => {
    const token = claims.newToken();
    const ids = [await insert(), await insert()];
    const { claimed } = await claims.claim(ids, token);
    const back = await claims.readBack(token);
    expect(claimed).toMatchObject(
      back.map((row) => ({
        ...row,
        giveUpInMs: expect.any(Number),
        expiresInMs: expect.any(Number),
      })),
    );
    expect(await claims.readBack(claims.newToken())).toEqual([]);
    await database.sql('update messages set lease_until = now()');
    expect(await claims.readBack(token)).toEqual([]);
  });

  it('ends everything that was forgotten, for each of two workers that do so at once', async () => {
    await database.sql(
      `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting,
         created_at, next_attempt_at, give_up_at)
       select uuidv7(), $1, $1, 'live', 'button', '+14155550123', '{}', number % 2 = 0,
         now() - interval '1 minute', now() - interval '1 minute', now() + interval '1 minute'
       from generate_series(1, 900) as number`,
      [installation.accountId],
    );
    const later = await insert({ createdIn: 5 });
    const before = await database.now();
    const work = async () => {
      let count = 0;
      for (let ended = 100; ended === 100; count += ended) {
        ended = (await endings.endForgotten(100, before)).length;
      }
      const left = await database.sql(
        `select from messages where status = 'queued' and created_at < $1`,
        [before],
      );
      return { count, left: left.length };
    };
    const [one, other] = await Promise.all([work(), work()]);
    expect([one?.left, other?.left]).toEqual([0, 0]);
    expect((one?.count ?? 0) + (other?.count ?? 0)).toBe(900);
    expect((await readRow(database, later)).status).toBe('queued');
  });

  it('declares leases over once, in bounded groups', async () => {
    const over = await Promise.all(
      Array.from({ length: 5 }, () => insert({ status: 'sending', attempt: 1, leaseIn: -1 })),
    );
    const living = await insert({ status: 'sending', attempt: 1, leaseIn: 20 });
    const ended = [
      await endings.endLeases(3),
      await endings.endLeases(3),
      await endings.endLeases(3),
    ];
    expect(ended.map(({ length }) => length)).toEqual([3, 2, 0]);
    expect(ended.flat().every(({ status }) => status === 'unconfirmed')).toBe(true);
    expect(new Set(ended.flat().map(({ id }) => id))).toEqual(new Set(over));
    const row = await readRow(database, over[0] ?? '');
    expect(row.timeline).toEqual([
      { status: 'unconfirmed', at: expect.any(Date), source: 'recovery' },
    ]);
    expect((await readRow(database, living)).status).toBe('sending');
  });

  it('fails what may not be tried any more, and keeps the platform’s last word', async () => {
    const refused = await insert({ attempt: 2, giveUpIn: -1 });
    const word = { code: 'MESSAGE_SEND_FAILED', platformCode: 131000 };
    await database.sql('update messages set error = $1 where id = $2', [word, refused]);
    const untried = await insert({ createdIn: -901, nextAttemptIn: -901, giveUpIn: -1 });
    const untriedYet = await insert({ createdIn: -800, giveUpIn: -1 });
    const toBeTried = await insert({ attempt: 1, giveUpIn: 5, nextAttemptIn: 2 });

    const expired = await endings.expire(10);
    expect(Object.fromEntries(expired.map(({ id, failure }) => [id, failure]))).toEqual({
      [refused]: word,
      [untried]: expect.objectContaining({ reason: 'expired', retryable: true }),
    });
    expect(await readRow(database, untried)).toMatchObject({
      status: 'failed',
      failed_at: expect.any(Date),
      timeline: [{ status: 'failed', source: 'recovery' }],
    });
    for (const id of [untriedYet, toBeTried]) {
      expect((await readRow(database, id)).status).toBe('queued');
    }
    expect(await endings.expire(10)).toEqual([]);
  });

  describe.each([
    { plans: 'from before it', isCounted: false },
    { plans: 'made since PostgreSQL has counted it', isCounted: true },
  ])('in a backlog of 30,000, by plans $plans,', ({ isCounted }) => {
    let connection: PoolClient;

    /** The pages that a statement looked at. */
    async function pagesOf({ name }: PreparedStatement, values: string): Promise<number> {
      await connection.query('begin');
      const { rows } = await connection.query(
        `explain (analyze, buffers, format json) execute "${name}" (${values})`,
      );
      await connection.query('rollback');
      return rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks'];
    }

    const prepare = ({ name, text }: PreparedStatement, values: unknown[]) =>
      connection.query({ name, text, values });

    /** The values of a claim of five rows. */
    async function claimFive(): Promise<string> {
      const ids = await Promise.all(Array.from({ length: 5 }, () => insert()));
      ids.sort();
      return `'{${ids.join()}}', '${randomUUID()}', '${ids[0]}', '${ids.at(-1)}', null, null`;
    }

    beforeEach(async () => {
      connection = await process.get(HotStatements, { strict: false }).pool.connect();
      const token = randomUUID();
      await prepare(claimMessages, [[], token, token, token, null, null]);
      await prepare(claimDueMessages, [1, token, new Date(), null]);
      await prepare(endLeases, [1]);
      await prepare(expireMessages, [1, {}]);
      await connection.query(
        `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting,
           status, attempt, created_at, next_attempt_at, give_up_at)
         select new_id(), $1, new_id(), 'live', 'text', '+14155550123', '{"a":1}', false, 'queued',
           0, now() - interval '1 minute', now() - interval '1 minute',
           now() + interval '1 minute'
         from generate_series(1, 30000)`,
        [installation.accountId],
      );
      // Autovacuum does so about once a minute; the next execution plans again.
      if (isCounted) await connection.query('analyze messages');
    });

    afterEach(() => connection.release());

    it('looks at the rows that are named', async () => {
      const pages = await pagesOf(claimMessages, await claimFive());
      expect(pages).toBeLessThan(300);
    });

    it('looks into the month of the named rows, and into no other', async () => {
      const { rows } = await connection.query(
        `explain (analyze, format text) execute "${claimMessages.name}" (${await claimFive()})`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Subplans Removed');
      expect(plan).not.toContain('messages_other');
    });

    it('looks at what has run out of time', async () => {
      expect(await pagesOf(expireMessages, `200, '{}'`)).toBeLessThan(300);
    });

    it('looks past the leases that still run', async () => {
      await database.sql(
        `update messages set status = 'sending', lease_until = now() + interval '1 minute'`,
      );
      await insert({ status: 'sending', leaseIn: -1 });
      expect(await pagesOf(endLeases, '200')).toBeLessThan(300);
    });

    it('looks at the oldest of those that are due, and at those that are waited for', async () => {
      const pages = await pagesOf(claimDueMessages, `5, '${randomUUID()}', now(), null`);
      expect(pages).toBeLessThan(300);
    });

    it.each(['hold_kind', 'messages_per_second'])(
      'looks past the numbers that have a %s',
      async (column) => {
        const value = { hold_kind: 'throttled', messages_per_second: 80 }[column];
        await database.sql(`update accounts set ${column} = $1 where id = $2`, [
          value,
          installation.accountId,
        ]);
        const free = await insert({ accountId: await addAccount(database), nextAttemptIn: -2 });
        const test = await insert({ nextAttemptIn: -2, mode: 'test' });
        const pages = await pagesOf(claimDueMessages, `5, '${randomUUID()}', now(), null`);
        expect(pages).toBeLessThan(300);
        // Made in the same millisecond, they have no order.
        expect(new Set(await claimDueIds())).toEqual(new Set([free, test]));
      },
    );

    it('looks at the named rows of a number with a pace, and at its bucket', async () => {
      await database.sql('update accounts set messages_per_second = 80');
      await database.sql(
        `insert into pace_buckets (account_id, tokens, at) values ($1, 20, now())
         on conflict (account_id) do update set tokens = 20`,
        [installation.accountId],
      );
      const pages = await pagesOf(claimMessages, await claimFive());
      expect(pages).toBeLessThan(400);
    });

    it('finds two seconds of pace of a number, those that are waited for first', async () => {
      await database.sql('update accounts set messages_per_second = 10');
      const waiting = await insert({ nextAttemptIn: -2 });
      const { rows } = await connection.query(
        `explain (analyze, buffers, format json) ${findPacedDue.text}`,
      );
      expect(rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(300);
      const { ids } = await claims.findPacedDue();
      expect(ids).toHaveLength(20);
      expect(ids).toContain(waiting);
    });
  });

  describe('of a number with a pace', () => {
    const accountId = installation.accountId;

    /** Gives the number a pace, and its bucket so many tokens; no more come in, because its time is ahead. */
    async function setPace(perSecond: number, tokens: number): Promise<void> {
      await database.sql(
        'update accounts set messages_per_second = $1, learnt_at = null, learnt_per_second = null',
        [perSecond],
      );
      await database.sql(
        `insert into pace_buckets (account_id, tokens, at) values ($1, $2, now() + interval '1 hour')
         on conflict (account_id) do update set tokens = $2, at = excluded.at, waited_at = null`,
        [accountId, tokens],
      );
    }
    const bucket = async () => {
      const [row] = await database.sql('select * from pace_buckets where account_id = $1', [
        accountId,
      ]);
      return row;
    };
    const claim = (ids: string[]) => claims.claim(ids, claims.newToken());
    const insertMany = async (count: number, change: RowChange = {}) => {
      const ids: string[] = [];
      for (let at = 0; at < count; at += 1) ids.push(await insert(change));
      return ids.toSorted();
    };

    it('takes as many as there are tokens, waiting callers first, then the oldest', async () => {
      await setPace(1, 3);
      // The burst of such a number is one message.
      await database.sql('update accounts set messages_per_second = 12');
      const background = await insertMany(3, { waiting: false });
      const waiting = await insertMany(2);
      const { claimed, refused } = await claim([...background, ...waiting]);
      expect(claimed.map(({ id }) => id).toSorted()).toEqual(
        [...waiting, background[0] ?? ''].toSorted(),
      );
      expect(refused.map(({ id }) => id)).toEqual(background.slice(1));
      expect(refused[0]).toMatchObject({ accountId, lane: 1, burst: 3 });
      expect(refused[0]?.waitMs).toBeGreaterThanOrEqual(5);
      expect(refused[0]?.waitMs).toBeLessThanOrEqual(84);
      expect((await bucket()).tokens).toBeLessThan(1);
    });

    it('takes single messages first, then scheduled ones, then those of campaigns', async () => {
      await setPace(80, 30);
      const [ofCampaign = '', scheduled = '', single = ''] = await insertMany(3, {
        waiting: false,
      });
      await database.sql('update messages set campaign_id = $1 where id = $1', [ofCampaign]);
      await database.sql('update messages set send_at = now() where id = $1', [scheduled]);
      const claimed: string[] = [];
      for (const tokens of [1, 11, 11]) {
        await setPace(80, tokens);
        const taken = (await claim([ofCampaign, scheduled, single])).claimed;
        claimed.push(...taken.map(({ id }) => id));
      }
      expect(claimed).toEqual([single, scheduled, ofCampaign]);
    });

    it('takes nothing without a bucket, but makes a full one: the next claim takes from it', async () => {
      await setPace(80, 20);
      await database.sql('delete from pace_buckets');
      const [id = ''] = await insertMany(1);
      expect(await claim([id])).toMatchObject({ claimed: [], refused: [{ id, waitMs: 5 }] });
      expect((await bucket()).tokens).toBe(20);
      expect((await claim([id])).claimed).toHaveLength(1);
    });

    it('makes one bucket where several claims find none', async () => {
      await setPace(1, 1);
      // A bucket of one token, to which no other comes meanwhile.
      await database.sql('update accounts set learnt_per_second = 0.0001, learnt_at = now()');
      await database.sql('delete from pace_buckets');
      const ids = await insertMany(20);
      const together = await Promise.all(ids.map((id) => claim([id])));
      const later = await claim(ids);
      expect([...together, later].flatMap(({ claimed }) => claimed)).toHaveLength(1);
      expect((await bucket()).tokens).toBeLessThan(1);
    });

    it('takes nothing while another claim has the bucket, and does not wait for it', async () => {
      await setPace(80, 20);
      const [id = ''] = await insertMany(1);
      const other = await process.get(HotStatements, { strict: false }).pool.connect();
      await other.query('begin');
      await other.query('select from pace_buckets for update');
      expect(await claim([id])).toMatchObject({ claimed: [], refused: [{ id, waitMs: 5 }] });
      await other.query('rollback');
      other.release();
      expect((await claim([id])).claimed).toHaveLength(1);
    });

    it('takes nothing else for a quarter of a second after a waiting caller got no token', async () => {
      await setPace(1, 0);
      const [waiting = ''] = await insertMany(1);
      const [background = ''] = await insertMany(1, { waiting: false });
      expect((await claim([waiting])).claimed).toEqual([]);
      expect((await bucket()).waited_at).not.toBeNull();
      // However slow the machine is, the quarter of a second is not over.
      await database.sql(
        `update pace_buckets set tokens = 1, waited_at = now() + interval '1 hour'`,
      );
      expect((await claim([background])).claimed).toEqual([]);
      expect((await claim([waiting])).claimed).toHaveLength(1);
      await database.sql(
        `update pace_buckets set tokens = 1, at = now(), waited_at = now() - interval '251 ms'`,
      );
      expect((await claim([background])).claimed).toHaveLength(1);
    });

    it('takes tokens for what is claimed alone, and none for test messages and other numbers', async () => {
      await setPace(4, 1);
      const free = await insert({ accountId: await addAccount(database) });
      const test = await insert({ mode: 'test' });
      const gone = await insert({ status: 'sending' });
      expect((await claim([free, test, gone])).claimed).toHaveLength(2);
      expect((await bucket()).tokens).toBe(1);
    });

    it('gives claimers at once no more than the tokens', async () => {
      await setPace(1, 1);
      // So slow that nothing comes back meanwhile.
      await database.sql('update accounts set learnt_per_second = 0.0001, learnt_at = now()');
      const ids = await insertMany(60);
      const claimed = await Promise.all(Array.from({ length: 8 }, () => claim(ids)));
      expect(claimed.flatMap((one) => one.claimed)).toHaveLength(1);
    });

    it('claims what no hint has named for a second after it was found', async () => {
      await setPace(80, 20);
      await insertMany(2, { nextAttemptIn: -2 });
      const { ids, seenAt } = await claims.findPacedDue();
      expect(ids).toHaveLength(2);
      const [clock] = await database.sql(`select (now() - interval '2 seconds')::text as earlier`);
      expect(await claims.claim(ids, claims.newToken(), clock.earlier)).toEqual({
        claimed: [],
        refused: [],
      });
      expect((await claims.claim(ids, claims.newToken(), seenAt)).claimed).toHaveLength(2);
    });
  });
});
