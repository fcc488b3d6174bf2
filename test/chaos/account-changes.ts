import { setTimeout as pause } from 'node:timers/promises';
import { installation } from '../support/installation.js';
import { until } from '../support/until.js';
import { notification, notify } from '../support/webhooks.js';
import type { ChaosInstallation, FaultContext } from './installation.js';
import { recipientOf } from './phase.js';

const path = '/account-changes';

/** Messages whose reports come at the same time. */
const atOnce = 16;

/** Of these recipients the simulator reports nothing by itself. */
export const unreportedDigit = 7;

/** What the platform reports of each message, including the report when it was sent. */
const told = ['sent', 'delivered', 'read'] as const;

/**
 * Reports come in while their account changes all the time, so that some go the raw way and are overtaken by others.
 * The platform reports `read` when it has our 200 for `delivered`.
 */
export async function changeAccount({ chaos, times, phase }: FaultContext): Promise<void> {
  chaos.receiver.react(path, () => ({ status: 200 }));
  const { key } = await chaos.operator.newKey({
    webhook_url: chaos.receiver.url(path),
    webhook_events: ['message.status'],
    rate_limit_per_minute: 1_000_000,
  });
  const load = chaos.load('F17-reports', {
    connections: atOnce,
    apiKey: key,
    recipientOf: (sequence) => recipientOf(unreportedDigit, sequence),
  });
  await chaos.accepts(load, times);
  const sent = await load.stop();
  phase.sent.push(...sent);
  const ids = sent.flatMap(({ data }) => data?.message_id ?? []);

  const over = new AbortController();
  const changing = (async () => {
    for (let change = 0; !over.signal.aborted; change += 1) {
      const name = `Demo ${change % 2}`;
      await chaos.operator.get('PATCH', `/accounts/${installation.accountId}`, { name });
      await pause(60);
    }
  })();
  const left = [...ids];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let id = left.pop(); id; id = left.pop()) {
        for (const status of ['delivered', 'read']) await reportStatus(chaos, id, status);
      }
    }),
  );
  over.abort();
  await changing;
  phase.afterwards.push(() => findUntold(chaos, ids));
}

/** The platform repeats what is not answered by 200. */
async function reportStatus(chaos: ChaosInstallation, id: string, status: string): Promise<void> {
  const { platform_message_id } = await until(async () => {
    const message = await chaos.stack.message(id);
    return message.platform_message_id && message;
  });
  const report = {
    id: platform_message_id,
    status,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    recipient_id: '4930',
    biz_opaque_callback_data: id,
  };
  const body = notification({ statuses: [report] });
  await until(async () => (await notify(chaos.stack, body)).status === 200);
}

async function findUntold(chaos: ChaosInstallation, ids: readonly string[]): Promise<string[]> {
  const statuses = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]));
  const isAllTold = () =>
    [...statuses.values()].every((some) => told.every((one) => some.has(one)));
  await until(() => {
    for (const { body } of chaos.receiver.at(path)) {
      statuses.get(body.data.message_id)?.add(body.data.status);
    }
    return isAllTold();
  }, 60_000).catch(() => {});
  return [...statuses].flatMap(([id, some]) =>
    told.filter((one) => !some.has(one)).map((one) => `I8 ${one} of ${id} was never told`),
  );
}
