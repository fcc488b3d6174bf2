import type { EntityManager } from 'typeorm';
import * as sql from './opted-out-recipients.statements.js';

/**
 * Leaves out of campaigns who has opted out, in the transaction of that. Drafts are looked at when they are released.
 * @param contactIds contacts whose opt-out this transaction has recorded.
 */
export async function skipOptedOut(
  manager: EntityManager,
  contactIds: readonly string[],
): Promise<void> {
  await sql.skipOptedOut.run(manager, { contactIds });
}
