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

/**
 * Whether a moment of the database's clock lies in the present history. No where nobody has noted the present one yet,
 * but for an installation that has none at all.
 * @param at the moment, as SQL.
 */
export const isInPresentHistorySql = (at: string) => `(
  exists (select from database_histories h where h.history = database_history() and h.began_at <= ${at})
  or not exists (select from database_histories))`;

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

/**
 * Notes that a worker knew the history before the present one and misses nothing in it. It comes too late once a loss
 * was declared, or once a part of what may have been sent is held.
 */
export async function noteWitness(queries: Queries): Promise<void> {
  await queries.query(
    `update database_histories set witnessed_at = clock_timestamp()
     where history = database_history() and witnessed_at is null and lost_since is null and held is null`,
  );
}

/** How many messages are held, by the id of their account. */
export type HeldByAccount = Readonly<Record<string, number>>;

/**
 * Locks the present history while something may still have to be held in it.
 * @returns since when there is this history, and what is held so far; null where a worker vouches for it, where
 * everything is held already, and for the first history of an installation.
 */
export async function lockUnheld(
  manager: EntityManager,
): Promise<{ beganAt: string; held: HeldByAccount } | null> {
  const rows: { beganAt: string; held: HeldByAccount }[] = await manager.query(
    `select began_at::text as "beganAt", coalesce(held, '{}') as held from database_histories
     where history = database_history() and began_at <> '-infinity' and held_at is null
       and (witnessed_at is null or held is not null) and lost_since is null
     for no key update`,
  );
  return rows[0] ?? null;
}

/** Notes what is held in the present history. @param isAll whether nothing is left to hold. */
export async function noteHeld(
  queries: Queries,
  held: HeldByAccount,
  isAll: boolean,
): Promise<void> {
  await queries.query(
    `update database_histories set held = $1, held_at = case when $2 then clock_timestamp() end
     where history = database_history()`,
    [JSON.stringify(held), isAll],
  );
}

/** Begins the present history again, for a copy that looks like its original: a snapshot of the disk. */
export async function beginHistoryAnew(queries: Queries): Promise<void> {
  await noteHistory(queries);
  await queries.query(
    `update database_histories set began_at = clock_timestamp(), witnessed_at = null, lost_since = null,
       held_at = null, held = null
     where history = database_history()`,
  );
}
