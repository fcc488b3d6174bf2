import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startInstallation } from './life/installation.mjs';
import { readLifeOptions } from './life/options.mjs';
import { measureInGroup, measureProduct, sendButtons } from './measurement.mjs';

/**
 * `node bench/storage.mjs [--life [--replay]] [--store redis|postgres] [--connections 64] [--seconds 10]`, after `npm run build`.
 *
 * What one button message takes of PostgreSQL: bytes of write-ahead log, which replicas and backups have to follow, with
 * the whole pages in it; bytes of tables and indexes; changes of rows; commits. Also the connections of one API and one
 * worker. Statuses, replies and webhooks come on top; with `--life`, three statuses and their three webhooks are part
 * of it. `--replay` kills PostgreSQL at the end and measures how long it takes to read its log again, for one message: a
 * standby does that all the time, with one process. Prints one line of JSON.
 */
const { values } = parseArgs({
  options: {
    life: { type: 'boolean', default: false },
    replay: { type: 'boolean', default: false },
    store: { type: 'string', default: 'redis' },
    connections: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '10' },
  },
});
const { life: isLife, store } = values;
const connections = Number(values.connections);
/** PostgreSQL publishes its counts late. */
const settleMs = 10_000;
const lookEveryMs = 250;

const walSql = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
  (select wal_fpi from pg_stat_wal)::float8 as full_pages`;

if (isLife) await measureInGroup({ store, life: true }, measureLives);
else await measureProduct({ store }, (group, product) => measureSends(group, product));

async function measureLives(group, directory) {
  const options = readLifeOptions(['--store', store]);
  const installation = await startInstallation(group, options, join(directory, 'own'));
  await installation.plan(options);
  const [port] = installation.ports;
  const { databaseUrl } = installation;
  const caller = { port, databaseUrl, headers: { 'X-API-Key': installation.keys.live } };
  const result = await measureSends(group, caller, async () => {
    for (;;) {
      const { accepted, pending } = await installation.readPlatform();
      const { complete } = await installation.readReceiver();
      if (pending === 0 && complete >= accepted.life) return;
      await group.orFailure(pause(lookEveryMs));
    }
  });
  if (!values.replay) return result;
  await installation.client.end();
  const replayMs = await measureReplay(group, join(directory, 'own/postgres'));
  return { ...result, replay_cpu_ms_per_message: Number((replayMs / result.messages).toFixed(3)) };
}

/** Milliseconds of processor time that PostgreSQL needs to recover since its last checkpoint. */
async function measureReplay(group, directory) {
  const { startPostgres } = await import('../dist/modules/src/start/postgres/server.js');
  const [pid] = readFileSync(join(directory, 'postgres/postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  // A copy, because nobody watches over it yet. PostgreSQL's user keeps its files.
  const copy = `${directory}-copy`;
  await group.run('copy', 'cp', ['--archive', directory, copy]);
  const postgres = await startPostgres({ directory: copy, durable: true });
  group.onClose(() => postgres.stop());
  const log = readFileSync(join(copy, 'postgres.log'), 'utf8');
  const usage = /redo done at .* user: ([\d.]+) s, system: ([\d.]+) s/.exec(log);
  if (!usage) throw new Error('PostgreSQL has replayed nothing');
  return (Number(usage[1]) + Number(usage[2])) * 1000;
}

/** `untilDone` waits for what follows the sends. */
async function measureSends(group, product, untilDone = async () => {}) {
  const client = new Client({ connectionString: product.databaseUrl });
  await client.connect();
  await sendButtons(group, product, { connections, seconds: 2 });
  await untilDone();
  await settle(group, client);
  // A page that is written for the first time after a checkpoint goes to the log as a whole.
  await client.query('checkpoint');
  const before = await measure(client);
  const stopWatching = watchConnections(client);
  const rate = await sendButtons(group, product, { connections, seconds: Number(values.seconds) });
  await untilDone();
  const connected = await stopWatching();
  await pause(settleMs);
  const [wal] = await readRows(client, walSql);
  await settle(group, client);
  const after = { ...(await measure(client)), ...wal };
  await client.end();
  const sent = after.messages - before.messages;
  const each = (name, digits = 0) => Number(((after[name] - before[name]) / sent).toFixed(digits));
  return {
    messages: sent,
    sends_per_second: Math.round(rate),
    wal_bytes_per_message: each('wal'),
    full_pages_per_message: each('full_pages', 3),
    table_bytes_per_message: each('tables'),
    index_bytes_per_message: each('indexes'),
    inserts_per_message: each('inserts', 2),
    updates_per_message: each('updates', 2),
    deletes_per_message: each('deletes', 2),
    commits_per_message: each('commits', 3),
    connections: connected,
  };
}

/** Tables that are emptied again give their space back, as they do sooner or later. */
async function settle(group, client) {
  await group.orFailure(pause(settleMs));
  await client.query('vacuum');
}

async function measure(client) {
  const [counts] = await readRows(
    client,
    `select (select count(*) from messages)::float8 as messages,
       (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits,
       sum(n_tup_ins)::float8 as inserts, sum(n_tup_upd)::float8 as updates, sum(n_tup_del)::float8 as deletes
     from pg_stat_user_tables`,
  );
  const [sizes] = await readRows(
    client,
    `select sum(pg_table_size(oid))::float8 as tables, sum(pg_indexes_size(oid))::float8 as indexes
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const [wal] = await readRows(client, walSql);
  return { ...counts, ...sizes, ...wal };
}

/** Notes the most connections that there are at once, by their name. */
function watchConnections(client) {
  const most = {};
  let isWatching = true;
  const watching = (async () => {
    while (isWatching) {
      const rows = await readRows(
        client,
        `select application_name as name, count(*)::float8 as count from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() group by 1`,
      );
      for (const { name, count } of rows) most[name] = Math.max(count, most[name] ?? 0);
      await pause(lookEveryMs);
    }
  })();
  return async () => {
    isWatching = false;
    await watching;
    return most;
  };
}

async function readRows(client, sql) {
  const { rows } = await client.query(sql);
  return rows;
}
