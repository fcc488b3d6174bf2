import type { DataSource } from 'typeorm';
import * as sql from './older-tables.statements.js';

/**
 * Recognises a database from before the first release: its tables were made step by step, by migrations that
 * the baseline has replaced. Migrations of newer versions have higher numbers and do no harm.
 *
 * @returns what the database is and what to do; undefined when the migrations of this version fit it.
 */
export async function findOlderTables(dataSource: DataSource): Promise<string | undefined> {
  const known = await sql.findMigrationsTable.row(dataSource);
  if (!known?.is_there) return undefined;
  const ours = dataSource.migrations.map(({ name = '' }) => name);
  const baseline = ours[0]?.slice(-13);
  const older = await sql.findOlderMigration.row(dataSource, { baseline, ours });
  if (!older) return undefined;
  return (
    `The database is from before the first release (${older.name}), and no migration leads from there to here. ` +
    'Begin with a new database: where npm start runs PostgreSQL itself, remove or rename the folder ' +
    'DATA_DIR (.parley by default); else set DATABASE_URL to an empty database.'
  );
}
