import type { EntityManager } from 'typeorm';
import type { Mode } from '../access/mode.js';
import * as sql from './reply-counts.statements.js';

/** A message from a user. */
export interface CountedReply {
  /** The account that got it. */
  readonly accountId: string;
  /** Null: it came for both. */
  readonly mode: Mode | null;
}

/** Counts messages from users as they are taken: nothing else keeps each of them where no program listens. */
export async function countReplies(
  manager: EntityManager,
  replies: readonly CountedReply[],
): Promise<void> {
  if (replies.length === 0) return;
  await sql.countReplies.run(manager, {
    accountIds: replies.map(({ accountId }) => accountId),
    modes: replies.map(({ mode }) => mode),
  });
}
