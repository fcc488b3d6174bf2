// The second half of npm run build: bundles dist/modules, which the compiler wrote, into the programs that run, each
// with the packages it uses, in a few files. A process that loads 2,500 small files spends seconds of processor
// time on it. See docs/adr/0006-bundled-programs.md.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { listPackages, loadedFromPackages } from './bundled-packages.mjs';

const root = resolve(import.meta.dirname, '..');
const programs = [
  'src/main',
  'src/worker',
  'src/migrate',
  'src/seed',
  'src/doctor',
  'src/rotate-keys',
  'src/restored',
  'src/reset-operator',
  'libs/simulator/main',
];

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
    return {
      code: `import * as loadedTypeOrm from 'typeorm';\n${changed}`,
      map: { mappings: '' },
    };
  },
};

/** Lets stack traces name our TypeScript. Packages have none: their maps would take longer to read than they do. */
const sourceMaps = {
  name: 'source-maps',
  load(id) {
    if (!/\.[cm]?js$/.test(id)) return null;
    const isOurs = id.startsWith(join(root, 'dist/modules'));
    return {
      code: readFileSync(id, 'utf8'),
      map: isOurs ? readFileSync(`${id}.map`, 'utf8') : { mappings: '' },
    };
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
  // Shaking and minifying both take out calls whose only use is that they may throw: decodeURIComponent in a `try`.
  treeshake: false,
  transform: { define: { 'import.meta.resolve': 'require.resolve' } },
  plugins: [leaveMissing, oneTypeOrm, sourceMaps, listPackages('programs')],
  onLog(level, log, handle) {
    // An unresolved import in our code is a mistake; packages may have some.
    handle(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
  },
});
const { output } = await bundle.write({
  dir: 'dist',
  format: 'cjs',
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  // Schemas, tables and log lines use the names of classes.
  keepNames: true,
  minify: false,
  // V8 keeps the source as long as the process lives, and one letter beyond Latin-1 doubles the whole file.
  // Licences are in node_modules, and in the image in one file (scripts/payload.mjs).
  charset: 'ascii',
  comments: false,
  sourcemap: true,
});
await bundle.close();
for (const { fileName, code } of output) {
  // A template with a tag of its own may still have one, and the loader would read it wrongly.
  if (/[^\0-\x7f]/.test(code)) throw new Error(`${fileName} has a letter that is not of ASCII`);
}

const checkNode = readFileSync(join(import.meta.dirname, 'node-version.mjs'), 'utf8').replace(
  /^\/\/.*\n/gm,
  '',
);
for (const name of programs) {
  writeFileSync(
    join(root, `dist/${name}.js`),
    `import module, { createRequire } from 'node:module';

${checkNode}
// Node keeps what it compiles (from 22.1); stack traces name the lines of our sources.
module.enableCompileCache?.();
process.setSourceMapsEnabled(true);
createRequire(import.meta.url)('./${basename(name)}.cjs');
`,
  );
}
