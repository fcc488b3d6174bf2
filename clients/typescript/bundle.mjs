// Makes dist: the client for `import` (esm) and for `require` (cjs), each one file with its declarations, from the
// packages of the checkout; `npm pack` runs it.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const folder = import.meta.dirname;
const checkout = resolve(folder, '../..');
const dist = join(folder, 'dist');
const packages = join(checkout, 'node_modules');

rmSync(dist, { recursive: true, force: true });
const compile = [join(packages, 'typescript/bin/tsc'), '--project', folder];
execFileSync(process.execPath, compile, { stdio: 'inherit' });
cpSync(join(dist, 'esm'), join(dist, 'cjs'), { recursive: true });
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');

const licence = readFileSync(join(packages, '@noble/hashes/LICENSE'), 'utf8');
const bundle = await rolldown({
  cwd: folder,
  // Without Node's own modules: it runs in Deno, Bun and workers too.
  platform: 'neutral',
  input: 'src/index.ts',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  onLog(level, log, handle) {
    handle(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
  },
});
for (const format of ['esm', 'cjs']) {
  await bundle.write({
    file: join(dist, format, 'index.js'),
    format,
    // The licence of what is inside must be in each copy of it.
    banner: `/*! Contains @noble/hashes.\n\n${licence}*/`,
    comments: false,
  });
}
await bundle.close();
