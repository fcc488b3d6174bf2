import { until } from '../support/until.js';
import type { FaultContext } from './installation.js';

/**
 * The Redis master is killed, or falls silent with all its connections open, as when its machine is gone.
 * It comes back as a replica, and may be promoted in the next round.
 */
export async function loseMasters({ chaos, times, load }: FaultContext): Promise<void> {
  const { pair } = chaos;
  if (!pair) throw new Error('nobody watches this Redis');
  await chaos.ready();
  const connected = await pair.clients();
  for (let round = 0; round < times; round += 1) {
    const isKilled = round % 2 === 0;
    if (isKilled) await pair.killMaster();
    else pair.freezeMaster();
    await chaos.accepts(load, 25);
    await pair.isPromoted();
    // All of the product is there, and nothing waits for the old one.
    await until(async () => (await pair.clients()) === connected);
    await chaos.accepts(load, 25);
    if (isKilled) await pair.addReplica();
    else pair.thaw();
    await pair.isWhole();
    await chaos.accepts(load, 25);
  }
}
