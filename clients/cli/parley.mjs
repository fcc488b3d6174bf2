#!/usr/bin/env node
// The command `parley`, as `npx parley` runs it from the checkout. Nothing has to be built.
import '../../scripts/node-version.mjs';
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { resolve } from 'node:path';

if (!existsSync(new URL('../../node_modules/commander', import.meta.url))) {
  process.stderr.write('parley: packages are missing; run npm ci in the checkout first.\n');
  process.exit(1);
}
register('../../scripts/typescript-hooks.mjs', import.meta.url);
const { main } = await import('./src/main.ts');
process.exitCode = await main(process.argv, resolve(import.meta.dirname, '../..'));
