import type { EntityManager } from 'typeorm';

type Queries = Pick<EntityManager, 'query'>;

/**
 * Notes that this database belongs to a history of changes that nobody has noted before. A restored dump, a restore
 * to a point in time and a promoted standby begin one, and may have forgotten what was committed last.
 * @returns whether it began just now, and is not the first.
 */
export async function noteHistory(queries: Queries): Promise<boolean> {
  const began: { is_later: boolean }[] = await queries.query(
    `insert into database_histories (history, began_at)
     select database_history(),
       case when exists (select from database_histories) then clock_timestamp() else '-infinity' end
     on conflict do nothing returning began_at <> '-infinity' as is_later`,
  );
  return began[0]?.is_later === true;
}

/** Notes whether commits of the present history wait until a standby has them, too. */
export async function noteReplication(queries: Queries, isSynchronous: boolean): Promise<void> {
  await queries.query(
    'update database_histories set is_synchronous = $1 where history = database_history()',
    [isSynchronous],
  );
}

/**
 * Notes that the present history has forgotten commits of the one before.
 * @returns between which moments; null where it was noted already.
 */
export async function declareLoss(queries: Queries): Promise<{ from: Date; to: Date } | null> {
  const [rows]: [{ from: Date; to: Date }[], number] = await queries.query(
    `update database_histories set lost_since = coalesce(pg_last_xact_replay_timestamp(), began_at)
     where history = database_history() and lost_since is null
     returning lost_since as from, began_at as to`,
  );
  return rows[0] ?? null;
}
