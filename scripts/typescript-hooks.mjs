import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve as resolvePath, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from '@swc/core';

/** Module hooks with which Node runs the TypeScript of the tests and of the CLI; for the product, they load the build. */

const root = resolvePath(import.meta.dirname, '..');

export async function resolve(specifier, context, next) {
  if (!specifier.startsWith('.') || !context.parentURL?.endsWith('.ts')) {
    return next(specifier, context);
  }
  const path = fileURLToPath(new URL(specifier, context.parentURL));
  const below = relative(root, path);
  if (below.startsWith(`src${sep}`)) return found(join(root, 'dist/modules', below));
  const source = path.replace(/\.js$/, '.ts');
  return existsSync(source) ? found(source) : next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    sourceMaps: 'inline',
    jsc: {
      parser: { syntax: 'typescript' },
      target: 'es2023',
      experimental: { keepImportAssertions: true },
    },
    module: { type: 'es6' },
  });
  return { format: 'module', source: code, shortCircuit: true };
}

function found(path) {
  return { url: pathToFileURL(path).href, shortCircuit: true };
}
