import { until } from '../support/until.js';
import { connections, type FaultContext } from './installation.js';

/** Each commit waits for the standby, so nothing may be missing from it. */
export async function failOver({ chaos, times, load, phase }: FaultContext): Promise<void> {
  const { replicas, isFenced } = chaos;
  for (let round = 0; round < times; round += 1) {
    // The workers know that commits wait.
    await until(async () => {
      const rows = await chaos.postgres.sql(
        'select from database_histories where history = database_history() and is_synchronous',
      );
      return rows.length > 0;
    });
    await chaos.accepts(load, 50);
    await replicas.failOver({ isFenced });
    // The answer to a claim was lost with the connection.
    phase.unconfirmedMax += connections;
    await chaos.accepts(load, 50);
    await replicas.addStandby();
    await chaos.accepts(load, 25);
  }
  phase.afterwards.push(() => alertsOfForgottenCommits(chaos, 0));
}

/** The standby hears of nothing for a while, and is promoted all the same. */
export async function failOverAndForget({
  chaos,
  times,
  load,
  phase,
}: FaultContext): Promise<void> {
  const { replicas, isFenced } = chaos;
  for (let round = 0; round < times; round += 1) {
    const known = load.sent.length;
    // One of eight callers does not wait, so what was accepted just before may be sent later.
    await chaos.accepts(load, 25);
    // What waits since the failover before may be sent now, and that may be forgotten.
    const waiting = await chaos.postgres.sql<{ reference: string }>(
      `select reference from messages where status in ('queued', 'sending') and reference is not null`,
    );
    for (const { reference } of waiting) phase.mayBeForgotten.add(reference);
    replicas.holdReplication();
    await chaos.accepts(load, 75);
    await replicas.failOver({ isFenced });
    await chaos.accepts(load, 50);
    for (const { reference } of load.sent.slice(known)) phase.mayBeForgotten.add(reference);
    phase.unconfirmedMax = Number.POSITIVE_INFINITY;
    await replicas.addStandby();
    await chaos.accepts(load, 25);
  }
  phase.afterwards.push(() => alertsOfForgottenCommits(chaos, times));
}

/** Administrators hear of each time that something was forgotten, and of no other. */
async function alertsOfForgottenCommits(
  { postgres }: FaultContext['chaos'],
  wanted: number,
): Promise<string[]> {
  const alerts = await postgres.sql(`select from alerts where kind = 'database_history'`);
  if (alerts.length === wanted) return [];
  return [`I17 ${alerts.length} alerts of forgotten commits, not ${wanted}`];
}
