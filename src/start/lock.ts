import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf } from './console.js';
import { isRunning, type ProcessRun, processIdentity } from './processes.js';

/**
 * Takes the lock file `path` for this process. A lock whose owner has died counts as free.
 *
 * @returns `{ release }`, or `{ owner }` (a pid) when a living process has it.
 */
export function takeLock(path: string): { release: () => void } | { owner: number } {
  const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    // A few rounds are enough: each one lost means that another process took or freed the lock.
    for (let round = 0; round < 10; round++) {
      try {
        linkSync(draft, path);
        return { release: () => release(path, mine) };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      const owner = readOwner(path);
      if (owner && isRunning(owner)) return { owner: owner.pid };
      clearStale(path, owner);
    }
    return { owner: readOwner(path)?.pid ?? 0 };
  } finally {
    rmSync(draft, { force: true });
  }
}

function release(path: string, mine: string): void {
  if (readText(path) === mine) rmSync(path, { force: true });
}

/**
 * Moves a dead owner's lock aside. Two processes may try at once, and the slower one may catch the
 * lock that the faster one has just taken: that is put back.
 */
function clearStale(path: string, staleOwner: ProcessRun | null): void {
  const aside = `${path}.stale-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const caught = readOwner(aside);
  if (caught && caught.identity !== staleOwner?.identity && isRunning(caught)) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process has it now. The former owner's `release` will leave it alone.
    }
  }
  rmSync(aside, { force: true });
}

function readOwner(path: string): ProcessRun | null {
  try {
    const owner = JSON.parse(readText(path)) as ProcessRun | null;
    return owner && Number.isInteger(owner.pid) ? owner : null;
  } catch {
    return null;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
