import { statement } from '../database/statements/statement.js';

/*
 * An id is made before its transaction commits, so a later commit may bring a lower one. Every transaction below
 * the snapshot's xmin has ended: what is not there now never comes. The order names the table: by itself, xid would be
 * the text that is returned.
 */
export const readFeed = statement({
  name: 'read-feed',
  params: { apiKeyId: 'uuid', xid: 'xid8', id: 'uuid', idAfter: 'uuid', limit: 'int8' },
  columns: { xid: 'text', id: 'uuid', type: 'text', body: 'text' },
  text: `
  select f.xid::text, f.id, f.type, f.body from feed_events f
  where f.api_key_id = :apiKeyId and (f.xid, f.id) > (:xid::xid8, :id::uuid)
    and f.xid < pg_snapshot_xmin(pg_current_snapshot()) and f.id > :idAfter
  order by f.xid, f.id limit :limit`,
});

export const findReadableFeeds = statement({
  name: 'find-readable-feeds',
  params: { apiKeyIds: 'uuid[]', xids: 'xid8[]', ids: 'uuid[]' },
  columns: { index: 'int8' },
  text: `
  select t.n as index from unnest(:apiKeyIds::uuid[], :xids::xid8[], :ids::uuid[])
    with ordinality as t (api_key_id, xid, id, n)
  where exists (select from feed_events f
    where f.api_key_id = t.api_key_id and (f.xid, f.id) > (t.xid, t.id)
      and f.xid < pg_snapshot_xmin(pg_current_snapshot()))`,
});

/*
 * After a crash PostgreSQL gives the ids of transactions again that it has not written to the disk. Once
 * this id is on the disk, all later ids are above those that were read before it.
 */
export const keepTransactionIds = statement({
  name: 'keep-transaction-ids',
  columns: { set_config: 'text', pg_logical_emit_message: 'pg_lsn' },
  text: `
  select set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'parley', 'feed')`,
});

/* A restored database counts transactions from the start: events that are ahead of it get the present one. */
export const adoptFeedEvents = statement({
  name: 'adopt-feed-events',
  params: { apiKeyId: 'uuid' },
  text: `
  update feed_events set xid = pg_current_xact_id()
  where api_key_id = :apiKeyId and xid >= pg_snapshot_xmax(pg_current_snapshot())`,
});

export const compareFeed = statement({
  name: 'compare-feed',
  params: { apiKeyId: 'uuid', xid: 'xid8' },
  columns: { isAhead: 'bool', hasRestored: 'bool' },
  text: `
  select :xid::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) as "isAhead", exists (
    select from feed_events where api_key_id = :apiKeyId and xid >= pg_snapshot_xmax(pg_current_snapshot())
  ) as "hasRestored"`,
});

export const emptyFeed = statement({
  name: 'empty-feed',
  params: { apiKeyId: 'uuid' },
  text: 'delete from feed_events where api_key_id = :apiKeyId',
});
