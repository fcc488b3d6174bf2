import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '../console.js';

interface Owner {
  uid: number;
  gid: number;
}

export interface PostgresUser {
  owner: Owner | undefined;
  command(program: string, args: readonly string[]): [string, readonly string[], Partial<Owner>];
}

/** The user that runs PostgreSQL when root starts it: the first of these that the system knows. */
const candidates = ['postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root. Decides which user runs it instead.
 *
 * - Not root: ourselves.
 * - Root, and an unprivileged user can enter every folder in `paths`: that user.
 * - Root, below a folder that only root may enter (`/root`, what `mktemp -d` makes): ourselves
 *   under another number, in a user namespace. There PostgreSQL is not root: it can use root's files but
 *   has none of root's powers.
 *
 * @param paths what PostgreSQL has to reach: its programs and the folder that holds its data.
 * @param dataDirectory the folder of an existing cluster keeps its owner.
 * @returns `owner` (`{ uid, gid }` of its files; undefined: ourselves) and `command(program, args)`,
 *   the `[program, args, options]` to spawn.
 * @throws StartError naming the folder that is in the way.
 */
export function choosePostgresUser(paths: readonly string[], dataDirectory: string): PostgresUser {
  const asOurselves: PostgresUser = {
    owner: undefined,
    command: (program, args) => [program, args, {}],
  };
  if (process.getuid?.() !== 0) return asOurselves;

  const inNamespace: PostgresUser = {
    owner: { uid: 0, gid: 0 },
    command: (program, args) => [
      'unshare',
      ['--user', '--map-user=65534', '--map-group=65534', program, ...args],
      {},
    ],
  };
  const existing = statOrNull(dataDirectory);
  if (existing?.uid === 0) {
    if (canUnshare()) return inNamespace;
    throw new StartError(
      `PostgreSQL does not run as root, and its data belongs to root. Give it to another user: chown -R ${candidates[0]} ${dataDirectory}`,
    );
  }

  const user = existing ? { uid: existing.uid, gid: existing.gid } : findUser();
  const closed = paths.map((path) => findClosedFolder(path, user)).find(Boolean);
  if (!closed) return { owner: user, command: (program, args) => [program, args, user] };
  if (!existing && canUnshare()) return inNamespace;
  throw new StartError(
    `PostgreSQL does not run as root, and no other user can enter ${closed}. Open that (chmod o+x ${closed}), ` +
      'put DATA_DIR and this checkout elsewhere, start as a user other than root, or set DATABASE_URL.',
  );
}

function findUser(): Owner {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of candidates) {
    const entry = users.find(([userName]) => userName === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  return { uid: 65_534, gid: 65_534 };
}

/** The outermost folder on the way to `path`, itself included, that the user may not enter. */
function findClosedFolder(path: string, { uid, gid }: Owner): string | undefined {
  const folders: string[] = [];
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return folders.find((folder) => {
    const { mode, uid: owner, gid: group } = statSync(folder);
    const mayEnter = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    return (mode & mayEnter) === 0;
  });
}

function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['--user', '--map-user=65534', '--map-group=65534', 'true'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
