import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder that holds `package.json`; where in `dist/` this code is depends on the build. */
export const checkout = findCheckout(import.meta.dirname);

function findCheckout(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('Parley runs from a folder with its package.json.');
  return findCheckout(parent);
}
