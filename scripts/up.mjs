// npm start: installs and builds what is stale, then runs Parley in one go.
// Nothing but Node is needed here; node_modules and dist may be missing.
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Parley needs Node 20.19 or later; this is ${process.version}.`);
  process.exit(1);
}

const { complain, say, StartError } = await import('./start/console.mjs');
const { installAndBuild } = await import('./start/install.mjs');
const { listenForStop } = await import('./start/stop-signals.mjs');

const root = resolve(process.argv[2] ?? resolve(import.meta.dirname, '..'));
const stop = listenForStop();
const built = installAndBuild(root, { signal: stop.signal });
stop.signal.addEventListener('abort', stopBuild);
try {
  await built;
} catch (error) {
  // `stopBuild` ends the process.
  if (stop.signal.aborted) await pause(60_000);
  complain(error instanceof StartError ? error.message : error.stack);
  process.exit(1);
}
stop.signal.removeEventListener('abort', stopBuild);

// In this process, so that signals reach it.
const { run } = await import('../dist/modules/src/start/supervisor.js');
process.exit(await run({ root, env: process.env, stop }));

async function stopBuild() {
  say('Stopping …');
  await Promise.race([built.catch(() => {}), pause(5_000)]);
  say('Stopped.');
  process.exit(0);
}
