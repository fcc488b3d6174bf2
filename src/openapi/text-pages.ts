import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../config/checkout.js';
import { StaticFiles } from '../http/server/static-files.js';

const isMarkdown = /\.md$/;

/** The documents in JSON stand among the pages. */
export const isPage = /\.(?:md|json)$/;

const folders: readonly (readonly [folder: string, form: RegExp])[] = [
  ['docs', isPage],
  ['docs/guides', isMarkdown],
  ['clients/cli', isMarkdown],
  ['clients/typescript', isMarkdown],
];

let pages: StaticFiles | null = null;

/** `llms.txt` and the pages that it names, by their paths in the checkout. Read on the first request for one. */
export function textPages(): StaticFiles {
  pages ??= readPages();
  return pages;
}

function readPages(): StaticFiles {
  const paths = ['llms.txt', ...folders.flatMap(([folder, form]) => pathsIn(folder, form))];
  return new StaticFiles(new Map(paths.map((path) => [path, readFileSync(join(checkout, path))])));
}

function pathsIn(folder: string, form: RegExp): string[] {
  return readdirSync(join(checkout, folder))
    .filter((name) => form.test(name))
    .map((name) => `${folder}/${name}`);
}
