import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/until.js';
import {
  type ChaosInstallation,
  type FaultContext,
  connections as usualConnections,
} from './installation.js';
import { findMissing } from './webhook-endpoints.js';

/** How long everything is slow. */
const pressureMs = 20_000;

/** Either way, so that every statement and every commit of the product takes 100 ms and more. */
const databaseWayMs = 50;

const platformAnswerMs = 2_000;

/** Longer than what the product reads of an answer, and nothing that it may keep. */
const receiverAnswer = { status: 200, delayMs: 1_000, body: Buffer.alloc(16 * 1024 * 1024, '.') };

/** Callers that wait for the outcome, and callers that do not: together they ask for more than can be sent. */
const waiting = { connections: 160, thinkMs: 0 };
const others = { connections: 160, thinkMs: 300, waits: () => false };

/** How many messages callers can have under way at once. */
export const callers = waiting.connections + others.connections;

/** Twice what a process takes here, 160 to 210 MiB, whatever the pressure; what has no bound takes more within seconds. */
const memoryMaxMib = 400;

const lookEveryMs = 200;

/** Database, platform and receivers are slow, while callers ask for more than can be sent. */
export async function slowEverything({ chaos, times, phase }: FaultContext): Promise<void> {
  const memory = watchMemory(chaos);
  for (let round = 1; round <= times; round += 1) {
    const path = `/slow-${round}`;
    let isSlow = true;
    chaos.receiver.react(path, () => (isSlow ? receiverAnswer : { status: 200 }));
    const { api_key, key } = await chaos.operator.newKey({
      webhook_url: chaos.receiver.url(path),
      webhook_events: ['message.status'],
      rate_limit_per_minute: 1_000_000,
      daily_limit: 1_000_000,
    });
    chaos.links.postgres.delayMs = databaseWayMs;
    await chaos.slowPlatform(platformAnswerMs);
    const loads = [
      chaos.load(`F26-waiting-${round}`, waiting),
      chaos.load(`F26-others-${round}`, { ...others, apiKey: key }),
    ];
    await pause(pressureMs);
    const sent = (await Promise.all(loads.map((one) => one.stop()))).flat();
    phase.sent.push(...sent);
    const unanswered = sent.filter(({ status }) => status === null);
    if (unanswered.length > 0) {
      phase.violations.push(
        `I12 ${unanswered.length} without an answer: ${unanswered[0]?.problem}`,
      );
    }
    isSlow = false;
    chaos.links.postgres.delayMs = 0;
    await chaos.slowPlatform();
    phase.afterwards.push(() => findMissing(chaos, path, api_key.id));
    const open = await openMessages(chaos);
    const fastAt = performance.now();
    await until(async () => (await openMessages(chaos)) < usualConnections, 45_000).catch(() => {
      phase.violations.push('I1 messages still wait 45 s after the pressure');
    });
    const tookMs = Math.round(performance.now() - fastAt);
    phase.notes.push(`answers ${tally(sent)}`, `${open} messages were open, gone in ${tookMs} ms`);
  }
  const most = memory.stop();
  for (const [name, mib] of most) {
    phase.notes.push(`${name} ${mib} MiB`);
    if (mib <= memoryMaxMib) continue;
    phase.violations.push(`I18 ${name} took ${mib} MiB of memory, at most ${memoryMaxMib} may`);
  }
}

async function openMessages(chaos: ChaosInstallation): Promise<number> {
  const [row] = await chaos.postgres.sql<{ count: number }>(
    `select count(*)::int as count from messages where status in ('queued', 'sending')`,
  );
  return row?.count ?? 0;
}

/** How often each HTTP status was answered. */
function tally(sent: readonly { status: number | null }[]): string {
  const counts = new Map<number | null, number>();
  for (const { status } of sent) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status ?? 'none'} × ${count}`).join(', ');
}

/** Looks at the memory of each process until `stop`, which returns the most of each in MiB. */
function watchMemory({ servers }: ChaosInstallation) {
  const most = new Map<string, number>();
  const look = () => {
    for (const { name, pid } of servers) {
      most.set(name, Math.max(most.get(name) ?? 0, residentMib(pid)));
    }
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      return most;
    },
  };
}

/** 0 where it does not run, or where there is no /proc. */
function residentMib(pid: number): number {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kib ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
