import {
  type HistoryRow,
  historyColumns,
  timelineOf,
} from '../../src/messages/rows/message-history.js';
import { until } from '../support/until.js';
import type { Reaction } from '../support/webhook-receiver.js';
import type { ChaosInstallation, FaultContext } from './installation.js';

/** What endpoints do to events, and how many messages each one hears about. */
const reactions: Readonly<Record<string, { reaction: Reaction | 'away'; messages: number }>> = {
  healthy: { reaction: { status: 200 }, messages: 40 },
  hanging: { reaction: 'hang', messages: 2 },
  trickling: { reaction: 'trickle', messages: 2 },
  flooding: { reaction: 'flood', messages: 2 },
  failing: { reaction: { status: 500 }, messages: 4 },
  redirecting: { reaction: { status: 302, headers: { location: '/healthy' } }, messages: 4 },
  gone: { reaction: { status: 410 }, messages: 4 },
  away: { reaction: 'away', messages: 4 },
};

/** An event that should have come to an endpoint. */
interface Due {
  readonly event_id: string;
  readonly body: string;
  readonly status: string;
  readonly attempts: number;
}

/** Sends events to endpoints while most of them misbehave. */
export async function breakEndpoints({ chaos, times, phase }: FaultContext): Promise<void> {
  for (let round = 1; round <= times; round += 1) {
    await Promise.all(
      Object.entries(reactions).map(async ([name, { reaction, messages }]) => {
        const path = `/${name}-${round}`;
        const url = reaction === 'away' ? `http://127.0.0.1:9${path}` : chaos.receiver.url(path);
        if (reaction !== 'away') chaos.receiver.react(path, () => reaction);
        const { api_key, key } = await chaos.operator.newKey({
          webhook_url: url,
          webhook_events: ['message.status'],
          rate_limit_per_minute: 1_000_000,
        });
        const load = chaos.load(`F12-${name}-${round}`, { connections: 2, apiKey: key });
        await chaos.accepts(load, messages);
        phase.sent.push(...(await load.stop()));
        phase.afterwards.push(() => findMissing(chaos, path, api_key.id));
      }),
    );
  }
}

const allEvents = `
  select event_id, message_id, body, attempts::int, 'open' as status
  from open_events where endpoint_id = $1
  union all
  select event_id, message_id, body, attempts::int, status from done_events where endpoint_id = $1`;

/** Events that neither came nor are in the log as refused, and events that came in two forms. */
export async function findMissing(
  chaos: ChaosInstallation,
  path: string,
  keyId: string,
  endpointId = keyId,
): Promise<string[]> {
  const messages = await chaos.postgres.sql<{ id: string; told: string[] } & HistoryRow>(
    `select id, ${historyColumns}, array(
       select e.body::json->'data'->>'status' from (${allEvents}) e
       where e.message_id = m.id) as told
     from messages m
     -- A message whose request was answered 503 tells nobody anything.
     where api_key_id = $2 and error->>'reason' is distinct from 'withdrawn'`,
    [endpointId, keyId],
  );
  const untold = messages.flatMap(({ id, told, ...row }) =>
    timelineOf(row)
      .filter(({ status }) => status !== 'sending' && status !== 'queued' && !told.includes(status))
      .map(({ status }) => ({ id, status })),
  );
  // An attempt whose worker stood still is made again when its lease is over, and hangs for 15 s.
  await until(async () => {
    const open = await chaos.postgres.sql(
      'select 1 from open_events where endpoint_id = $1 and attempts = attempts_before',
      [endpointId],
    );
    return open.length === 0;
  }, 60_000).catch(() => {});
  const due = await chaos.postgres.sql<Due>(allEvents, [endpointId]);
  const came = new Map<string, string>();
  const violations = untold.map(({ id, status }) => `I8 ${path}: no event for ${id} ${status}`);
  for (const { headers, raw } of chaos.receiver.at(path)) {
    const id = String(headers['webhook-id']);
    if (came.has(id) && came.get(id) !== raw)
      violations.push(`I8 ${path}: ${id} came in two forms`);
    came.set(id, raw);
  }
  const bodies = new Set(came.values());
  for (const { event_id, body, status, attempts } of due) {
    const isLogged = status === 'failed' || (status === 'open' && attempts > 0);
    if (status === 'succeeded' ? bodies.has(body) : isLogged) continue;
    violations.push(`I8 ${path}: the event ${event_id} is ${status} after ${attempts} attempts`);
  }
  return violations;
}
