// Makes dist/parley.js, the whole command in one file, from the packages of the checkout; `npm pack` runs it.
import { chmodSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const folder = import.meta.dirname;
const checkout = resolve(folder, '../..');
const read = (path) => readFileSync(join(checkout, path), 'utf8');
const checkNode = read('scripts/node-version.mjs').replace(/^\/\/.*\n/gm, '');

const bundle = await rolldown({
  cwd: folder,
  platform: 'node',
  input: 'src/program.ts',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  onLog(level, log, handle) {
    handle(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
  },
});
await bundle.write({
  file: join(folder, 'dist/parley.js'),
  format: 'esm',
  // The licence of commander must be in each copy of it.
  banner: `#!/usr/bin/env node\n/*! Contains commander.\n\n${read('node_modules/commander/LICENSE')}*/\n${checkNode}`,
  comments: false,
});
await bundle.close();
chmodSync(join(folder, 'dist/parley.js'), 0o755);
