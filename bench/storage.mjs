import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { measureProduct, sendButtons } from './measurement.mjs';

/**
 * `node bench/storage.mjs [--store redis|postgres] [--connections 64] [--seconds 10]`, after `npm run build`.
 *
 * What one button message takes of PostgreSQL: bytes of write-ahead log, of which replicas and backups have to follow each,
 * and bytes of tables with their indexes. Statuses and replies of the platform come on top. Prints one line of JSON.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    connections: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '10' },
  },
});

await measureProduct(values, async (group, product) => {
  const connections = Number(values.connections);
  const client = new Client({ connectionString: product.databaseUrl });
  await client.connect();
  await sendButtons(group, product, { connections, seconds: 2 });
  // A page that is written for the first time after a checkpoint goes to the log as a whole.
  await client.query('checkpoint');
  const before = await measure(client);
  const rate = await sendButtons(group, product, { connections, seconds: Number(values.seconds) });
  const after = await measure(client);
  await client.end();
  const sent = after.messages - before.messages;
  return {
    messages: sent,
    sends_per_second: Math.round(rate),
    wal_bytes_per_message: Math.round((after.wal - before.wal) / sent),
    table_bytes_per_message: Math.round((after.tables - before.tables) / sent),
    index_bytes_per_message: Math.round((after.indexes - before.indexes) / sent),
  };
});

async function measure(client) {
  const { rows } = await client.query(
    `select (select count(*) from messages)::float8 as messages,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
       sum(pg_table_size(oid))::float8 as tables, sum(pg_indexes_size(oid))::float8 as indexes
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return rows[0];
}
