const BATCH = 100_000;

/** An id of version 7 with the time `t.at`, random otherwise. */
const idAt = `(lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0') || '7'
  || right(md5(random()::text), 3) || '8' || right(md5(random()::text), 15))::uuid`;

/**
 * Fills the store with messages of this month and three finished events of each. They are copies of rows that the
 * product has written itself, with other ids, so that nothing here depends on the columns.
 */
export async function fillHistory(client, count, progress) {
  const { rows } = await client.query(
    `select coalesce(to_regclass('done_events'), to_regclass('webhook_deliveries'))::text as events`,
  );
  const [{ events }] = rows;
  await client.query('set synchronous_commit = off');
  await fill('messages', count, `where sent_at is not null order by id desc`);
  await fill(
    events,
    count * 3,
    `where status not in ('pending', 'retrying') order by error is not null, id desc`,
  );
  await client.query('set synchronous_commit = on');
  progress('history: vacuum and analyze');
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');

  async function fill(table, total, condition) {
    for (let from = 0; from < total; from += BATCH) {
      progress(`history: ${from} of ${total} rows of ${table}`);
      await client.query(
        `insert into ${table}
         select (jsonb_populate_record(r.template, jsonb_build_object('id', ${idAt},
           'created_at', t.at, 'finished_at', t.at, 'platform_message_id', 'wamid.history' || n,
           'reference', 'history-' || n, 'message_id', ${idAt}, 'event_id', ${idAt}))).*
         from (select m as template from ${table} m ${condition} limit 1) r,
           generate_series($1::int, $2::int) n,
           lateral (select date_trunc('month', now(), 'UTC')
             + (now() - date_trunc('month', now(), 'UTC')) * (n / $3::float8) as at) t`,
        [from, Math.min(from + BATCH, total) - 1, total],
      );
    }
  }
}
