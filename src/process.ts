import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { flushLog } from './logging/logger.js';
import { textOf } from './start/console.js';

/** How far the heap may grow beyond its live objects before it is cleaned, in percent. */
const heapGrowthPercent = 80;

/**
 * Runs a process; a mistake that a person can mend ends it with the one line that says what to change.
 */
export function start(run: () => Promise<void>): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  // Young objects are few and soon collected: helper threads cost more than they save. See
  // docs/adr/0008-collecting-alone.md.
  setFlagsFromString('--no-parallel-scavenge');
  // A reader that has seen enough (`npm run doctor | head`) is no mistake.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  run().then(keepSmall, async (error: unknown) => {
    process.stderr.write(`${textOf(error)}\n`);
    await flushLog();
    process.exit(1);
  });
}

/**
 * Cleans up once after the start. V8 measures the growth of the heap from its last full clean-up.
 * Without one, it lets a process under load that needs 180 MB grow to 330 MB; see
 * docs/adr/0005-memory.md.
 */
function keepSmall(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
}
