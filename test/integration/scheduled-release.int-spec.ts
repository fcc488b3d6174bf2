import { randomUUID } from 'node:crypto';
import type { TestingModule } from '@nestjs/testing';
import { newId } from '../../src/database/ids.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { ScheduledRelease } from '../../src/messages/rows/scheduled-release.js';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { TestDatabase } from '../support/database.js';
import { readRow } from '../support/messages.js';
import { openModule } from '../support/module.js';

/** What a scheduled row differs in from a text that is due. Times are seconds from now. */
interface ScheduledChange {
  type?: string;
  mode?: string;
  sendIn?: number;
  expiresIn?: number;
  payload?: object;
  fallback?: object;
  recipient?: string;
  needs?: { mapping?: boolean; window?: boolean; mediaIn?: number };
  idempotencyKey?: string;
  apiKeyId?: string;
  accountId?: string;
}

const template = (name = 'plain') => ({
  type: 'template',
  template: { name, language: { code: 'en_US' } },
});

describe('releasing scheduled messages', () => {
  let database: TestDatabase;
  let processes: TestingModule[];
  let releases: ScheduledRelease[];
  let accountId: string;
  let apiKeyId: string;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    const open = () =>
      openModule({
        databaseUrl: database.url,
        imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
      });
    processes = [await open(), await open()];
    releases = processes.map((process) => process.get(ScheduledRelease, { strict: false }));
  });

  beforeEach(async () => {
    await database.empty('messages, scheduled_messages');
    accountId = await addAccount(database);
    apiKeyId = (await addApiKey(database, { accountId })).id;
  });

  afterAll(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  /** Inserts rows that differ in their id alone, and returns the ids in their order. */
  async function schedule(change: ScheduledChange = {}, count = 1): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId()).toSorted((a, b) => (a < b ? -1 : 1));
    await database.sql(
      `insert into scheduled_messages (id, account_id, api_key_id, mode, type, recipient, payload,
         fallback, send_at, expires_at, needs_mapping, needs_window, media_until, route, key, created_at)
       select id, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9),
         now() + make_interval(secs => $10), $11, $12, now() + make_interval(secs => $13), '/send', $14,
         now() - interval '1 hour'
       from unnest($1::uuid[]) as id`,
      [
        ids,
        change.accountId ?? accountId,
        change.apiKeyId ?? apiKeyId,
        change.mode ?? 'live',
        change.type ?? 'text',
        change.recipient ?? '+14155550123',
        change.payload ?? { type: 'text' },
        change.fallback ?? null,
        change.sendIn ?? -1,
        change.expiresIn ?? 3_600,
        change.needs?.mapping ?? false,
        change.needs?.window ?? false,
        change.needs?.mediaIn ?? null,
        change.idempotencyKey ?? null,
      ],
    );
    return ids;
  }

  const release = async (limit = 10_000) =>
    (await releases[0]?.release(limit)) as never as Released;
  type Released = Awaited<ReturnType<ScheduledRelease['release']>>;
  const left = async () =>
    (await database.sql('select id from scheduled_messages order by id')).map(({ id }) => id);

  async function addTemplate(change: { status?: string; isDeleted?: boolean } = {}) {
    const id = newId();
    await database.sql(
      `insert into templates (id, account_id, mode, name, language, category, status, parameter_format,
         components, deleted_at)
       values ($1, $2, 'live', 'plain', 'en_US', 'MARKETING', $3, 'POSITIONAL', '[]', $4)`,
      [id, accountId, change.status ?? 'APPROVED', change.isDeleted ? new Date() : null],
    );
    return id;
  }

  /** WhatsApp has told of everything for a day, so that the window of strangers is closed. */
  const closeWindows = () =>
    database.sql(
      `insert into account_notifications (account_id, mode, last_at, since, history)
       values ($1, 'live', now(), now() - interval '2 days', database_history())`,
      [accountId],
    );

  describe('whose time has come', () => {
    it('moves them, with everything that they have, and leaves the others', async () => {
      const [due] = await schedule({ payload: { type: 'text', text: { body: 'hi' } } });
      const later = await schedule({ sendIn: 60 });
      expect(await release()).toEqual({ queued: [due], failed: [] });
      const row = await readRow(database, due as string);
      expect(row).toMatchObject({
        account_id: accountId,
        api_key_id: apiKeyId,
        status: 'queued',
        attempt: 0,
        waiting: false,
        payload: { type: 'text', text: { body: 'hi' } },
        recipient: '+14155550123',
      });
      expect(row.send_at < row.queued_at).toBe(true);
      expect(row.created_at < row.send_at).toBe(true);
      expect(row.give_up_at.getTime() - row.queued_at.getTime()).toBe(900_000);
      expect(await left()).toEqual(later);
      expect(await release()).toEqual({ queued: [], failed: [] });
    });

    it('no longer than they may be tried', async () => {
      const [id] = await schedule({ expiresIn: 60 });
      await release();
      const row = await readRow(database, id as string);
      expect(row.give_up_at).toEqual(row.expires_at);
    });

    it('keeps their idempotency keys for another day', async () => {
      const key = randomUUID();
      const [id] = await schedule({ idempotencyKey: key });
      await database.sql(
        `insert into idempotency_keys values ($1, '/send', $2, '', $3, 'infinity'),
           ($1, '/other', $2, '', $3, 'infinity')`,
        [apiKeyId, key, id],
      );
      await release();
      const ends = await database.sql(
        `select route, case when isfinite(expires_at)
           then round(extract(epoch from expires_at - now()) / 3600) end::int as hours
         from idempotency_keys where key = $1 order by 1`,
        [key],
      );
      expect(ends).toEqual([
        { route: '/other', hours: null },
        { route: '/send', hours: 24 },
      ]);
    });
  });

  describe('at the pace of their number', () => {
    const paced = (pace: number) =>
      database.sql('update accounts set messages_per_second = $2 where id = $1', [accountId, pace]);

    it('two seconds ahead at most, the oldest first', async () => {
      await paced(10);
      const young = await schedule({ sendIn: -5 }, 15);
      const old = await schedule({ sendIn: -10 }, 15);
      const { queued } = await release();
      expect(queued).toEqual([...young.slice(0, 5), ...old].toSorted((a, b) => (a < b ? -1 : 1)));
      expect((await release()).queued).toEqual([]);
      // What the number has sent makes room.
      await database.sql(`update messages set status = 'sent' where id = any ($1)`, [old]);
      expect((await release()).queued).toEqual(young.slice(5));
    });

    it('2,000 ahead at most where there is no pace', async () => {
      await database.sql('update accounts set messages_per_second = null where id = $1', [
        accountId,
      ]);
      await schedule({}, 2_010);
      expect((await release()).queued).toHaveLength(2_000);
      expect((await release()).queued).toEqual([]);
    });

    it('as many as asked for at once', async () => {
      await paced(100);
      await schedule({}, 100);
      expect((await release(30)).queued).toHaveLength(30);
    });

    it('not faster with two workers', async () => {
      await paced(50);
      const ids = await schedule({}, 500);
      const rounds = Array.from({ length: 10 }).flatMap(() =>
        releases.map((each) => each.release(60)),
      );
      const queued = (await Promise.all(rounds)).flatMap((round) => round.queued);
      expect(queued).toHaveLength(100);
      expect(new Set(queued).size).toBe(100);
      expect(await left()).toHaveLength(ids.length - 100);
    });

    it('not while it is on hold, which other numbers do not notice', async () => {
      await database.sql(
        `update accounts set hold_kind = 'throttled', hold_until = now() + interval '1 hour' where id = $1`,
        [accountId],
      );
      const held = await schedule();
      const other = await addAccount(database);
      const [id] = await schedule({
        accountId: other,
        apiKeyId: (await addApiKey(database, { accountId: other })).id,
      });
      expect((await release()).queued).toEqual([id]);
      expect(await left()).toEqual(held);
      // A test goes to the simulator, which knows no hold.
      const [test] = await schedule({ mode: 'test' });
      expect((await release()).queued).toEqual([test]);
      // What may not be sent any more does not wait for the end of the hold.
      const [late] = await schedule({ expiresIn: -1 });
      expect((await release()).failed).toMatchObject([
        { id: late, failure: { reason: 'expired' } },
      ]);
    });

    it('one, while its number is paused and waits for a message to try', async () => {
      await database.sql(
        `update accounts set hold_kind = 'paused', hold_until_report = true, hold_probe = 'open' where id = $1`,
        [accountId],
      );
      await schedule({}, 5);
      const rounds = await Promise.all(releases.map((each) => each.release(60)));
      expect(rounds.flatMap(({ queued }) => queued)).toHaveLength(1);
      expect((await release()).queued).toEqual([]);
    });
  });

  describe('of which something has changed', () => {
    const change = (sql: string) => database.sql(sql, [apiKeyId]);

    it.each([
      ['key_deleted', 'delete from api_keys where id = $1'],
      ['key_revoked', 'update api_keys set revoked_at = now() where id = $1'],
      ['key_suspended', 'update api_keys set suspended_at = now() where id = $1'],
      ['key_expired', `update api_keys set expires_at = now() where id = $1`],
      ['key_inactive', 'update api_keys set active = false where id = $1'],
      [
        'account_not_active',
        'update accounts set active = false where id = (select account_id from api_keys where id = $1)',
      ],
    ])('fails them: %s', async (reason, sql) => {
      const [id] = await schedule();
      await change(sql);
      expect(await release()).toMatchObject({
        queued: [],
        failed: [{ id, status: 'failed', failure: { code: 'MESSAGE_SEND_FAILED', reason } }],
      });
      const row = await readRow(database, id as string);
      expect(row).toMatchObject({
        status: 'failed',
        queued_at: null,
        error: { reason, retryable: false, platformCode: null },
        timeline: [{ status: 'failed', source: 'worker' }],
      });
      expect(row.failed_at).toBeInstanceOf(Date);
      expect(await left()).toEqual([]);
    });

    it('fails what could not be released in time, which may be sent again', async () => {
      const [id] = await schedule({ expiresIn: -1 });
      expect((await release()).failed).toMatchObject([
        { id, failure: { reason: 'expired', retryable: true } },
      ]);
    });

    it.each([
      ['is paused', { status: 'PAUSED' }],
      ['is deleted', { isDeleted: true }],
    ])('fails templates: one that %s', async (_, state) => {
      await addTemplate(state);
      const [id] = await schedule({ type: 'template', payload: template() });
      expect((await release()).failed).toMatchObject([
        { id, failure: { reason: 'template_not_approved' } },
      ]);
    });

    it('fails a template whose mapping is broken or gone; others need none', async () => {
      const templateId = await addTemplate();
      const filled = { type: 'template', payload: template(), needs: { mapping: true } };
      const map = (reason: string | null) =>
        database.sql(
          `insert into template_mappings (api_key_id, template_id, variables, broken_reason)
           values ($1, $2, '{}', $3)
           on conflict (api_key_id, template_id) do update set broken_reason = $3`,
          [apiKeyId, templateId, reason],
        );
      const [gone] = await schedule(filled);
      expect((await release()).failed).toMatchObject([
        { id: gone, failure: { reason: 'mapping_broken' } },
      ]);
      await map('The variable name is gone.');
      const [broken] = await schedule(filled);
      expect((await release()).failed).toMatchObject([
        { id: broken, failure: { reason: 'mapping_broken' } },
      ]);
      const [raw] = await schedule({ ...filled, needs: {} });
      await map(null);
      const [whole] = await schedule(filled);
      const { queued, failed } = await release();
      expect([new Set(queued), failed]).toEqual([new Set([raw, whole]), []]);
    });

    it('fails a file that WhatsApp has deleted', async () => {
      const [gone] = await schedule({ needs: { mediaIn: -1 } });
      const [there] = await schedule({ needs: { mediaIn: 60 } });
      expect(await release()).toMatchObject({
        queued: [there],
        failed: [{ id: gone, failure: { reason: 'media_expired' } }],
      });
    });

    it('fails a template to somebody who has opted out', async () => {
      await addTemplate();
      await database.sql(
        `insert into contacts (id, account_id, mode, phone, opted_out, active_at)
         values ($1, $2, 'live', '+14155550199', 'marketing', now())`,
        [newId(), accountId],
      );
      const to = { recipient: '+14155550199' };
      const [id] = await schedule({ ...to, type: 'template', payload: template() });
      const [text] = await schedule(to);
      expect(await release()).toMatchObject({
        queued: [text],
        failed: [{ id, failure: { reason: 'opted_out' } }],
      });
    });
  });

  describe('to users whose window is closed', () => {
    beforeEach(closeWindows);

    it('sends them, or fails where the caller wants that', async () => {
      const [plain] = await schedule();
      const [strict] = await schedule({ needs: { window: true } });
      expect(await release()).toMatchObject({
        queued: [plain],
        failed: [{ id: strict, failure: { reason: 'window_closed' } }],
      });
    });

    it('sends the fallback in their place', async () => {
      await addTemplate();
      const [id] = await schedule({ fallback: template(), needs: { mediaIn: -1 } });
      expect((await release()).queued).toEqual([id]);
      expect(await readRow(database, id as string)).toMatchObject({
        type: 'template',
        sent_as: 'fallback',
        fallback: null,
        payload: { ...template(), biz_opaque_callback_data: id },
      });
    });

    it('fails where the fallback may not be sent any more', async () => {
      await addTemplate({ status: 'DISABLED' });
      await schedule({ fallback: template() });
      expect((await release()).failed).toMatchObject([
        { failure: { reason: 'template_not_approved' } },
      ]);
    });

    it('but to others the message, which keeps its fallback', async () => {
      await addTemplate();
      await database.sql(
        `insert into contacts (id, account_id, mode, phone, last_inbound_at, active_at)
         values ($1, $2, 'live', '+14155550188', now(), now())`,
        [newId(), accountId],
      );
      const [id] = await schedule({ recipient: '+14155550188', fallback: template() });
      expect((await release()).queued).toEqual([id]);
      expect(await readRow(database, id as string)).toMatchObject({
        type: 'text',
        fallback: template(),
      });
    });
  });

  it('does not bring back what was withdrawn', async () => {
    const [id] = await schedule();
    await database.sql('update scheduled_messages set withdrawn = true where id = $1', [id]);
    expect(await release()).toEqual({ queued: [], failed: [] });
    expect(await left()).toEqual([]);
    expect(await database.sql('select from messages')).toEqual([]);
  });
});
