// npm start: installs and builds what is stale, then runs Parley in one go.
// Nothing but Node is needed here; node_modules may be missing.
import { resolve } from 'node:path';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Parley needs Node 20.19 or later; this is ${process.version}.`);
  process.exit(1);
}

const { run } = await import('./start/supervisor.mjs');
const root = resolve(process.argv[2] ?? resolve(import.meta.dirname, '..'));
process.exit(await run({ root, env: process.env }));
