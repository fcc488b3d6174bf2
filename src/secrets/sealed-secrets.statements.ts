import { statement } from '../database/statements/statement.js';
import { sealedColumns } from './sealed-columns.js';

/** How many secrets are sealed with which key, in each place. */
export const countSealed = statement({
  name: 'count-sealed-secrets',
  columns: { place: 'text', key_id: 'text', count: 'int4' },
  text: sealedColumns
    .map(
      ({ table, column }) => `
  select '${table}.${column}' as place, split_part(${column}, '.', 2) as key_id, count(*)::int
  from ${table} where ${column} <> '' group by key_id`,
    )
    .join(' union all '),
});
