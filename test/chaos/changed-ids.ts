import { until } from '../support/until.js';
import { newWamid, notification, notify } from '../support/webhooks.js';
import type { ChaosInstallation, FaultContext } from './installation.js';

const users = 4;
const killEvery = 5;

/** A user id that the platform has replaced, and since when that is committed. */
interface Replaced {
  readonly id: string;
  readonly sinceMs: number;
}

interface SentRow {
  id: string;
  attempt: number;
  claimed_ms: number | null;
}

const firstId = (sequence: number) => `DE.7${sequence % users}`;

/**
 * The platform replaces user ids, one after the other, while callers go on sending to the first ones and processes are
 * killed. Once a change is committed, nothing is claimed for the id before.
 */
export async function changeUserIds({ chaos, times, phase }: FaultContext): Promise<void> {
  const load = chaos.load('F18-ids', { recipientOf: firstId });
  const present = Array.from({ length: users }, (_, user) => firstId(user));
  const replaced: Replaced[] = [];
  await chaos.accepts(load, 20);
  for (let change = 0; change < times; change += 1) {
    const user = change % users;
    const previous = present[user] ?? '';
    const next = `${firstId(user)}x${change}`;
    if (change % killEvery === killEvery - 1) await chaos.killOne(phase);
    await tell(chaos, previous, next);
    replaced.push({ id: previous, sinceMs: Date.now() });
    present[user] = next;
    await chaos.accepts(load, 10);
  }
  phase.sent.push(...(await load.stop()));
  await chaos.ready();
  phase.afterwards.push(() => findMisled(chaos, replaced));
}

/** Resolves when the change is committed. */
async function tell(chaos: ChaosInstallation, previous: string, next: string): Promise<void> {
  const body = notification({
    messages: [
      {
        id: newWamid(),
        timestamp: String(Math.floor(Date.now() / 1_000)),
        type: 'system',
        system: { type: 'user_changed_user_id', previous_user_id: previous, user_id: next },
      },
    ],
  });
  // The platform repeats what is not answered by 200.
  await until(async () => (await notify(chaos.stack, body).catch(() => null))?.status === 200);
  await until(async () => {
    const found = await chaos.postgres.sql(
      `select 1 from contacts where user_id = $1 and mode = 'live'`,
      [next],
    );
    return found.length > 0;
  });
}

async function findMisled(
  chaos: ChaosInstallation,
  replaced: readonly Replaced[],
): Promise<string[]> {
  const rows = await chaos.postgres.sql<SentRow>(
    `select id, attempt, extract(epoch from sending_at)::float8 * 1000 as claimed_ms
     from messages where reference like 'F18-ids-%'`,
  );
  const sinceMs = new Map(replaced.map((one) => [one.id, one.sinceMs]));
  const ledger = await chaos.stack.ledger();
  return rows.flatMap(({ id, attempt, claimed_ms: claimedMs }) => {
    const tries = ledger.filter((one) => one.biz_opaque_callback_data === id);
    const address = String(tries.at(-1)?.body.recipient);
    // A try that never arrived says nothing of where it went.
    const isLate =
      tries.length === attempt && (claimedMs ?? 0) > (sinceMs.get(address) ?? Infinity);
    return isLate ? [`I13 ${id} was claimed for ${address}, which had been replaced`] : [];
  });
}
