// npm start: installs and builds what is stale, then runs Parley in one go.
// Nothing but Node is needed here; node_modules and dist may be missing.
import './node-version.mjs';
import { resolve } from 'node:path';

const { complain, say, textOf } = await import('./start/console.mjs');
const { installAndBuild } = await import('./start/install.mjs');
const { listenForStop } = await import('./start/stop-signals.mjs');

const root = resolve(process.argv[2] ?? resolve(import.meta.dirname, '..'));
const stop = listenForStop();
const stopBuild = () => {
  say('Stopping …');
  // A build that does not end by itself.
  setTimeout(() => process.exit(0), 5_000);
};
stop.signal.addEventListener('abort', stopBuild);
try {
  await installAndBuild(root, { signal: stop.signal });
} catch (error) {
  if (stop.signal.aborted) say('Stopped.');
  else complain(textOf(error));
  process.exit(stop.signal.aborted ? 0 : 1);
}
if (stop.signal.aborted) process.exit(0);
stop.signal.removeEventListener('abort', stopBuild);

// In this process, so that signals reach it.
const { run } = await import('../dist/modules/src/start/supervisor.js');
process.exit(await run({ root, env: process.env, stop }));
