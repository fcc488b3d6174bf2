import type { TestingModule } from '@nestjs/testing';
import { AccountVersions } from '../../src/accounts/account-versions.js';
import { reportedProbeBit } from '../../src/accounts/number-hold.js';
import type { NumberTrouble } from '../../src/accounts/number-holds.js';
import { NumberHolds } from '../../src/accounts/number-holds.js';
import { QuotaModule } from '../../src/quota/quota.module.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { insertMessage } from '../support/messages.js';
import { openModule } from '../support/module.js';

const { accountId } = installation;
const tooFast: NumberTrouble = { kind: 'throttled', code: 130429, reason: 'Too many messages' };
const unpaid: NumberTrouble = { kind: 'paused', code: 131042, reason: 'Payment method missing' };
const locked: NumberTrouble = { kind: 'paused', code: 131031, reason: 'Account locked' };

describe('a number on hold', () => {
  let database: TestDatabase;
  let processes: TestingModule[];
  let holds: NumberHolds;
  let other: NumberHolds;

  beforeEach(async () => {
    database = await TestDatabase.clone('seeded');
    const open = () =>
      openModule({
        databaseUrl: database.url,
        imports: [QuotaModule],
        providers: [AccountVersions, NumberHolds],
      });
    processes = [await open(), await open()];
    [holds, other] = processes.map((process) => process.get(NumberHolds)) as [
      NumberHolds,
      NumberHolds,
    ];
  });

  afterEach(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  const account = async () => {
    const [row] = await database.sql('select *, version::int from accounts where id = $1', [
      accountId,
    ]);
    return row;
  };
  const clock = async () => {
    const [row] = await database.sql('select clock_timestamp() as now');
    return row.now.getTime();
  };

  /** Checks that the number waits this long from a moment during `work`, however long `work` takes. */
  async function expectWait(seconds: number, work: () => Promise<unknown>): Promise<void> {
    const before = await clock();
    await work();
    const after = await clock();
    const heldAt = (await account()).hold_until.getTime() - seconds * 1_000;
    expect(heldAt).toBeGreaterThanOrEqual(before);
    expect(heldAt).toBeLessThanOrEqual(after);
  }

  const alerts = () => database.sql('select * from alerts');
  const makeProbeDue = () => database.sql('update accounts set hold_until = now()');

  it('for its speed waits 1, 2, 4 … 30 s, one step for each probe that is refused', async () => {
    for (const [refusal, seconds] of [1, 2, 4, 8, 16, 30, 30, 30].entries()) {
      await expectWait(seconds, () => holds.hold(accountId, tooFast, refusal > 0));
    }
    expect(await account()).toMatchObject({ hold_kind: 'throttled', hold_code: 130429 });
    expect(await alerts()).toEqual([]);
  });

  it('for its speed takes one step however many sends were refused at once', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? holds : other).hold(accountId, tooFast, false),
      ),
    );
    expect(await account()).toMatchObject({ hold_step: 1 });
  });

  it('for its speed is released by the first success, and starts over the next time', async () => {
    await holds.hold(accountId, tooFast, false);
    await holds.hold(accountId, tooFast, true);
    await holds.noteSuccess(accountId);
    expect(await account()).toMatchObject({ hold_kind: null, hold_until: null, hold_step: 0 });
    await expectWait(1, () => holds.hold(accountId, tooFast, false));
  });

  it('is probed by one process at a time', async () => {
    await holds.hold(accountId, locked, false);
    expect(await holds.takeDueProbes()).toEqual([]);
    await holds.resume(accountId);
    await holds.hold(accountId, tooFast, false);
    await makeProbeDue();
    const taken = await Promise.all([holds, other, holds, other].map((one) => one.takeDueProbes()));
    expect(taken.flat()).toEqual([{ accountId, kind: 'throttled' }]);
    // Nothing was there to probe with.
    await holds.releaseProbe(accountId);
    expect(await other.takeDueProbes()).toEqual([{ accountId, kind: 'throttled' }]);
    // The process that probed ends the hold, though another one began it.
    await other.noteSuccess(accountId);
    expect((await account()).hold_kind).toBeNull();
  });

  it('that the platform refuses altogether is paused for a minute, with one alert', async () => {
    const before = (await account()).version;
    const all = () =>
      Promise.all([holds, other, holds].map((one) => one.hold(accountId, locked, false)));
    await expectWait(60, all);
    expect(await account()).toMatchObject({ hold_kind: 'paused', hold_code: 131031 });
    expect((await account()).version).toBeGreaterThan(before);
    expect(await alerts()).toMatchObject([
      {
        account_id: accountId,
        kind: 'number_paused',
        message: expect.stringContaining('131031'),
        resolved_at: null,
      },
    ]);
  });

  it('is paused by many refusals at once, none of which waits for another forever', async () => {
    for (let round = 0; round < 20; round += 1) {
      await database.sql('update accounts set hold_kind = null, hold_until = null');
      const all = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? holds : other));
      await Promise.all(all.map((one) => one.hold(accountId, locked, false)));
    }
    expect(await account()).toMatchObject({ hold_kind: 'paused' });
    expect(await alerts()).toHaveLength(1);
  });

  it('that is paused is neither throttled nor freed by what was still under way', async () => {
    await holds.hold(accountId, locked, false);
    await holds.hold(accountId, tooFast, true);
    await holds.noteSuccess(accountId);
    expect(await account()).toMatchObject({ hold_kind: 'paused', hold_code: 131031 });
  });

  it('that was throttled and is then refused altogether is paused', async () => {
    await holds.hold(accountId, tooFast, false);
    await expectWait(60, () => holds.hold(accountId, locked, true));
    expect(await account()).toMatchObject({ hold_kind: 'paused', hold_step: 0 });
  });

  it('sends again when it may: the alert is resolved, every process hears of it', async () => {
    await holds.hold(accountId, locked, false);
    const { version } = await account();
    await makeProbeDue();
    const takeProbe = async () =>
      expect(await other.takeDueProbes()).toEqual([{ accountId, kind: 'paused' }]);
    await expectWait(60, takeProbe);
    await other.resume(accountId);
    expect(await account()).toMatchObject({ hold_kind: null, hold_reason: null });
    expect((await account()).version).toBeGreaterThan(version);
    expect((await alerts())[0].resolved_at).not.toBeNull();
    // The next pause is a new alert.
    await holds.hold(accountId, locked, false);
    expect((await alerts()).filter(({ resolved_at }) => resolved_at === null)).toHaveLength(1);
  });

  describe('for its payment', () => {
    const takeProbe = async (one = holds) =>
      expect(await one.takeDueProbes()).toEqual([{ accountId, kind: 'paused_until_report' }]);
    const pause = () => holds.hold(accountId, unpaid, false);
    const takeSlot = async () => {
      const [row] = await database.sql('select take_probe($1) as taken', [accountId]);
      return row.taken;
    };
    /** A message that was handed over just now. */
    const addSent = async (status: 'sent' | 'failed', entered = 1) => {
      const id = await insertMessage(database, { status });
      await database.sql(
        'update messages set sending_at = clock_timestamp(), entered = $2 where id = $1',
        [id, entered],
      );
      return id;
    };

    it('is tried after 1, 2, 4 … 30 minutes, one step for each probe, whatever becomes of it', async () => {
      await expectWait(60, pause);
      expect((await alerts())[0].message).toContain('1, 2, 4 … 30 minutes');
      for (const minutes of [2, 4, 8, 16, 30, 30]) {
        await makeProbeDue();
        // A refusal of the probe leaves the next one where it is.
        await expectWait(minutes * 60, async () => {
          await takeProbe();
          await holds.hold(accountId, unpaid, true);
        });
        expect(await other.takeDueProbes()).toEqual([]);
      }
    });

    it('is tried by one process at a time', async () => {
      await pause();
      await makeProbeDue();
      const taken = await Promise.all(
        [holds, other, holds, other].map((one) => one.takeDueProbes()),
      );
      expect(taken.flat()).toHaveLength(1);
    });

    it('lets one message be queued if nothing is, and that is the probe', async () => {
      await pause();
      expect(await takeSlot()).toBe(false);
      await makeProbeDue();
      await takeProbe();
      await holds.openProbe(accountId);
      expect(await holds.takeDueProbes()).toEqual([]);
      expect((await Promise.all(Array.from({ length: 8 }, takeSlot))).filter(Boolean)).toEqual([
        true,
      ]);
      expect(await holds.takeDueProbes()).toEqual([]);
      await insertMessage(database);
      // No step was lost by the probe for which there was nothing.
      await expectWait(120, takeProbe);
      expect(await takeSlot()).toBe(false);
    });

    it('lets another message be queued if the one that was to be queued never was', async () => {
      await pause();
      await makeProbeDue();
      await takeProbe();
      await holds.openProbe(accountId);
      expect(await takeSlot()).toBe(true);
      await makeProbeDue();
      await takeProbe();
      await holds.openProbe(accountId);
      expect(await takeSlot()).toBe(true);
    });

    it('sends again when its probe is reported, and only then', async () => {
      await pause();
      await makeProbeDue();
      await takeProbe();
      const probe = await addSent('sent');
      await holds.noteProbe(accountId, probe);
      await holds.noteSuccess(accountId);
      await addSent('sent', 1 | reportedProbeBit);
      await other.resumeReported();
      expect(await account()).toMatchObject({ hold_kind: 'paused', hold_probe_id: probe });
      const { version } = await account();
      await database.sql('update messages set entered = entered | $2 where id = $1', [
        probe,
        reportedProbeBit,
      ]);
      await Promise.all([holds.resumeReported(), other.resumeReported()]);
      expect(await account()).toMatchObject({
        hold_kind: null,
        hold_until_report: false,
        hold_probe_id: null,
      });
      expect((await account()).version).toBeGreaterThan(version);
      expect((await alerts())[0].resolved_at).not.toBeNull();
    });

    it('is paused by a report on a message that was handed over after the last hold had ended', async () => {
      const before = await addSent('failed');
      await holds.holdByReport(accountId, unpaid, before);
      expect(await account()).toMatchObject({ hold_kind: 'paused', hold_until_report: true });
      await holds.resume(accountId);
      await holds.holdByReport(accountId, unpaid, before);
      expect((await account()).hold_kind).toBeNull();
      await holds.holdByReport(accountId, unpaid, await addSent('failed'));
      expect((await account()).hold_kind).toBe('paused');
    });

    it('stays paused until a report, though it can be read', async () => {
      await holds.hold(accountId, locked, false);
      await pause();
      await holds.hold(accountId, locked, false);
      expect(await account()).toMatchObject({ hold_code: 131042, hold_until_report: true });
    });
  });
});
