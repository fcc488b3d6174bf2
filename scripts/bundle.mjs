// The second half of npm run build: makes of dist/modules, which the compiler wrote, the programs that run, each
// with the packages it uses in a few files. A process that loads 2,500 small files spends 1.5 s of processor time on
// it; this way it is 0.6 s. See docs/adr/0006-bundled-programs.md.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '..');
const programs = [
  'src/main',
  'src/worker',
  'src/migrate',
  'src/setup',
  'src/doctor',
  'src/rotate-keys',
  'libs/simulator/main',
];

/** Packages with compiled parts, which find their binaries beside themselves. */
const loadedFromPackages = /^@node-rs\//;

/** A package that another one only tries to load stays a `require`, which fails there as it always did. */
const leaveMissing = {
  name: 'leave-missing',
  async resolveId(specifier, importer, options) {
    if (/^[./#\0]|^node:/.test(specifier)) return null;
    const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
    return found ? null : { id: specifier, external: true };
  },
};

/** It looks for what former versions of TypeORM had by a `require`, which would load TypeORM a second time. */
const oneTypeOrm = {
  name: 'one-typeorm',
  transform(code, id) {
    if (!id.endsWith('/@nestjs/typeorm/dist/common/typeorm-compat.js')) return null;
    const changed = code.replace("require('typeorm')", 'loadedTypeOrm');
    if (changed === code)
      throw new Error(`${id} is not what it was: look whether it needs this yet`);
    return `import * as loadedTypeOrm from 'typeorm';\n${changed}`;
  },
};

for (const name of readdirSync(join(root, 'dist'))) {
  if (name !== 'modules') rmSync(join(root, 'dist', name), { recursive: true });
}
const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input: Object.fromEntries(programs.map((name) => [name, `dist/modules/${name}.js`])),
  external: loadedFromPackages,
  plugins: [leaveMissing, oneTypeOrm],
  onLog(level, log, handle) {
    // A name that cannot be resolved among ours is a mistake; of packages it is their own affair.
    handle(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
  },
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // Schemas, tables and log lines are called by the names of classes.
  keepNames: true,
});
await bundle.close();
if (!programs.every((name) => existsSync(join(root, 'dist', `${name}.js`)))) {
  throw new Error('not every program was bundled');
}
