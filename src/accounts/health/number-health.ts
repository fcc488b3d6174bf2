import type { EntityManager } from 'typeorm';
import { raiseAlert, resolveAlert } from '../../alerts/alerts.js';
import { newId } from '../../database/ids.js';
import type { Row } from '../../database/statements/statement.js';
import { storableText } from '../../database/storable-text.js';
import {
  changeOf,
  changesBetween,
  type HealthChange,
  type HealthFacts,
  limitChange,
  merged,
  troublesOf,
} from './health-facts.js';
import * as sql from './number-health.statements.js';

/** How many changes of an account are kept. */
const changesKept = 100;

/** What the platform last reported by itself. */
export interface Reported {
  readonly event: string | null;
  readonly limit: string | null;
}

type Known = Row<typeof sql.lockHealth>;

/**
 * Stores what was read of an account's number and token, with what changed, and raises and ends alerts. An alert that
 * people dismissed comes back once its cause was gone in between.
 * @param facts null: nothing was read, so nothing changes.
 * @param manager in a transaction.
 */
export async function storeHealth(
  manager: EntityManager,
  accountId: string,
  facts: HealthFacts | null,
): Promise<void> {
  if (!facts) return;
  const known = await sql.lockHealth.row(manager, { accountId });
  if (!known) return;
  const at = new Date();
  const after = merged(known, withStorableTexts(facts));
  await sql.putHealth.run(manager, { accountId, at, ...after });
  await addChanges(manager, accountId, changesBetween(known, after));
  await followTroubles(manager, accountId, { known, after, at });
}

/** What the platform last reported of an account's number; locks the account. Null: there is no such account. */
export async function lockReported(
  manager: EntityManager,
  accountId: string,
): Promise<Reported | null> {
  return sql.lockHealth.row(manager, { accountId });
}

/** Adds to the history what the platform reported by itself. @param before as it was before the report was stored. */
export async function noteReport(
  manager: EntityManager,
  accountId: string,
  before: Reported,
  report: Reported,
): Promise<void> {
  const limit = limitChange(before.limit, report.limit);
  await addChanges(manager, accountId, [
    ...changeOf('quality_event', before.event, report.event),
    ...limit,
  ]);
  if (limit.length === 0) return;
  await sql.setMessagingLimit.run(manager, { accountId, limit: report.limit });
}

async function addChanges(
  manager: EntityManager,
  accountId: string,
  changes: readonly HealthChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await sql.addHealthChanges.run(manager, {
    accountId,
    // The first of them is the newest in the list.
    ids: changes.map((_change, index) => newId(Date.now() - index)),
    fields: changes.map(({ field }) => field),
    before: changes.map(({ before }) => before),
    after: changes.map(({ after }) => after),
  });
  await sql.forgetHealthChanges.run(manager, { accountId, kept: changesKept });
}

async function followTroubles(
  manager: EntityManager,
  accountId: string,
  { known, after, at }: { known: Known; after: HealthFacts; at: Date },
): Promise<void> {
  const before = troublesOf(known, known.readAt ?? at);
  const now = troublesOf(after, at);
  for (const trouble of before) {
    if (!now.some(({ kind }) => kind === trouble.kind)) {
      await resolveAlert(manager, { accountId, ...trouble });
    }
  }
  for (const trouble of now) {
    if (!before.some(({ message }) => message === trouble.message)) {
      await raiseAlert(manager, { accountId, ...trouble });
    }
  }
}

function withStorableTexts(facts: HealthFacts): HealthFacts {
  const storable = (text: string | null) => text && storableText(text);
  return {
    ...facts,
    quality: storable(facts.quality),
    messagingLimit: storable(facts.messagingLimit),
    nameStatus: storable(facts.nameStatus),
    verifiedName: storable(facts.verifiedName),
  };
}
