// Is in dist/ and loads the bundled programs there with the code that the build has compiled for them.
// See docs/adr/0007-compiled-code.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const here = dirname(fileURLToPath(import.meta.url)) + sep;
const require = createRequire(import.meta.url);
const scripts = new Map();

// The file name extension that only the bundles have; what packages bring is left to Node.
require.extensions['.cjs'] = (module, path) => {
  if (!path.startsWith(here)) return require.extensions['.js'](module, path);
  // The build writes nothing but ASCII.
  const script = new Script(Module.wrap(readFileSync(path, 'latin1')), {
    filename: path,
    // What another version of Node has compiled is turned down by itself, and compiled again.
    cachedData: readCode(path),
  });
  // Else what has run once, and will not again, could not be cleaned away.
  if (process.env.PARLEY_LOAD_ONLY) scripts.set(path, script);
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, createRequire(path), module, path, dirname(path));
};

/** Runs a program. @param url the bundle's address. */
export function load(url) {
  require(fileURLToPath(url));
}

/** Writes, next to each of these files, what V8 has compiled of it while it was loaded. */
export function keepCode(paths) {
  for (const path of paths) {
    require(path);
    writeFileSync(codePath(path), scripts.get(path).createCachedData());
  }
}

function readCode(path) {
  try {
    return readFileSync(codePath(path));
  } catch {
    return undefined;
  }
}

function codePath(path) {
  return `${path}.code`;
}
