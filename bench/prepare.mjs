import { fileURLToPath } from 'node:url';
import { StartError } from '../scripts/start/console.mjs';
import { installAndBuild } from '../scripts/start/install.mjs';

// Installs and builds what is missing, as a process of its own: npm writes to the standard output that it is given,
// and the benchmark's own belongs to the result.
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort());

try {
  await installAndBuild(fileURLToPath(new URL('..', import.meta.url)), { signal: stop.signal });
} catch (error) {
  process.exitCode = 1;
  if (!stop.signal.aborted) console.error(error instanceof StartError ? error.message : error);
}
