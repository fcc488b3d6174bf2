import { hourMs } from '#libs/durations';
import { installation } from '../support/installation.js';
import { until } from '../support/until.js';
import { judgeCancels, type ToldCancels } from './cancelled-messages.js';
import type { FaultContext } from './installation.js';

/** Messages for the same second in one round. */
const perRound = 250;

/** Every so many-th message is moved first, and every so many-th cancelled while it is released. */
const movedEvery = 7;
const cancelledEvery = 5;
const earlyEvery = 11;

const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

/**
 * Messages for the same second are accepted, moved, released and cancelled while processes are killed. Each is sent once
 * or cancelled, and none stays behind.
 */
export async function scheduleMessages({ chaos, times, phase }: FaultContext): Promise<void> {
  const told: ToldCancels = new Map();
  const call = (id: string, method: string, path = '', body?: object) =>
    fetch(`${chaos.balancer.next()}/api/v1/external/messages/${id}${path}`, {
      method,
      headers: { 'X-API-Key': installation.apiKey, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null);
  const cancel = async (id: string) => {
    const answer = await call(id, 'POST', '/cancel');
    if (answer?.status === 200) told.set(id, 'cancelled');
    if (answer?.status === 409) told.set(id, 'too late');
  };

  for (let round = 0; round < times; round += 1) {
    const name = `F28-${round}`;
    const sends = chaos.load(name, { connections: 8, content: { send_at: inHours(1) } });
    const accepting = chaos.accepts(sends, perRound);
    await chaos.killOne(phase);
    await accepting;
    const sent = await sends.stop();
    phase.sent.push(...sent);
    const ids = sent.flatMap(({ data }) => (data ? [data.message_id] : []));
    const moved = ids.filter((_, index) => index % movedEvery === 0);
    await Promise.all(moved.map((id) => call(id, 'PATCH', '', { send_at: inHours(2) })));

    // Before their time as well: of those that are cancelled while they are released, all may come too late.
    const early = ids.filter((_, index) => index % earlyEvery === 0);
    await Promise.all(early.map((id) => cancel(id)));

    await chaos.postgres.sql(
      `update scheduled_messages set send_at = now(), expires_at = now() + interval '1 hour'
       where reference like $1`,
      [`${name}-%`],
    );
    const cancelled = ids.filter((_, index) => index % cancelledEvery === 0);
    await Promise.all([Promise.all(cancelled.map((id) => cancel(id))), chaos.killOne(phase)]);
    await chaos.killOne(phase);
    await until(async () => {
      const [row] = await chaos.postgres.sql<{ count: number }>(
        'select count(*)::int as count from scheduled_messages where reference like $1',
        [`${name}-%`],
      );
      return row?.count === 0;
    }, 30_000).catch(() =>
      phase.violations.push('I20 messages whose time has come stay scheduled'),
    );
  }

  phase.afterwards.push(() => judgeCancels(chaos, told));
}
