import { setTimeout as pause } from 'node:timers/promises';
import { defaultMaxInFlight } from '../../src/endpoints/endpoint-limits.js';
import { until } from '../support/until.js';
import type { ChaosInstallation, FaultContext } from './installation.js';
import type { Phase } from './phase.js';

const redeliveredCount = 3;

/** Endpoints that make room for reads all the time, and others with many events under way for long. */
const quick = { endpoints: 2, events: 800, answerMs: 20 };
const slow = { endpoints: 3, events: 800, answerMs: 400 };

/** Delivered when the worker stopped, and not written down yet. */
const unsettledMax = 24;

const termsEveryMs = 200;

let made = 0;

interface Backlog {
  readonly keyId: string;
  readonly path: string;
  readonly events: number;
  /** The lease's terms that were seen: each further one is a change of owner. */
  readonly terms: Set<string>;
}

/**
 * Endpoints with hundreds of events to get, first while their settings change, then while `fault` happens.
 * Each event comes once, but for those under way where a worker lost its lease.
 */
export async function withBacklogs(
  context: FaultContext,
  fault: () => Promise<void>,
): Promise<void> {
  const { chaos } = context;
  await deliver(context, quick, async (backlogs) => {
    const isDone = ({ path, events }: Backlog) => chaos.receiver.at(path).length >= events;
    for (let round = 0; round < 200 && !backlogs.every(isDone); round += 1) {
      await changeSettings(chaos, backlogs);
    }
  });
  await deliver(context, slow, async (backlogs) => {
    await changeSettings(chaos, backlogs);
    const isUnderWay = ({ path }: Backlog) => chaos.receiver.at(path).length >= 100;
    await until(() => backlogs.every(isUnderWay), 30_000);
    await fault();
  });
}

async function deliver(
  { chaos, phase }: FaultContext,
  { endpoints, events, answerMs }: typeof quick,
  meanwhile: (backlogs: readonly Backlog[]) => Promise<void>,
): Promise<void> {
  const backlogs = await Promise.all(
    Array.from({ length: endpoints }, () => addBacklog(chaos, events, answerMs)),
  );
  const over = new AbortController();
  const watching = watchTerms(chaos, backlogs, over.signal);
  await meanwhile(backlogs);
  for (const backlog of backlogs) await judge(chaos, phase, backlog);
  over.abort();
  await watching;
}

async function addBacklog(
  chaos: ChaosInstallation,
  events: number,
  answerMs: number,
): Promise<Backlog> {
  const path = `/backlog-${(made += 1)}`;
  chaos.receiver.react(path, () => ({ status: 200, delayMs: answerMs }));
  const { api_key } = await chaos.operator.newKey({
    webhook_url: chaos.receiver.url(path),
    webhook_events: ['message.status'],
  });
  await chaos.postgres.sql(
    `insert into open_events (id, event_id, endpoint_id, account_id, mode, type, body)
     select uuidv7(), uuidv7(), id, account_id, 'live', 'webhook.test',
       '{"event":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z","data":{"message":"' || n || '"}}'
     from api_keys, generate_series(1, $2::int) n where id = $1`,
    [api_key.id, events],
  );
  return { keyId: api_key.id, path, events, terms: new Set() };
}

/** The worker that has an endpoint reads its events from the start then. */
async function changeSettings(chaos: ChaosInstallation, backlogs: readonly Backlog[]) {
  for (const { keyId, path } of backlogs) {
    const webhook_url = chaos.receiver.url(`${path}#${Math.random()}`);
    await chaos.operator.call('PATCH', `/api-keys/${keyId}`, { webhook_url });
  }
}

async function watchTerms(
  chaos: ChaosInstallation,
  backlogs: readonly Backlog[],
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    const leases = await chaos.postgres.sql<{ endpoint_id: string; term: string }>(
      `select endpoint_id, term from endpoint_leases l
       where exists (select from open_events o where o.endpoint_id = l.endpoint_id)`,
    );
    for (const { keyId, terms } of backlogs) {
      const term = leases.find(({ endpoint_id }) => endpoint_id === keyId)?.term;
      if (term) terms.add(term);
    }
    await pause(termsEveryMs);
  }
}

async function judge(
  chaos: ChaosInstallation,
  phase: Phase,
  { keyId, path, events, terms }: Backlog,
): Promise<void> {
  const broken = (what: string) => phase.violations.push(`I8 ${path}: ${what}`);
  const idsAt = () => chaos.receiver.at(path).map(({ headers }) => String(headers['webhook-id']));
  const count = async (table: string) =>
    (
      await chaos.postgres.sql<{ count: number }>(
        `select count(*)::int as count from ${table} where endpoint_id = $1`,
        [keyId],
      )
    )[0]?.count;
  await until(async () => (await count('open_events')) === 0, 30_000).catch(() => {});
  const came = idsAt();
  const again = came.length - new Set(came).size;
  const changes = Math.max(0, terms.size - 1);
  if (new Set(came).size < events) broken(`${new Set(came).size} of ${events} events came`);
  if (again > changes * (defaultMaxInFlight + unsettledMax)) {
    broken(`${again} events came again after ${changes} changes of their worker`);
  }
  const rows = await chaos.postgres.sql<{ id: string; event_id: string; attempts: number }>(
    'select id, event_id, attempts::int from done_events where endpoint_id = $1 limit $2',
    [keyId, redeliveredCount],
  );
  for (const { id } of rows) {
    await chaos.operator.call('POST', `/webhook-deliveries/${id}/redeliver`);
  }
  await until(() => idsAt().length >= came.length + rows.length, 30_000).catch(() => {});
  await until(async () => (await count('open_events')) === 0, 30_000).catch(() => {});
  for (const { event_id, attempts } of rows) {
    const now = await chaos.postgres.sql<{ attempts: number }>(
      'select attempts::int from done_events where endpoint_id = $1 and event_id = $2',
      [keyId, event_id],
    );
    if (now.length === 1 && now[0]?.attempts === attempts + 1) continue;
    broken(`redelivered, ${event_id} has ${JSON.stringify(now)} in the log`);
  }
}
