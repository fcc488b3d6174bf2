import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import type { Principal } from '../../src/access/principal.js';
import { AuditModule } from '../../src/audit/audit.module.js';
import { CampaignReads } from '../../src/campaigns/campaign-reads.js';
import { CampaignRecipients } from '../../src/campaigns/campaign-recipients.service.js';
import { CampaignFiles } from '../../src/campaigns/campaign-template.js';
import type { CampaignRetryDto } from '../../src/campaigns/campaigns.dto.js';
import { CampaignsService } from '../../src/campaigns/campaigns.service.js';
import { CampaignFeeder } from '../../src/campaigns/release/campaign-feeder.js';
import { CampaignFeedingModule } from '../../src/campaigns/release/campaigns.worker.module.js';
import { ContactLedger } from '../../src/contacts/contact-ledger.js';
import { ContactSearch } from '../../src/contacts/search/contact-search.js';
import { newId } from '../../src/database/ids.js';
import { PeriodicWorkModule } from '../../src/database/periodic-work.module.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageCancellation } from '../../src/messages/rows/message-cancellation.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { TemplateDirectory } from '../../src/templates/sends/template-directory.js';
import { TemplateMessages } from '../../src/templates/sends/template-messages.service.js';
import { UploadedFiles } from '../../src/uploads/uploaded-files.js';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { TestDatabase } from '../support/database.js';
import { openModule } from '../support/module.js';

interface Recipient {
  to?: string;
  to_user_id?: string;
}

describe('campaigns', () => {
  let database: TestDatabase;
  let processes: TestingModule[];
  let campaigns: CampaignsService;
  let recipients: CampaignRecipients;
  let feeders: CampaignFeeder[];
  let caller: Principal;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    const open = () =>
      openModule({
        databaseUrl: database.url,
        imports: [
          AuditModule,
          PeriodicWorkModule,
          QueuesModule.forRole('producer'),
          RepliesModule,
          MessageChangesModule,
          CampaignFeedingModule,
        ],
        providers: [
          CampaignReads,
          CampaignRecipients,
          CampaignFiles,
          CampaignsService,
          ContactLedger,
          ContactSearch,
          MessageCancellation,
          TemplateDirectory,
          UploadedFiles,
          {
            provide: TemplateMessages,
            inject: [TemplateDirectory],
            useFactory: (directory: TemplateDirectory) => ({
              findMapped: (of: Principal, { template_name, language }: any) =>
                directory.load(of, template_name, language),
            }),
          },
        ],
      });
    processes = [await open(), await open()];
    const of = <T>(kind: new (...args: any[]) => T) =>
      processes.map((process) => process.get<T>(kind, { strict: false }));
    [campaigns] = of(CampaignsService) as [CampaignsService];
    [recipients] = of(CampaignRecipients) as [CampaignRecipients];
    feeders = of(CampaignFeeder);
  });

  beforeEach(async () => {
    await database.empty('messages, campaigns cascade');
    caller = await newCaller();
  });

  afterAll(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  async function newCaller(dailyLimit = 1_000_000): Promise<Principal> {
    const accountId = await addAccount(database);
    const { id: apiKeyId } = await addApiKey(database, { accountId, dailyLimit });
    await database.sql(
      `with template as (
         insert into templates (id, account_id, mode, name, language, category, status, parameter_format, components)
         values (uuidv7(), $1, 'live', 'sale', 'en', 'UTILITY', 'APPROVED', 'POSITIONAL',
           '[{"type": "BODY", "text": "Hello."}]') returning id)
       insert into template_mappings (api_key_id, template_id, variables) select $2, id, '{}' from template`,
      [accountId, apiKeyId],
    );
    return { accountId, apiKeyId, accountVersion: 1, mode: 'live' } as Principal;
  }

  const setPace = (pace: number | null) =>
    database.sql('update accounts set messages_per_second = $2 where id = $1', [
      caller.accountId,
      pace,
    ]);
  const dataSource = () => (processes[0] as TestingModule).get(DataSource);
  const manager = () => dataSource().manager;
  async function draft(list: Recipient[] = [], change = {}, of = caller): Promise<string> {
    const given = { name: 'Sale', template_name: 'sale', language: 'en', ...change };
    const checked = await campaigns.check(of, given);
    const { id } = await campaigns.create(of, given, checked, manager());
    if (list.length > 0) await add(id, list, of);
    return id;
  }
  async function add(id: string, list: Recipient[], of = caller) {
    const checked = await recipients.check(id, of, { recipients: list });
    return manager().transaction((own) => recipients.add(checked, of, own));
  }
  async function running(list: Recipient[], change = {}, of = caller): Promise<string> {
    const id = await draft(list, change, of);
    await campaigns.start(id, of);
    return id;
  }
  const ask = <T>(question: () => Promise<T>) => question();
  /** One look and one turn of a worker. @returns the messages that are queued now. */
  async function feed(feeder = feeders[0] as CampaignFeeder): Promise<string[]> {
    const offered: string[] = [];
    await feeder.look(ask);
    await feeder.feed(ask, (ids) => offered.push(...ids));
    return offered;
  }
  /** What the recipients of a campaign are, in their order: why they were skipped, or their status. */
  const outcomes = async (id: string) =>
    (
      await database.sql<{ outcome: string }>(
        `select coalesce(reason, status) as outcome from campaign_recipients where campaign_id = $1 order by position`,
        [id],
      )
    ).map(({ outcome }) => outcome);
  const statusOf = async (id: string) => {
    const { status, reason } = await campaigns.get(id, caller);
    return reason ? `${status}: ${reason}` : status;
  };
  /** What the number and the user id of a person are, as WhatsApp says. */
  const learn = (phone: string | null, userId: string | null) =>
    manager().transaction((own) =>
      (processes[0] as TestingModule).get(ContactLedger).learn(own, [
        {
          accountId: caller.accountId,
          mode: 'live',
          phone,
          userId,
          parentUserId: null,
          username: null,
          name: null,
          at: new Date(),
          isInbound: true,
          previous: null,
        },
      ]),
    );
  const fail = (change = {}) =>
    database.sql(
      `update messages set status = 'failed', failed_at = now(), error = $1
       where status = 'queued'`,
      [{ code: 'MESSAGE_SEND_FAILED', platformCode: 131026, ...change }],
    );
  const succeed = () =>
    database.sql(`update messages set status = 'sent', sent_at = now() where status = 'queued'`);
  const optOut = async (phone: string | null, userId: string | null) => {
    await learn(phone, userId);
    await database.sql(
      `update contacts set opted_out = 'all' where account_id = $1 and (phone = $2 or user_id = $3)`,
      [caller.accountId, phone, userId],
    );
  };
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({
      to: `+4930${String(1_000_000 + from + index)}`,
    }));
  const userA = 'DE.10000000000000000001';
  const userB = 'DE.10000000000000000002';
  const phoneA = '+4915110000001';

  describe('take each person once', () => {
    it('who is listed again after they wrote', async () => {
      const id = await draft([{ to: phoneA }]);
      await learn(phoneA, userA);
      expect(await add(id, [{ to: phoneA }, { to_user_id: userA }])).toMatchObject({
        added: 0,
        duplicates: 2,
        total: 1,
      });
      await campaigns.start(id, caller);
      expect(await feed()).toHaveLength(1);
      expect(await outcomes(id)).toEqual(['released']);
    });

    it.each([
      ['two spellings of a number', [{ to: '+5511987654321' }, { to: '+551187654321' }], 1],
      ['two of Mexico', [{ to: '+5215587654321' }, { to: '+525587654321' }], 1],
      ['two of Argentina', [{ to: '+5491187654321' }, { to: '+541187654321' }], 1],
      [
        'a number, and a number with a user id',
        [{ to: phoneA }, { to: phoneA, to_user_id: userA }],
        1,
      ],
      [
        'a user id, and a number with it',
        [{ to: phoneA, to_user_id: userA }, { to_user_id: userA }],
        1,
      ],
      ['two persons', [{ to: phoneA }, { to_user_id: userB }], 2],
    ])('who is listed as %s', async (_, list, added) => {
      const id = await draft();
      expect(await add(id, list)).toMatchObject({ added, duplicates: 2 - added });
      const one = await draft();
      for (const each of list) await add(one, [each]);
      expect((await campaigns.get(one, caller)).counts.total).toBe(added);
    });

    it('who is listed under two numbers that are one to WhatsApp', async () => {
      const [one, other] = ['+2250787654321', '+22587654321'] as const;
      const id = await running([{ to: one }, { to: other }]);
      const ledger = (processes[0] as TestingModule).get(ContactLedger);
      await dataSource().transaction((each) =>
        ledger.learnForms(each, [
          { accountId: caller.accountId, mode: 'live', phone: one, form: other },
        ]),
      );
      expect(await add(await draft(), [{ to: one }, { to: other }])).toMatchObject({
        added: 1,
        duplicates: 1,
      });
      expect(await feed()).toHaveLength(1);
      expect(await outcomes(id)).toEqual(['released', 'duplicate']);
    });

    it('who turns out to be two of the recipients, in one release', async () => {
      const id = await running([{ to: phoneA }, { to_user_id: userA }, { to_user_id: userB }]);
      await learn(phoneA, userA);
      expect(await feed()).toHaveLength(2);
      expect(await outcomes(id)).toEqual(['released', 'duplicate', 'released']);
    });

    it('who turns out to be one whom the campaign has reached before', async () => {
      const id = await running([{ to: phoneA }, { to_user_id: userA }], { per_second: 1 });
      expect(await feed()).toHaveLength(1);
      await learn(phoneA, userA);
      await database.sql(`update campaigns set fed_at = now() - interval '1 minute'`);
      expect(await feed()).toHaveLength(0);
      expect(await outcomes(id)).toEqual(['released', 'duplicate']);
    });

    it('and skip nobody as the duplicate of nobody', async () => {
      caller = await newCaller(2);
      const id = await running([{ to: phoneA }, { to: '+4915110000009' }, { to_user_id: userB }]);
      await learn('+4915110000009', userB);
      // 90 % of two a day is one unit: the second person's rows both wait.
      expect(await feed()).toHaveLength(1);
      expect(await outcomes(id)).toEqual(['released', 'pending', 'pending']);
    });

    it('where two workers release at once', async () => {
      const list = Array.from({ length: 60 }, (_, index) => index).flatMap((index) => [
        { to: `+49151200000${10 + index}` },
        { to_user_id: `DE.200000000000000${100 + index}` },
      ]);
      const id = await running(list);
      for (let index = 0; index < 60; index += 1) {
        await learn(`+49151200000${10 + index}`, `DE.200000000000000${100 + index}`);
      }
      const released = await Promise.all(feeders.map((feeder) => feed(feeder)));
      expect(released.flat()).toHaveLength(60);
      const counts = await outcomes(id);
      expect(counts.filter((each) => each === 'duplicate')).toHaveLength(60);
    });
  });

  describe('try again', () => {
    const retry = async (id: string, given: CampaignRetryDto = {}) => {
      const campaign = await campaigns.get(id, caller);
      return campaigns.retry(campaign, caller, given, manager());
    };
    const retried = async (id: string, given?: CampaignRetryDto) => (await retry(id, given)).id;
    const isRefused = (id: string, given?: CampaignRetryDto) =>
      expect(retry(id, given)).rejects.toMatchObject({ code: 'CAMPAIGN_STATE' });

    it('nobody whom the first retry has reached, whatever contacts have learnt meanwhile', async () => {
      const id = await running([{ to: phoneA }]);
      await feed();
      await fail();
      const first = await retried(id);
      await learn(phoneA, userA);
      await campaigns.start(first, caller);
      expect(await feed()).toHaveLength(1);
      await succeed();
      await isRefused(id);
    });

    it('nobody whom the campaign has reached under another name', async () => {
      const id = await running([{ to: phoneA }]);
      await feed();
      await fail();
      const first = await retried(id);
      const other = await running([{ to_user_id: userA }]);
      await database.sql('update campaigns set retry_of = $1 where id = $2', [id, other]);
      await feed();
      await succeed();
      await learn(phoneA, userA);
      await campaigns.start(first, caller);
      expect(await feed()).toHaveLength(0);
      expect(await outcomes(first)).toEqual(['duplicate']);
    });

    it('each person once, who failed under two names', async () => {
      const id = await running([{ to: phoneA }, { to_user_id: userA }]);
      await feed();
      await fail();
      await learn(phoneA, userA);
      const first = await retried(id);
      expect((await campaigns.get(first, caller)).counts.total).toBe(1);
    });

    it('those of a retry that was cancelled before it released them', async () => {
      const id = await running([{ to: phoneA }, { to: '+4915110000002' }]);
      await feed();
      await fail();
      const first = await retried(id);
      await isRefused(id);
      await campaigns.cancel(first, caller);
      const second = await retried(id);
      expect((await campaigns.get(second, caller)).counts.total).toBe(2);
      await campaigns.start(second, caller);
      await feed();
      await succeed();
      await campaigns.cancel(second, caller);
      await isRefused(id);
    });

    it('nobody whose message somebody has sent again since the retry was made', async () => {
      const id = await running([{ to: phoneA }]);
      await feed();
      await fail();
      const made = await retried(id);
      const again = async (status: string, ofStatus: string) =>
        database.sql(
          `insert into messages select (jsonb_populate_record(m, jsonb_build_object('id', uuidv7(), 'campaign_id', null,
             'resent_from', m.id, 'status', $1::text))).* from messages m
           where m.status = $2 order by m.id desc limit 1`,
          [status, ofStatus],
        );
      await again('failed', 'failed');
      await again('sent', 'failed');
      await campaigns.start(made, caller);
      expect(await feed()).toHaveLength(0);
      expect(await outcomes(made)).toEqual(['duplicate']);
    });

    it('those whom a retry has skipped because WhatsApp held a message back, once it may reach them', async () => {
      const id = await running([{ to: phoneA }]);
      await feed();
      await fail({ platformCode: 131049 });
      const first = await retried(id);
      await campaigns.start(first, caller);
      expect(await feed()).toHaveLength(0);
      expect(await outcomes(first)).toEqual(['held_131049']);
      await database.sql(`update messages set failed_at = now() - interval '25 hours'`);
      const second = await retried(id);
      await isRefused(id);
      await campaigns.start(second, caller);
      expect(await feed()).toHaveLength(1);
      await succeed();
      await isRefused(id);
    });

    describe('the rest', () => {
      const rest = { who: 'rest' } as const;
      const [first = '', second = '', third = '', fourth = ''] = many(4).map(({ to }) => to);
      const peopleOf = async (id: string) => {
        const rows: { recipient: string }[] = await database.sql(
          'select recipient from campaign_recipients where campaign_id = $1 order by position',
          [id],
        );
        return rows.map(({ recipient }) => recipient);
      };
      /** Sends what a campaign has queued to these, and cancels what it has not sent. */
      const cancelledAfter = async (id: string, ...sent: string[]) => {
        await database.sql(
          `update messages set status = 'sent', sent_at = now()
           where status = 'queued' and recipient = any ($1)`,
          [sent],
        );
        await campaigns.cancel(id, caller);
        return id;
      };
      const releaseNext = async () => {
        await database.sql(`update campaigns set fed_at = now() - interval '1 minute'`);
        return feed();
      };
      /** A running campaign that has released its first recipient. */
      const releasing = async (list: Recipient[]) => {
        const id = await running(list, { per_second: 1 });
        expect(await feed()).toHaveLength(1);
        return id;
      };
      const start = async (id: string) => {
        await campaigns.start(id, caller);
        return feed();
      };

      it('of a cancelled campaign: those who were not released, and those whose message was cancelled', async () => {
        const id = await releasing(many(4));
        await releaseNext();
        await cancelledAfter(id, first);
        expect(await outcomes(id)).toEqual(['released', 'released', 'pending', 'pending']);
        const made = await retry(id, rest);
        expect(made).toMatchObject({ name: 'Sale (rest)', status: 'draft', retry_of: id });
        expect(await peopleOf(made.id)).toEqual([second, third, fourth]);
        await isRefused(id, rest);
      });

      it('of a campaign only once it is cancelled', async () => {
        const id = await releasing(many(4));
        await isRefused(id, rest);
        await campaigns.pause(id, caller);
        await isRefused(id, rest);
      });

      it('without those who were skipped, failed, or have opted out since', async () => {
        const id = await releasing([{ to: first }, { to: second }, ...many(3, 10)]);
        await fail();
        await optOut(many(1, 10)[0]?.to ?? '', null);
        await database.sql(
          `update campaign_recipients set status = 'skipped', reason = 'held_131049' where recipient = $1`,
          [second],
        );
        await campaigns.cancel(id, caller);
        expect(await peopleOf(await retried(id, rest))).toEqual(many(2, 11).map(({ to }) => to));
        expect(await peopleOf(await retried(id))).toEqual([first]);
      });

      it('with those who failed, whom the codes choose, in front', async () => {
        const both = { who: 'failed_and_rest' } as const;
        const id = await releasing(many(4));
        await isRefused(id, both);
        await fail();
        await campaigns.cancel(id, caller);
        const ofOtherCode = await retried(id, { ...both, codes: [1] });
        expect(await peopleOf(ofOtherCode)).toEqual([second, third, fourth]);
        await campaigns.cancel(ofOtherCode, caller);
        const made = await retry(id, both);
        expect(made).toMatchObject({ name: 'Sale (retry)', counts: { total: 4 }, retry_of: id });
        expect(await peopleOf(made.id)).toEqual([first, second, third, fourth]);
        const { retries, ...left } = await campaigns.retries(await campaigns.get(id, caller));
        expect(left).toEqual({ failed: 0, failed_by_code: {}, rest: 0 });
        expect(retries.map(({ who }) => who)).toEqual(['failed_and_rest', 'rest']);
        for (const who of ['failed', 'rest', 'failed_and_rest'] as const) {
          await isRefused(id, { who });
        }
      });

      it('without whom the campaign has reached under another name', async () => {
        const id = await releasing([{ to: phoneA }, { to_user_id: userA }, { to: second }]);
        await cancelledAfter(id, phoneA);
        await learn(phoneA, userA);
        expect(await peopleOf(await retried(id, rest))).toEqual([second]);
      });

      it('again, without whom a retry that was cancelled has reached', async () => {
        const id = await releasing(many(4));
        await cancelledAfter(id, first);
        const retryId = await retried(id, rest);
        expect(await start(retryId)).toHaveLength(1);
        await cancelledAfter(retryId, second);
        expect(await peopleOf(await retried(id, rest))).toEqual([third, fourth]);
      });

      it('of a retry, without those who wait in another retry of the family', async () => {
        const id = await releasing(many(3));
        await cancelledAfter(id, first);
        const retryId = await retried(id, rest);
        await start(retryId);
        await cancelledAfter(retryId, second);
        const ofRetry = await retried(retryId, rest);
        expect(await peopleOf(ofRetry)).toEqual([third]);
        // The person is nobody's any more for the first campaign, until that draft is cancelled.
        await isRefused(id, rest);
        await campaigns.cancel(ofRetry, caller);
        const ofFirst = await retried(id, rest);
        expect(await peopleOf(ofFirst)).toEqual([third]);
        await isRefused(retryId, rest);
      });

      it('of a retry of a retry, and nobody gets the message twice', async () => {
        const id = await releasing(many(3));
        await cancelledAfter(id, first);
        const ofFirst = await retried(id, rest);
        await start(ofFirst);
        await cancelledAfter(ofFirst, second);
        const ofRetry = await retried(ofFirst, rest);
        // As if the draft had been made before the others were reached: the release has the last word.
        await database.sql(
          `insert into campaign_recipients (campaign_id, position, recipient, address)
           select $1, 100 + position, recipient, address from campaign_recipients where campaign_id = $2
           on conflict do nothing`,
          [ofRetry, id],
        );
        await database.sql('update campaigns set per_second = null where id = $1', [ofRetry]);
        expect(await start(ofRetry)).toHaveLength(1);
        expect(await outcomes(ofRetry)).toEqual(['released', 'duplicate', 'duplicate']);
      });
    });
  });

  describe('leave out', () => {
    it('a number that is given with a user id who has opted out, and the other way round', async () => {
      await optOut(null, userA);
      await optOut('+4915110000003', null);
      const id = await running([
        { to: phoneA, to_user_id: userA },
        { to: '+4915110000003', to_user_id: userB },
        { to: '+4915110000004' },
      ]);
      expect(await feed()).toHaveLength(1);
      expect(await outcomes(id)).toEqual(['opted_out', 'opted_out', 'released']);
    });

    it.each([
      ['another spelling', { to: '+5511987654321' }, { to: '+551187654321' }],
      ['a number', { to: phoneA }, { to_user_id: userA }],
      ['a user id', { to_user_id: userA }, { to: phoneA }],
    ])('a person to whom WhatsApp sends nothing for a day under %s', async (_, held, again) => {
      await learn(phoneA, userA);
      await running([held]);
      await feed();
      await fail({ platformCode: 131049 });
      const id = await running([again]);
      expect(await feed()).toHaveLength(0);
      expect(await outcomes(id)).toEqual(['held_131049']);
    });
  });

  describe('release', () => {
    const queue = (count: number, change: { campaignId?: string; inSeconds?: number }) =>
      database.sql(
        `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting,
           next_attempt_at, give_up_at, created_at, campaign_id)
         select uuidv7(), $1, $2, 'live', 'text', '+4930' || n, '{}', false,
           now() + make_interval(secs => $4), now() + interval '1 hour', now(), $5
         from generate_series(1, $3::int) n`,
        [
          caller.accountId,
          caller.apiKeyId,
          count,
          change.inSeconds ?? 0,
          change.campaignId ?? null,
        ],
      );

    it('as much as two seconds of pace beside single messages that wait for a later try', async () => {
      await setPace(20);
      await queue(500, { inSeconds: 600 });
      await running(many(100));
      expect(await feed()).toHaveLength(40);
      expect(await feed()).toHaveLength(0);
    });

    it('as many again while those of campaigns wait for a later try, and no more', async () => {
      await setPace(20);
      await queue(50, { inSeconds: 600, campaignId: newId() });
      await running(many(100));
      expect(await feed()).toHaveLength(30);
      await database.sql(`update messages set next_attempt_at = now() + interval '10 minutes'`);
      expect(await feed()).toHaveLength(0);
    });

    it('no more than two seconds of pace by two workers at once', async () => {
      await setPace(20);
      await running(many(100));
      await running(many(100, 500));
      const released = await Promise.all([...feeders, ...feeders].map((feeder) => feed(feeder)));
      expect(released.flat().length).toBeLessThanOrEqual(40);
    });

    it('one recipient of each campaign of a number in turn', async () => {
      await setPace(20);
      await running(many(100));
      const small = await running(many(10, 500));
      expect(await feed()).toHaveLength(40);
      expect((await outcomes(small)).every((each) => each === 'released')).toBe(true);
    });

    it('many campaigns side by side, each at its own pace', async () => {
      const ids = [];
      for (let index = 0; index < 250; index += 1) {
        ids.push(await running(many(3, index * 10), { per_second: 1 }));
      }
      const released = await feed();
      expect(released).toHaveLength(250);
      expect(await feed()).toHaveLength(0);
      await database.sql(`update campaigns set fed_at = now() - interval '10 seconds'`);
      // What a campaign was late by is not made up for.
      expect(await feed()).toHaveLength(250);
    });

    it('no more than its pace after a pause', async () => {
      const id = await running(many(100), { per_second: 10 });
      await feed();
      const first = (await outcomes(id)).filter((each) => each === 'released').length;
      for (let round = 0; round < 5; round += 1) {
        await campaigns.pause(id, caller);
        await campaigns.resume(id, caller);
        await feed();
      }
      const [{ seconds }] = (await database.sql<{ seconds: number }>(
        `select extract(epoch from now() - started_at)::float8 as seconds from campaigns where id = $1`,
        [id],
      )) as [{ seconds: number }];
      const all = (await outcomes(id)).filter((each) => each === 'released').length;
      expect(first).toBeLessThanOrEqual(3);
      expect(all).toBeLessThanOrEqual(3 + Math.ceil(10 * seconds));
    });

    it('go on beside campaigns that cannot be changed', async () => {
      await database.sql(
        `create function refuse() returns trigger language plpgsql as $$
         begin raise 'refused'; end $$`,
      );
      await database.sql(
        `create trigger refuse before update of status on campaigns for each row
         when (old.name = 'Broken' and new.status = 'running') execute function refuse()`,
      );
      const sendAt = new Date(Date.now() + 120_000).toISOString();
      const ids = [];
      for (const name of ['Fine', ...Array.from({ length: 6 }, () => 'Broken')]) {
        const id = await draft(many(1), { name, send_at: sendAt });
        await campaigns.start(id, caller);
        ids.push(id);
      }
      await database.sql('update campaigns set send_at = now()');
      await feeders[0]?.look(ask);
      expect(await Promise.all(ids.map(statusOf))).toEqual([
        'running',
        ...Array.from({ length: 6 }, () => 'scheduled'),
      ]);
      await database.sql('drop function refuse cascade');
    });

    it('go on beside a campaign that somebody has locked', async () => {
      const locked = await running(many(3));
      const later = await draft(many(3, 50), {
        send_at: new Date(Date.now() + 120_000).toISOString(),
      });
      await campaigns.start(later, caller);
      await database.sql('update campaigns set send_at = now() where id = $1', [later]);
      const free = await running(many(3, 100));
      const holder = dataSource().createQueryRunner();
      await holder.startTransaction();
      await holder.query('select from campaigns where id = any ($1) for update', [[locked, later]]);
      expect(await feed()).toHaveLength(3);
      await holder.rollbackTransaction();
      await holder.release();
      expect(await outcomes(free)).toEqual(['released', 'released', 'released']);
      expect(await outcomes(locked)).toEqual(['pending', 'pending', 'pending']);
      await feed();
      expect(await outcomes(locked)).toEqual(['released', 'released', 'released']);
    });
  });

  describe('notice', () => {
    const setTemplate = (components: object[]) =>
      database.sql(
        'update templates set components = $2, updated_at = now() where account_id = $1',
        [caller.accountId, JSON.stringify(components)],
      );
    const withExample = (link: string, text = 'Hello.') => [
      { type: 'HEADER', format: 'TEXT', text: 'Hi', example: { header_handle: [link] } },
      { type: 'BODY', text, example: { body_text: [[link]] } },
      {
        type: 'BUTTONS',
        buttons: [{ type: 'URL', text: 'Open', url: 'https://x.example', example: [link] }],
      },
    ];

    it('a template whose text has changed, and none whose examples have', async () => {
      await setTemplate(withExample('https://a.example'));
      const id = await running(many(1), { per_second: 1 });
      await setTemplate(withExample('https://b.example'));
      await feeders[0]?.look(ask);
      expect(await statusOf(id)).toBe('running');
      await setTemplate(withExample('https://b.example', 'Good-bye.'));
      await feeders[0]?.look(ask);
      expect(await statusOf(id)).toBe('paused: template_changed');
    });

    it('a mapping that changed before a start or a resume that was refused', async () => {
      const id = await running(many(1));
      await database.sql(
        `update template_mappings set variables = '{"x": {"component": "body"}}' where api_key_id = $1`,
        [caller.apiKeyId],
      );
      await expect(campaigns.start(id, caller)).rejects.toMatchObject({ code: 'CAMPAIGN_STATE' });
      await expect(campaigns.resume(id, caller)).rejects.toMatchObject({ code: 'CAMPAIGN_STATE' });
      await feeders[0]?.look(ask);
      expect(await statusOf(id)).toBe('paused: template_changed');
      await campaigns.resume(id, caller);
      await feeders[0]?.look(ask);
      expect(await statusOf(id)).toBe('running');
    });

    it('no change of a campaign that was started before content_hash was there', async () => {
      await setTemplate(withExample('https://a.example'));
      const id = await running(many(1), { per_second: 1 });
      await database.sql('update campaigns set content_hash = null');
      await feeders[0]?.look(ask);
      expect(await statusOf(id)).toBe('running');
      await setTemplate(withExample('https://b.example'));
      await feeders[0]?.look(ask);
      expect(await statusOf(id)).toBe('paused: template_changed');
    });

    it('the first failure where none is allowed, and nothing before it', async () => {
      const id = await running(many(120), { pause_on: { failure_rate: 0 } });
      await feed();
      await database.sql(
        `update messages set status = 'sent', sent_at = now() where id in (
           select message_id from campaign_recipients where campaign_id = $1 and position <= 60)`,
        [id],
      );
      await add(await draft(), many(1));
      await database.sql(
        `update campaign_recipients set status = 'pending', message_id = null where campaign_id = $1 and position > 100`,
        [id],
      );
      await feeders[0]?.look(ask);
      expect(await statusOf(id)).toBe('running');
      await database.sql(
        `update messages set status = 'failed', failed_at = now(), error = '{"platformCode": 131026}' where id = (
           select message_id from campaign_recipients where campaign_id = $1 and position = 61)`,
        [id],
      );
      await feeders[0]?.look(ask);
      expect(await statusOf(id)).toBe('paused: failure_rate');
    });
  });
});
