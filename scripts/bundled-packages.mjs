// What the built programs and the dashboard are made of; scripts/payload.mjs copies and names it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Packages that stay packages: they have compiled parts, which they look for in their own folder. */
export const loadedFromPackages = ['@node-rs/argon2'];

/** Each build leaves one list here: the folders of the packages that are in it, relative to the checkout. */
export const listsOfPackages = resolve(import.meta.dirname, '../dist/packages');

/** A plugin for rolldown and Vite that writes the list of a build. */
export const listPackages = (build) => ({
  name: 'list-packages',
  apply: 'build',
  writeBundle(_options, output) {
    const files = [
      ...this.getModuleIds(),
      // Fonts.
      ...Object.values(output).flatMap(({ originalFileNames = [] }) => originalFileNames),
    ];
    const folders = new Set(files.map(packageOf).filter(Boolean));
    mkdirSync(listsOfPackages, { recursive: true });
    writeFileSync(
      join(listsOfPackages, `${build}.json`),
      JSON.stringify([...folders].toSorted((a, b) => a.localeCompare(b))),
    );
  },
});

/** The folder of the package that a file belongs to, or undefined. */
function packageOf(file) {
  return /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}
