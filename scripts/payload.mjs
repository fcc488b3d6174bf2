// node scripts/payload.mjs FOLDER, after npm run build: lays out what the image holds, apart from Node. The Dockerfile
// and the tests of the image call it.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { listsOfPackages, loadedFromPackages } from './bundled-packages.mjs';

const root = resolve(import.meta.dirname, '..');
const [folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: node scripts/payload.mjs FOLDER');

/** What the programs read, and the pages that people read; folder and names. */
const wanted = [
  ['.', /^(?:package\.json|llms\.txt)$/],
  ['dist', /^(?:src|libs|chunks|web)$/],
  ['docs', /\.(?:md|json)$/],
  ['docs/guides', /\.md$/],
  ['clients/cli', /^README\.md$/],
  ['clients/typescript', /^README\.md$/],
  ['.', /^vendor$/],
];

const isLicence = (name) => /^(?:licen[cs]e|copying|notice|ofl)/i.test(name);

const textOf = (path) => readFileSync(path, 'utf8').trim();

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** A package and what it needs in production, as far as it is installed: binaries of other systems are not. */
function withDependencies(name, from = root, found = new Set()) {
  const path = installed(name, from);
  if (!path || found.has(path)) return found;
  found.add(path);
  const { dependencies, optionalDependencies } = readJson(join(path, 'package.json'));
  for (const other of Object.keys({ ...dependencies, ...optionalDependencies }))
    withDependencies(other, path, found);
  return found;
}

/** Where Node finds a package, or undefined. */
function installed(name, from) {
  const path = join(from, 'node_modules', name);
  if (existsSync(path)) return path;
  return from === root ? undefined : installed(name, dirname(from));
}

/** The licence of a package. Some name MIT and its author, and leave out the text. */
function licenceOf(path) {
  const { name, version, license, author } = readJson(join(path, 'package.json'));
  const texts = readdirSync(path)
    .filter(isLicence)
    .map((file) => textOf(join(path, file)));
  if (texts.length === 0 && license !== 'MIT')
    throw new Error(`${name} has no licence text: look for it, and name it in ${import.meta.url}`);
  const holder = author?.name ?? author ?? `the authors of ${name}`;
  return section(
    `${name} ${version} (${license})`,
    texts.length > 0 ? texts : [`Copyright (c) ${holder}`, termsOfMit],
  );
}

const section = (title, texts) => `${'='.repeat(80)}\n${title}\n\n${texts.join('\n\n')}\n`;

const termsOfMit = textOf(join(root, 'vendor/scalar/LICENSE')).replace(/^.*?(?=Permission)/s, '');

for (const [parent, form] of wanted) {
  for (const name of readdirSync(join(root, parent)).filter((each) => form.test(each)))
    cpSync(join(root, parent, name), join(folder, parent, name), { recursive: true });
}

const packages = loadedFromPackages.flatMap((name) => [...withDependencies(name)]);
for (const path of packages) {
  cpSync(path, join(folder, relative(root, path)), {
    recursive: true,
    filter: (source) => source === path || basename(source) !== 'node_modules',
  });
}

const bundled = readdirSync(listsOfPackages).flatMap((name) =>
  readJson(join(listsOfPackages, name)).map((path) => join(root, path)),
);
const vendored = readdirSync(join(root, 'vendor')).map((name) =>
  section(
    `vendor/${name}`,
    ['README.md', 'LICENSE'].map((file) => textOf(join(root, 'vendor', name, file))),
  ),
);
const licences = [...new Set([...packages, ...bundled])].map(licenceOf);
writeFileSync(
  join(folder, 'LICENSES'),
  [...new Set([...licences, ...vendored])].toSorted((a, b) => a.localeCompare(b)).join('\n'),
);
