import { setTimeout as pause } from 'node:timers/promises';
import { installation } from '../support/installation.js';
import type { ChaosInstallation, FaultContext } from './installation.js';

/** Callers that send without waiting and change their mind at once. */
const undecided = 4;

/** What whoever cancelled a message was told, by its id. */
export type ToldCancels = Map<string, 'cancelled' | 'too late'>;

/** Each message is cancelled or sent, never both, and its caller is told which. */
export async function cancelMessages({ chaos, times, load, phase }: FaultContext): Promise<void> {
  const told: ToldCancels = new Map();
  const tell = async (id: string): Promise<void> => {
    const url = `${chaos.balancer.next()}/api/v1/external/messages/${id}/cancel`;
    const headers = { 'X-API-Key': installation.apiKey };
    const answer = await fetch(url, { method: 'POST', headers }).catch(() => null);
    if (answer?.status === 200) told.set(id, 'cancelled');
    if (answer?.status === 409) told.set(id, 'too late');
  };
  const sends = chaos.load('F27-undecided', { connections: undecided, waits: () => false });
  const over = new AbortController();
  const cancelling = (async () => {
    for (let seen = 0; !over.signal.aborted; ) {
      const fresh = sends.sent.slice(seen);
      seen += fresh.length;
      await Promise.all(fresh.flatMap(({ data }) => (data ? [tell(data.message_id)] : [])));
      await pause(5);
    }
  })();
  try {
    for (let round = 0; round < times; round += 1) {
      await chaos.accepts(sends, 40);
      await chaos.killOne(phase);
      await chaos.accepts(load, 25);
    }
  } finally {
    over.abort();
    await cancelling;
    phase.sent.push(...(await sends.stop()));
  }
  phase.afterwards.push(() => judgeCancels(chaos, told));
}

/** Compares what callers were told with what became of their messages. */
export async function judgeCancels(chaos: ChaosInstallation, told: ToldCancels): Promise<string[]> {
  const rows = await chaos.postgres.sql<{ id: string; status: string }>(
    'select id, status from messages where id = any ($1)',
    [[...told.keys()]],
  );
  const wrong = rows.filter(
    ({ id, status }) => (status === 'cancelled') !== (told.get(id) === 'cancelled'),
  );
  return [
    ...([...told.values()].includes('cancelled') ? [] : ['I19 nothing was cancelled']),
    ...wrong.map(({ id, status }) => `I19 ${id}: told ${told.get(id)}, and it is ${status}`),
  ];
}
