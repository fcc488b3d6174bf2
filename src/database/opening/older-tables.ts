import type { DataSource } from 'typeorm';

/**
 * Recognises a database from before the first release: its tables were made step by step, by migrations that
 * the baseline has replaced. Migrations of newer versions have higher numbers and do no harm.
 *
 * @returns what the database is and what to do; undefined when the migrations of this version fit it.
 */
export async function findOlderTables(dataSource: DataSource): Promise<string | undefined> {
  const [known]: { is_there: boolean }[] = await dataSource.query(
    `select to_regclass('migrations') is not null as is_there`,
  );
  if (!known?.is_there) return undefined;
  const ours = dataSource.migrations.map(({ name = '' }) => name);
  const baseline = ours[0]?.slice(-13);
  const [older]: { name: string }[] = await dataSource.query(
    `select name from migrations where timestamp <= $1 and name <> all ($2)
     order by timestamp limit 1`,
    [baseline, ours],
  );
  return (
    older &&
    `The database is from before the first release (${older.name}), and no migration leads from there to here. ` +
      'Begin with a new database: where npm start runs PostgreSQL itself, remove or rename the folder ' +
      'DATA_DIR (.parley by default); else set DATABASE_URL to an empty database.'
  );
}
