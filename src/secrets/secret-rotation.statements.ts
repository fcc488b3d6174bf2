import { family } from '../database/statements/statement.js';
import { type SealedColumn, sealedColumns } from './sealed-columns.js';

/** Rows that are locked together: few, because requests may wait for one of them. */
export const batchSize = 100;

export const lockFormer = family({
  name: 'lock-formerly-sealed',
  params: { currentPrefix: 'text' },
  columns: { key: 'text', sealed: 'text' },
  text: ({ table, key, column }: SealedColumn) => `
  select ${key}::text as key, ${column} as sealed from ${table}
  where ${column} <> '' and not starts_with(${column}, :currentPrefix)
  order by ${key} limit ${batchSize} for no key update`,
  examples: sealedColumns,
});

export const sealAnew = family({
  name: 'reseal-secret',
  params: { keys: 'text[]', sealed: 'text[]' },
  text: ({ table, key, column }: SealedColumn) => `
  update ${table} t set ${column} = n.sealed
  from unnest(:keys::text[], :sealed::text[]) as n (key, sealed) where t.${key}::text = n.key`,
  examples: sealedColumns,
});
