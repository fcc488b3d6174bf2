import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError } from './failures.js';

/** An installation and a key of it, as `parley login` saves them. */
export interface Login {
  readonly url: string;
  readonly key: string;
}

/** Below the user's folder for settings, as the XDG Base Directory Specification finds it. */
export function loginPath(): string {
  const { XDG_CONFIG_HOME: given = '' } = process.env;
  const folder = isAbsolute(given) ? given : join(homedir(), '.config');
  return join(folder, 'parley', 'login.json');
}

/** @throws UsageError */
export function readLogin(): Login | null {
  const path = loginPath();
  try {
    const { url, key } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    if (typeof url === 'string' && typeof key === 'string') return { url, key };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code !== undefined) {
      throw new UsageError(`cannot read the saved login: ${(error as Error).message}`);
    }
  }
  throw new UsageError(`${path} is no saved login. Run parley login again.`);
}

/** Nobody but the user may read it, not even for a moment. @throws UsageError */
export function writeLogin(login: Login): void {
  const path = loginPath();
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    throw new UsageError(`cannot save the login: ${(error as Error).message}`);
  }
}

/** @returns whether there was one. */
export function deleteLogin(): boolean {
  const path = loginPath();
  const isThere = existsSync(path);
  rmSync(path, { force: true });
  return isThere;
}
