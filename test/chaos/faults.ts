import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '#libs/durations';
import type { Store } from '../support/installation.js';
import { changeAccount, unreportedDigit } from './account-changes.js';
import { runCampaigns } from './campaigns.js';
import { cancelMessages } from './cancelled-messages.js';
import { changeUserIds } from './changed-ids.js';
import { failOver, failOverAndForget } from './failovers.js';
import { refuseOutsideWindow } from './fallbacks.js';
import { readFeed } from './feeds.js';
import { freezeWorkers } from './frozen-workers.js';
import { sendAsPrograms } from './graph-programs.js';
import { connections, type FaultContext, type Setting } from './installation.js';
import { changeKeys } from './key-changes.js';
import { killThenBeSilent, killWhileSettlingIsSlow } from './killed-deliveries.js';
import { loseMasters } from './lost-masters.js';
import { optOut } from './opt-outs.js';
import type { Trouble } from './phase.js';
import { callers, slowEverything } from './pressure.js';
import { repackageNotifications } from './relayed-notifications.js';
import { repeatRequests } from './repeated-requests.js';
import { restoreCopies } from './restored-copies.js';
import { scheduleMessages } from './scheduled-messages.js';
import { upgrade } from './upgrade/rolling-upgrade.js';
import { breakEndpoints } from './webhook-endpoints.js';

/** Something that goes wrong while callers send. */
export interface Fault {
  readonly id: string;
  readonly title: string;
  /** How often it happens in the short form, and in the full one. */
  readonly short: number;
  readonly full: number;
  /** Where it can happen; everywhere where it does not say. */
  readonly stores?: readonly Store[];
  /** The most messages that it may leave unconfirmed for a time, troubles apart; default none. */
  readonly unconfirmedMax?: (times: number) => number;
  /** Whether a request may be refused or left unanswered because of it. Default false. */
  readonly mayRefuse?: boolean;
  readonly troubles?: readonly Trouble[];
  /** What is special about its installation, which is then one of its own. */
  readonly setting?: Setting;
  readonly happens: (context: FaultContext) => Promise<void>;
}

/** Longer than the 20 s that the platform gets to answer. */
const tooLateMs = 21_000;

/** Long after everything else about a message. */
const lateReportMs = 5_000;

/** How long a message without a waiting caller is tried. */
const backgroundGiveUpMs = 15 * minuteMs;

const arrived = ['sent', 'delivered', 'read'] as const;

export const faults: readonly Fault[] = [
  {
    id: 'F1',
    title: 'SIGKILL of an API or a worker',
    short: 3,
    full: 100,
    mayRefuse: true,
    // Half of the reports are lost, so that our own word is all there is.
    troubles: [1, 2, 3, 4, 5].map((digit) => ({
      digit,
      fault: 'no-statuses',
      becomesUnconfirmed: false,
      isReported: false,
      ends: [...arrived, 'unconfirmed'],
    })),
    happens: ({ chaos, times, load, phase }) =>
      repeat(times, async () => {
        await chaos.killOne(phase);
        await chaos.accepts(load, 25);
      }),
  },
  {
    id: 'F2',
    title: 'SIGTERM of APIs and workers in turn',
    short: 2,
    full: 50,
    happens: async ({ chaos, times, load }) => {
      await chaos.ready();
      const { apis, workers } = chaos.stack;
      const inTurn = apis.flatMap((api, index) => [api, workers[index] ?? api]);
      for (let turn = 0; turn < times; turn += 1) {
        await inTurn[turn % inTurn.length]?.restart();
        await chaos.accepts(load, 10);
      }
    },
  },
  {
    id: 'F8',
    title: 'WhatsApp answers too late, or never',
    short: 40,
    full: 12_500,
    troubles: [
      { digit: 1, fault: { delay_ms: tooLateMs }, becomesUnconfirmed: true, ends: arrived },
      { digit: 2, fault: 'never-answer', becomesUnconfirmed: true, ends: ['unconfirmed'] },
    ],
    happens: async ({ chaos, times, load }) => {
      await chaos.accepts(load, times);
      chaos.expectMore(tooLateMs + 2_000);
    },
  },
  {
    id: 'F4',
    title: 'PostgreSQL ends connections, is killed, is cut off',
    short: 4,
    full: 500,
    mayRefuse: true,
    // A claim whose answer was lost is read back; where that takes too long its lease ends.
    unconfirmedMax: (times) => times * connections,
    happens: async ({ chaos, times, load }) => {
      await repeat(times, async () => {
        await chaos.postgres.terminateBackends();
        await chaos.accepts(load, 15);
      });
      await repeat(Math.ceil(times / 25), async () => {
        await chaos.postgres.kill();
        await chaos.postgres.restart();
        await chaos.accepts(load, 25);
        chaos.links.postgres.cut();
        await pause(chaos.random.between(50, 500));
        await chaos.links.postgres.join();
        await chaos.accepts(load, 25);
      });
    },
  },
  {
    id: 'F5',
    title: 'PostgreSQL is away for long, silent, its disk full',
    short: 1,
    full: 5,
    mayRefuse: true,
    unconfirmedMax: (times) => times * 2 * connections,
    happens: ({ chaos, times, load }) =>
      repeat(times, async () => {
        await chaos.postgres.kill();
        await pause(times > 1 ? 30_000 : 5_000);
        await chaos.postgres.restart();
        await chaos.accepts(load, 25);
        // A message is stored for quarter of an hour, and its caller never hears of it.
        if (times > 1) await chaos.links.postgres.holdAnswersTo(acceptsInBackground);
        chaos.links.postgres.hold();
        await pause(4_000);
        chaos.links.postgres.release();
        await chaos.accepts(load, 25);
        await chaos.postgres.fillDisk();
        await pause(2_000);
        await chaos.postgres.emptyDisk();
        await chaos.accepts(load, 25);
      }),
  },
  {
    id: 'F6',
    title: 'Redis is emptied, is killed and comes back empty',
    short: 2,
    full: 20,
    stores: ['redis'],
    happens: ({ chaos, times, load }) =>
      repeat(times, async () => {
        await chaos.flushRedis();
        await chaos.accepts(load, 25);
        await chaos.killRedis();
        await chaos.accepts(load, 25);
        await chaos.restartRedis();
        await chaos.accepts(load, 25);
      }),
  },
  {
    id: 'F7',
    title: 'Redis answers after 2 s, or not at all',
    short: 1,
    full: 10,
    stores: ['redis'],
    happens: ({ chaos, times, load }) =>
      repeat(times, async () => {
        chaos.links.redis.delayMs = 2_000;
        await chaos.accepts(load, 30);
        chaos.links.redis.delayMs = 0;
        await chaos.accepts(load, 30);
        chaos.links.redis.hold();
        await chaos.accepts(load, 30);
        chaos.links.redis.release();
        await chaos.accepts(load, 30);
      }),
  },
  {
    id: 'F9',
    title: 'WhatsApp resets, fails, refuses, talks nonsense',
    short: 80,
    full: 10_000,
    mayRefuse: true,
    troubles: [
      { digit: 1, fault: 'drop', becomesUnconfirmed: true, ends: ['unconfirmed'] },
      { digit: 2, fault: 'accept-then-drop', becomesUnconfirmed: true, ends: arrived },
      { digit: 3, fault: 'bad-gateway', becomesUnconfirmed: true, ends: ['unconfirmed'] },
      { digit: 4, fault: 'unreadable', becomesUnconfirmed: true, ends: arrived },
      { digit: 5, fault: 'no-id', becomesUnconfirmed: true, ends: arrived },
      { digit: 6, fault: { code: 131026 }, becomesUnconfirmed: false, ends: ['failed'] },
      {
        digit: 7,
        fault: { code: 131000 },
        times: 20,
        becomesUnconfirmed: false,
        ends: [...arrived, 'failed'],
      },
      {
        digit: 8,
        fault: { code: 130429 },
        times: 1,
        becomesUnconfirmed: false,
        ends: [...arrived, 'failed'],
      },
    ],
    happens: ({ chaos, times, load }) => chaos.accepts(load, times),
  },
  {
    id: 'F10',
    title: 'statuses twice, out of order, late, early, forged',
    short: 100,
    full: 10_000,
    troubles: [
      { digit: 1, fault: 'statuses-twice', becomesUnconfirmed: false, ends: ['read'] },
      { digit: 2, fault: 'statuses-out-of-order', becomesUnconfirmed: false, ends: ['read'] },
      { digit: 3, fault: 'statuses-before-answer', becomesUnconfirmed: false, ends: ['read'] },
      {
        digit: 4,
        fault: { statuses_delay_ms: lateReportMs },
        becomesUnconfirmed: false,
        ends: ['read'],
      },
      { digit: 5, fault: { failed: 131026 }, becomesUnconfirmed: false, ends: ['failed'] },
      { digit: 6, fault: { batch: 20 }, becomesUnconfirmed: false, ends: ['read'] },
      { digit: 7, fault: 'bad-signature', becomesUnconfirmed: false, ends: ['sent'] },
    ],
    happens: async ({ chaos, times, load }) => {
      await chaos.accepts(load, times);
      chaos.expectMore(lateReportMs + 2_000);
    },
  },
  {
    id: 'F11',
    title: '50 requests at once with one Idempotency-Key',
    short: 3,
    full: 10_000,
    happens: repeatRequests,
  },
  {
    id: 'F12',
    title: 'webhook endpoints hang, fail, redirect, flood',
    short: 1,
    full: 20,
    happens: breakEndpoints,
  },
  {
    id: 'F13',
    title: 'the network to WhatsApp is cut',
    short: 2,
    full: 100,
    unconfirmedMax: (times) => times * connections,
    happens: ({ chaos, times, load }) =>
      repeat(times, async () => {
        await chaos.accepts(load, 20);
        // What is under way is reset; what comes next is refused and tried again.
        chaos.links.platform.cut();
        await pause(300);
        await chaos.links.platform.join();
        await chaos.accepts(load, 20);
      }),
  },
  {
    id: 'F14',
    title: 'settling of events is slow, then workers are killed',
    short: 1,
    full: 20,
    mayRefuse: true,
    unconfirmedMax: (times) => times * 2 * connections,
    happens: killWhileSettlingIsSlow,
  },
  {
    id: 'F15',
    title: 'workers are killed, and nothing new comes',
    short: 1,
    full: 20,
    unconfirmedMax: (times) => times * connections,
    happens: killThenBeSilent,
  },
  {
    id: 'F17',
    title: 'an account changes while WhatsApp reports',
    short: 200,
    full: 5_000,
    troubles: [
      {
        digit: unreportedDigit,
        fault: 'no-statuses',
        becomesUnconfirmed: false,
        ends: ['sent', 'read'],
      },
    ],
    happens: changeAccount,
  },
  {
    id: 'F18',
    title:
      'WhatsApp replaces user ids while messages to them are accepted, and processes are killed',
    short: 15,
    full: 1_000,
    mayRefuse: true,
    happens: changeUserIds,
  },
  {
    id: 'F19',
    title: 'WhatsApp finds the 24-hour window closed, and processes are killed',
    short: 3,
    full: 100,
    mayRefuse: true,
    happens: refuseOutsideWindow,
  },
  {
    id: 'F20',
    title: 'users opt out while templates to them are queued and sent, and processes are killed',
    short: 3,
    full: 100,
    mayRefuse: true,
    happens: optOut,
  },
  {
    id: 'F21',
    title: 'a feed is read while its events are committed late, and processes are killed',
    short: 3,
    full: 100,
    mayRefuse: true,
    happens: readFeed,
  },
  {
    id: 'F16',
    title: 'keys are changed, revoked and deleted under load',
    short: 5,
    full: 1_000,
    happens: changeKeys,
  },
  {
    id: 'F3',
    title: 'a worker freezes for longer than its leases',
    short: 1,
    full: 20,
    happens: freezeWorkers,
  },
  {
    id: 'F26',
    title: 'database, WhatsApp and receivers are slow, and more is asked for than can be sent',
    short: 1,
    full: 20,
    mayRefuse: true,
    // As with F4: on a machine that stands still for seconds, a claim's answer comes after its lease has ended.
    unconfirmedMax: (times) => times * callers,
    happens: slowEverything,
  },
  {
    id: 'F27',
    title: 'messages are cancelled while workers claim them, and processes are killed',
    short: 3,
    full: 100,
    mayRefuse: true,
    happens: cancelMessages,
  },
  {
    id: 'F28',
    title: 'messages for the same second are released and cancelled, and processes are killed',
    short: 1,
    full: 20,
    mayRefuse: true,
    happens: scheduleMessages,
  },
  {
    id: 'F29',
    title: 'campaigns are paused, resumed and cancelled, and processes are killed',
    short: 1,
    full: 20,
    mayRefuse: true,
    happens: runCampaigns,
  },
  {
    id: 'F31',
    title: "notifications for endpoints of WhatsApp's own form come again, in other packages",
    short: 60,
    full: 6_000,
    mayRefuse: true,
    happens: repackageNotifications,
  },
  {
    id: 'F32',
    title: 'programs of WhatsApp’s own API repeat what fails, and processes are killed',
    short: 2,
    full: 40,
    mayRefuse: true,
    // All workers are killed at once.
    unconfirmedMax: (times) => times * 2 * connections,
    happens: sendAsPrograms,
  },
  {
    id: 'F22',
    title: 'an upgrade in the middle of the day',
    short: 1,
    full: 1,
    setting: 'previous release',
    happens: upgrade,
  },
  {
    id: 'F23',
    title: 'the Redis master is killed, or freezes, and Sentinel promotes its replica',
    short: 2,
    full: 20,
    stores: ['redis'],
    setting: 'Sentinel',
    happens: loseMasters,
  },
  {
    id: 'F24',
    title: 'the PostgreSQL primary is killed, and its synchronous standby is promoted',
    short: 2,
    full: 20,
    mayRefuse: true,
    setting: 'synchronous standby',
    happens: failOver,
  },
  {
    id: 'F25',
    title: 'the PostgreSQL primary is killed, and a standby without its last commits is promoted',
    short: 1,
    full: 20,
    mayRefuse: true,
    setting: 'asynchronous standby',
    happens: failOverAndForget,
  },
  {
    id: 'F30',
    title: 'PostgreSQL is restored from a copy made in the middle of campaigns and schedules',
    short: 1,
    full: 5,
    mayRefuse: true,
    setting: 'restored copy',
    happens: restoreCopies,
  },
];

/** Whether it is the statement that accepts messages, one of them from a caller that does not wait. */
function acceptsInBackground(bytes: Buffer): boolean {
  return bytes.includes('accept-messages') && bytes.includes(String(backgroundGiveUpMs));
}

async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  for (let round = 0; round < times; round += 1) await work();
}
