import { setTimeout as pause } from 'node:timers/promises';
import { withBacklogs } from './backlogs.js';
import type { FaultContext } from './installation.js';

/** Longer than the 30 s of a lease. */
const frozenMs = 34_000;

/** A worker freezes for longer than its leases, and continues. */
export async function freezeWorkers(context: FaultContext): Promise<void> {
  for (let round = 0; round < context.times; round += 1) {
    await withBacklogs(context, () => freeze(context));
  }
}

async function freeze({ chaos, load, phase }: FaultContext): Promise<void> {
  const frozen = chaos.random.pick(chaos.stack.workers);
  const thawsAt = performance.now() + frozenMs;
  frozen.signal('SIGSTOP');
  // Claims that had left the worker may be committed yet.
  await chaos.accepts(load, 20);
  phase.unconfirmedMax += await chaos.underWay();
  await chaos.accepts(load, 60);
  load.pause();
  await pause(thawsAt - performance.now());
  frozen.signal('SIGCONT');
  load.resume();
  await chaos.accepts(load, 60);
}
