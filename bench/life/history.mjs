const batch = 200_000;

/** What differs from row to row, in the columns that a table has. */
const varied = {
  id: 'v.id',
  event_id: 'v.id',
  message_id: 'v.id',
  created_at: 'v.at',
  finished_at: 'v.at',
  platform_message_id: `'wamid.history' || v.id`,
  reference: `'history-' || v.id`,
};

/**
 * Fills the store with messages of this month and three finished events of each. They are copies of rows that the
 * product has written itself, so that next to nothing here depends on the columns.
 */
export async function fillHistory(client, count, progress) {
  const { rows } = await client.query(
    `select coalesce(to_regclass('done_events'), to_regclass('webhook_deliveries'))::text as events`,
  );
  const [{ events }] = rows;
  const isFinished = `status not in ('pending', 'retrying')`;
  await client.query('set synchronous_commit = off');
  await fill('messages', count, 'where delivered_at is not null limit 1');
  await fill(events, count * 3, `where ${isFinished} order by error is not null limit 1`);
  await client.query('set synchronous_commit = on');
  progress('history: vacuum and analyze');
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');

  async function fill(table, total, condition) {
    const columns = await readColumns(table);
    await client.query(`create temporary table template as select * from ${table} ${condition}`);
    for (let from = 0; from < total; from += batch) {
      progress(`history: ${from} of ${total} rows of ${table}`);
      await client.query(
        `insert into ${table} (${columns})
         select ${columns.map((column) => varied[column] ?? `template.${column}`)}
         from template, generate_series($1::int, $2::int) n,
           lateral (select date_trunc('month', now(), 'UTC')
             + (now() - date_trunc('month', now(), 'UTC')) * (n / $3::float8) as at) t,
           lateral (select t.at, (lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0')
             || '70008' || substr(md5(n::text), 1, 15))::uuid as id) v`,
        [from, Math.min(from + batch, total) - 1, total],
      );
    }
    await client.query('drop table template');
  }

  async function readColumns(table) {
    const { rows: found } = await client.query(
      `select quote_ident(attname) as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped
         and attidentity = '' and attgenerated = ''`,
      [table],
    );
    return found.map(({ name }) => name);
  }
}
