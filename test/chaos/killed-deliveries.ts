import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { defaultMaxInFlight } from '../../src/endpoints/endpoint-limits.js';
import { until } from '../support/until.js';
import type { ChaosInstallation, FaultContext } from './installation.js';

/** Leases of a killed worker last three seconds, and its endpoints are looked for each second. */
const takenOverWithinMs = 20_000;

/** PostgreSQL is slow to settle what was posted; then the workers are killed. What they posted comes again, and nothing else. */
export async function killWhileSettlingIsSlow({ chaos, times, phase }: FaultContext) {
  for (let round = 1; round <= times; round += 1) {
    const path = `/slow-settling-${round}`;
    const endpoint = await openEndpoint(chaos, path, { status: 200 });
    const locks = new Client({ connectionString: chaos.postgres.url, application_name: 'test' });
    await locks.connect();
    // Retries, so that the renewal of the lease reports them: a hint would have to be written to the locked table.
    const count = 5 * defaultMaxInFlight;
    await addEvents(chaos, endpoint, { count, attempts: 1, dueInSeconds: 1 });
    await locks.query('begin');
    await locks.query('lock table open_events in exclusive mode');
    await until(() => chaos.receiver.at(path).length > 8).catch(() => {});
    await pause(3_000);
    await killWorkers(chaos);
    // What the dead workers were settling must not be settled after all.
    await chaos.postgres.terminateBackends();
    await locks.query('rollback');
    await locks.end();
    launchWorkers(chaos);
    await isDelivered(chaos, endpoint, 90_000);
    const posts = idsAt(chaos, path);
    const repeated = posts.length - new Set(posts).size;
    if (repeated > defaultMaxInFlight) {
      phase.violations.push(
        `I8 ${repeated} of ${count} events came again, at most ${defaultMaxInFlight} may`,
      );
    }
    if (new Set(posts).size < count) {
      phase.violations.push(`I8 ${count - new Set(posts).size} of ${count} events never came`);
    }
  }
}

/** Workers are killed while events are under way, and nothing new comes: these go on all the same. */
export async function killThenBeSilent({ chaos, times, phase }: FaultContext): Promise<void> {
  for (let round = 1; round <= times; round += 1) {
    const path = `/silence-${round}`;
    const endpoint = await openEndpoint(chaos, path, { status: 200, delayMs: 500 });
    await addEvents(chaos, endpoint, { count: 30, attempts: 1, dueInSeconds: 1 });
    await until(() => chaos.receiver.at(path).length >= 8).catch(() => {});
    await killWorkers(chaos);
    launchWorkers(chaos);
    await chaos.ready();
    if (!(await isDelivered(chaos, endpoint, takenOverWithinMs))) {
      phase.violations.push(`I8 events of ${path} still wait 20 s after their worker was killed`);
    }
  }
}

/** An endpoint that a worker has in hand. @returns its id. */
async function openEndpoint(
  chaos: ChaosInstallation,
  path: string,
  reaction: { status: number; delayMs?: number },
): Promise<string> {
  chaos.receiver.react(path, () => reaction);
  const { api_key } = await chaos.operator.newKey({
    webhook_url: chaos.receiver.url(path),
    webhook_events: ['message.received'],
  });
  await chaos.operator.get('POST', `/api-keys/${api_key.id}/webhook/test`);
  await until(() => chaos.receiver.at(path).length === 1);
  return api_key.id;
}

async function addEvents(
  chaos: ChaosInstallation,
  endpoint: string,
  { count, attempts, dueInSeconds }: { count: number; attempts: number; dueInSeconds: number },
): Promise<void> {
  await chaos.postgres.sql(
    `insert into open_events (id, event_id, endpoint_id, account_id, mode, type, body, attempts, due_at)
     select uuidv7(), uuidv7(), k.id, k.account_id, k.mode, 'webhook.test',
       '{"event":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z","data":{"message":"' || n || '"}}',
       $3, now() + make_interval(secs => $4)
     from api_keys k, generate_series(1, $2::int) n where k.id = $1`,
    [endpoint, count, attempts, dueInSeconds],
  );
}

const idsAt = (chaos: ChaosInstallation, path: string) =>
  chaos.receiver
    .at(path)
    .slice(1)
    .map(({ headers }) => headers['webhook-id']);

async function killWorkers(chaos: ChaosInstallation): Promise<void> {
  await Promise.all(chaos.stack.workers.map((worker) => worker.kill()));
}

function launchWorkers(chaos: ChaosInstallation): void {
  for (const worker of chaos.stack.workers) worker.launch();
}

/** @returns whether no event of the endpoint is open in time. */
async function isDelivered(
  chaos: ChaosInstallation,
  endpoint: string,
  withinMs: number,
): Promise<boolean> {
  return until(async () => {
    const open = await chaos.postgres.sql(
      'select from open_events where endpoint_id = $1 limit 1',
      [endpoint],
    );
    return open.length === 0;
  }, withinMs).catch(() => false);
}
