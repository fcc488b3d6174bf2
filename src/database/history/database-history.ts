import type { EntityManager } from 'typeorm';
import type { HeldByAccount } from './database-history.statements.js';
import * as sql from './database-history.statements.js';

type Queries = Pick<EntityManager, 'query'>;

/**
 * Notes that this database belongs to a history of changes that nobody has noted before. A restored dump, a restore
 * to a point in time and a promoted standby begin one, and may have forgotten what was committed last.
 * @returns whether it began just now, and is not the first.
 */
export async function noteHistory(queries: Queries): Promise<boolean> {
  return (await sql.noteHistory.row(queries))?.is_later === true;
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
  await sql.noteReplication.run(queries, { isSynchronous });
}

/**
 * Notes that the present history has forgotten commits of the one before.
 * @returns between which moments; null where it was noted already.
 */
export function declareLoss(queries: Queries): Promise<{ from: Date; to: Date } | null> {
  return sql.declareLoss.row(queries);
}

/**
 * Notes that a worker knew the history before the present one and misses nothing in it. It comes too late once a loss
 * was declared, or once a part of what may have been sent is held.
 */
export async function noteWitness(queries: Queries): Promise<void> {
  await sql.noteWitness.run(queries);
}

/**
 * Locks the present history while something may still have to be held in it.
 * @returns since when there is this history, and what is held so far; null where a worker vouches for it, where
 * everything is held already, and for the first history of an installation.
 */
export function lockUnheld(
  manager: EntityManager,
): Promise<{ beganAt: string; held: HeldByAccount } | null> {
  return sql.lockUnheld.row(manager);
}

/** Notes what is held in the present history. @param isAll whether nothing is left to hold. */
export async function noteHeld(
  queries: Queries,
  held: HeldByAccount,
  isAll: boolean,
): Promise<void> {
  await sql.noteHeld.run(queries, { held, isAll });
}

/** Begins the present history again, for a copy that looks like its original: a snapshot of the disk. */
export async function beginHistoryAnew(queries: Queries): Promise<void> {
  await noteHistory(queries);
  await sql.beginAnew.run(queries);
}
