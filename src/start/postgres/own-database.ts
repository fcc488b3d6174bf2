import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../console.js';
import { takeLock } from '../lock.js';
import { loadSecrets } from '../secrets.js';
import { databaseUrl, launchPostgres } from './server.js';

const stopWithinMs = 10_000;

/**
 * Lets a command work on the PostgreSQL of `npm start`, which runs only as long as Parley does. Where Parley is
 * stopped, PostgreSQL is started for the command.
 * @param folder DATA_DIR, as an absolute path.
 * @param whileParleyRuns whether the command may work beside Parley; else it is refused while Parley runs.
 * @throws StartError when there is no database in `folder`, when Parley runs and must not, and when PostgreSQL does not
 *   start.
 */
export async function onOwnDatabase(
  folder: string,
  { whileParleyRuns }: { readonly whileParleyRuns: boolean },
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  if (!existsSync(join(folder, 'postgres'))) {
    throw new StartError(
      `There is no database in ${folder}. Set DATABASE_URL to your database, or DATA_DIR to the folder of npm start.`,
    );
  }
  const password = loadSecrets(folder).postgres_password;
  const lock = takeLock(join(folder, 'supervisor.lock'));
  if ('owner' in lock) {
    if (!whileParleyRuns) {
      throw new StartError(`Parley runs on ${folder} (pid ${lock.owner}). Stop it first.`);
    }
    const port = Number(readFileSync(join(folder, 'postgres.port'), 'utf8'));
    return work(databaseUrl(password, port));
  }
  try {
    const postgres = await launchPostgres({ directory: folder, password });
    try {
      await postgres.ready;
      await work(postgres.url);
    } finally {
      await postgres.stop({ withinMs: stopWithinMs });
    }
  } finally {
    lock.release();
  }
}
