const batch = 200_000;

/** The columns of a copy that differ from row to row, in every table that has them. `v.at` is a time of this month. */
const varied = {
  id: 'v.id',
  created_at: 'v.at',
};

/**
 * Fills a table with copies of a row that the product has written itself, so that next to nothing here depends on the
 * columns. Their times are spread over this month, up to now.
 *
 * @param plan `table`; `count` of copies; `template`, the condition that finds the row; `columns`, what else differs: an
 * expression of the number `n` of the copy, of its time `v.at` and id `v.id`, and of `template`, by column.
 */
export async function copyRows(client, { table, count, template, columns = {} }, progress) {
  const names = await readColumns(client, table);
  const expressions = { ...varied, ...columns };
  await client.query(`create temporary table template as select * from ${table} ${template}`);
  const { rowCount } = await client.query('select from template');
  if (rowCount !== 1) throw new Error(`${rowCount} rows of ${table} to copy`);
  for (let from = 0; from < count; from += batch) {
    progress(`filling: ${from} of ${count} rows of ${table}`);
    await client.query(
      `insert into ${table} (${names})
       select ${names.map((column) => expressions[column] ?? `template.${column}`)}
       from template, generate_series($1::int, $2::int) n,
         lateral (select date_trunc('month', now(), 'UTC')
           + (now() - date_trunc('month', now(), 'UTC')) * (n / $3::float8) as at) t,
         lateral (select t.at, (lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0')
           || '70008' || substr(md5(n::text), 1, 15))::uuid as id) v`,
      [from, Math.min(from + batch, count) - 1, count],
    );
  }
  await client.query('drop table template');
}

async function readColumns(client, table) {
  const { rows } = await client.query(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and attidentity = '' and attgenerated = ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Fills without waiting for the disk, then leaves the store as it is after days of running. */
export async function filled(client, fill, progress) {
  await client.query('set synchronous_commit = off');
  await fill();
  await client.query('set synchronous_commit = on');
  progress('filling: vacuum and analyze');
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
}
