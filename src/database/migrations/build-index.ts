import type { QueryRunner } from 'typeorm';

/** An index that a migration adds to a table that has rows already. */
export interface NewIndex {
  readonly name: string;
  readonly table: string;
  /** What follows the table: `(account_id, id) where status = 'failed'`. */
  readonly definition: string;
  readonly isUnique?: boolean;
}

/**
 * Builds an index while others write to the table, on each partition if the table has some. It goes on where an
 * interrupted try ended. The migration needs `transaction = false`.
 */
export async function buildIndex(runner: QueryRunner, index: NewIndex): Promise<void> {
  if (runner.isTransactionActive) {
    throw new Error(`the migration that builds ${index.name} needs \`transaction = false\``);
  }
  const { name, table, definition, isUnique } = index;
  const [{ is_partitioned: isPartitioned }] = await runner.query(
    `select relkind = 'p' as is_partitioned from pg_class where oid = $1::regclass`,
    [table],
  );
  if (!isPartitioned) return await buildOne(runner, index);
  // An index of no rows, invalid until each partition has its own. Partitions that come from now on have one.
  await runner.query(
    `create ${isUnique ? 'unique ' : ''}index if not exists ${name} on only ${table} ${definition}`,
  );
  for (;;) {
    const part = await nextPartition(runner, index);
    if (!part) return;
    const partIndex = part.replace(table, name);
    await buildOne(runner, { ...index, name: partIndex, table: part });
    await runner.query(`alter index ${name} attach partition ${partIndex}`);
  }
}

/** A partition whose index is missing. Each is looked up when its turn comes: retention may drop one meanwhile. */
async function nextPartition(
  runner: QueryRunner,
  { name, table }: NewIndex,
): Promise<string | undefined> {
  const [next]: { part: string }[] = await runner.query(
    `select p.inhrelid::regclass::text as part from pg_inherits p
     where p.inhparent = $1::regclass and not exists (
       select from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid
       where x.indrelid = p.inhrelid and a.inhparent = $2::regclass)
     order by 1 limit 1`,
    [table, name],
  );
  return next?.part;
}

/** Both statements wait for transactions that are open, however long, and nobody waits for the statements. */
async function buildOne(
  runner: QueryRunner,
  { name, table, definition, isUnique }: NewIndex,
): Promise<void> {
  const [left]: { is_valid: boolean }[] = await runner.query(
    'select indisvalid as is_valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (left?.is_valid) return;
  await runner.query('set lock_timeout = 0');
  try {
    // An interrupted build leaves an index that takes writes and answers nothing.
    if (left) await runner.query(`drop index concurrently ${name}`);
    await runner.query(
      `create ${isUnique ? 'unique ' : ''}index concurrently ${name} on ${table} ${definition}`,
    );
  } finally {
    // Where the connection is lost, this fails too, and the first error is the one to tell.
    await runner.query('reset lock_timeout').catch(() => {});
  }
}
