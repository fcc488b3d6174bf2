import type { EntityManager } from 'typeorm';
import { raiseAlert, resolveAlert } from '../../alerts/alerts.js';
import { newId } from '../../database/ids.js';
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

/** How many changes of an account are kept. */
const changesKept = 100;

/** What the platform last reported by itself. */
export interface Reported {
  readonly event: string | null;
  readonly limit: string | null;
}

interface Known extends HealthFacts, Reported {
  readonly readAt: Date | null;
}

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
  const known = await lockKnown(manager, accountId);
  if (!known) return;
  const at = new Date();
  const after = merged(known, withStorableTexts(facts));
  await manager.query(
    `insert into number_health (account_id, read_at, quality, messaging_limit, name_status,
       verified_name, token_valid, token_expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (account_id) do update set read_at = excluded.read_at, quality = excluded.quality,
       messaging_limit = excluded.messaging_limit, name_status = excluded.name_status,
       verified_name = excluded.verified_name, token_valid = excluded.token_valid,
       token_expires_at = excluded.token_expires_at`,
    [
      accountId,
      at,
      after.quality,
      after.messagingLimit,
      after.nameStatus,
      after.verifiedName,
      after.tokenValid,
      after.tokenExpiresAt,
    ],
  );
  await addChanges(manager, accountId, changesBetween(known, after));
  await followTroubles(manager, accountId, { known, after, at });
}

/** What the platform last reported of an account's number; locks the account. Null: there is no such account. */
export async function lockReported(
  manager: EntityManager,
  accountId: string,
): Promise<Reported | null> {
  return lockKnown(manager, accountId);
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
  await manager.query('update number_health set messaging_limit = $2 where account_id = $1', [
    accountId,
    report.limit,
  ]);
}

/** The limit is the newest that is known, by a reading or a report. */
async function lockKnown(manager: EntityManager, accountId: string): Promise<Known | null> {
  const [row]: Known[] = await manager.query(
    `select a.quality_event as event, coalesce(h.messaging_limit, a.quality_limit) as limit,
       h.read_at as "readAt", h.quality, h.name_status as "nameStatus",
       coalesce(h.messaging_limit, a.quality_limit) as "messagingLimit",
       h.verified_name as "verifiedName", h.token_valid as "tokenValid",
       h.token_expires_at as "tokenExpiresAt"
     from accounts a left join number_health h on h.account_id = a.id
     where a.id = $1 for no key update of a`,
    [accountId],
  );
  return row ?? null;
}

async function addChanges(
  manager: EntityManager,
  accountId: string,
  changes: readonly HealthChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await manager.query(
    `insert into number_health_changes (id, account_id, field, before, after)
     select id, $1, field, before, after
     from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as t (id, field, before, after)`,
    [
      accountId,
      // The first of them is the newest in the list.
      changes.map((_change, index) => newId(Date.now() - index)),
      changes.map(({ field }) => field),
      changes.map(({ before }) => before),
      changes.map(({ after }) => after),
    ],
  );
  await manager.query(
    `delete from number_health_changes where account_id = $1 and id <=
       (select id from number_health_changes where account_id = $1 order by id desc offset $2 limit 1)`,
    [accountId, changesKept],
  );
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
