import { migrations } from './index.js';

/** The migrations that this version needs. */
export const neededMigrations = migrations.map(({ name }) => name);

/** What to do about missing ones. */
export const migrateHint = 'run npm run migrate';

/** What statements are asked of: a TypeORM data source, or the like. */
interface Asked {
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** The needed migrations that the database does not have. Those of newer versions do not matter. */
export async function missingMigrations(database: Asked): Promise<string[]> {
  const [table]: { is_there: boolean }[] = await database.query(
    `select to_regclass('migrations') is not null as is_there`,
  );
  if (!table?.is_there) return neededMigrations;
  const rows: { name: string }[] = await database.query(
    'select name from migrations where name = any ($1)',
    [neededMigrations],
  );
  const applied = new Set(rows.map(({ name }) => name));
  return neededMigrations.filter((name) => !applied.has(name));
}
