import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { installAndBuild } from '../../../scripts/start/install.mjs';
import { checkout } from '../../support/npm-start.js';

/** The previous release. Its commit, and not its tag, which not every clone has. */
export const previousRelease: { readonly version: string; readonly commit: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'previous-release.json'), 'utf8'),
);

/** Why the previous release cannot be built here; null: it can. */
export function whyNoPreviousBuild(): string | null {
  const { version, commit } = previousRelease;
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
    return null;
  } catch {
    if (isWhole()) throw new Error(`previous-release.json: ${commit} is in no branch or tag here`);
    return `this is no whole clone, and ${version} (${commit.slice(0, 7)}) is not in it: git fetch --unshallow`;
  }
}

let folder: Promise<string> | null = null;

/** The folder of the previous release, which is built once for all stores. */
export function previousBuild(): Promise<string> {
  folder ??= build();
  return folder;
}

/** Builds it in a folder that all checkouts of this machine share. Several runs at once take turns. */
async function build(): Promise<string> {
  const { commit } = previousRelease;
  const base = join(tmpdir(), `parley-releases-${userInfo().uid}`);
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const isLinked =
    git('show', `${commit}:package-lock.json`).toString() ===
    readFileSync(join(checkout, 'package-lock.json'), 'utf8');
  const root = join(base, isLinked ? commit : `${commit}-installed`);

  const fresh = mkdtempSync(join(base, 'new-'));
  execFileSync('tar', ['-x', '-C', fresh], { input: git('archive', commit) });
  moveUnlessThere(fresh, root);
  if (isLinked) {
    // To this checkout: the one that it led to may be gone.
    const link = join(base, `link-${process.pid}-${Math.random()}`);
    symlinkSync(join(checkout, 'node_modules'), link);
    renameSync(link, join(root, 'node_modules'));
  }
  await installAndBuild(root);
  return root;
}

function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    rmSync(from, { recursive: true });
  }
}

function isWhole(): boolean {
  try {
    return git('rev-parse', '--is-shallow-repository').toString().trim() === 'false';
  } catch {
    return false;
  }
}

function git(...args: string[]): Buffer {
  return execFileSync('git', args, {
    cwd: checkout,
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
