import { statement } from '../statements/statement.js';

export const findMigrationsTable = statement({
  name: 'find-migrations-table',
  columns: { is_there: 'bool' },
  text: `select to_regclass('migrations') is not null as is_there`,
});

export const findOlderMigration = statement({
  name: 'find-older-migration',
  params: { baseline: 'int8?', ours: 'text[]' },
  columns: { name: 'text' },
  text: `
  select name from migrations where timestamp <= :baseline and name <> all (:ours)
  order by timestamp limit 1`,
});
