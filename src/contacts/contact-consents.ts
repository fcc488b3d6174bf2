import type { EntityManager } from 'typeorm';
import {
  type Consent,
  type ConsentScope,
  type ConsentState,
  type ContactConsent,
  consentScopes,
  replaces,
} from './consent.js';
import type { ContactIds, ContactScope } from './contact.js';
import * as sql from './contact-consents.statements.js';

/** What was said, with its time. */
export interface RecordedConsent extends Consent {
  readonly at: Date;
}

/** What became of a consent: stored, and whether it changed what may be sent. */
export interface ConsentOutcome {
  /** False where the same was said last, by the same source with the same evidence. */
  readonly isStored: boolean;
  /** Whether the contact's state in this scope is another one now. */
  readonly isChange: boolean;
}

/** What counts in one scope; null in each field where nothing was said. */
export interface ConsentNow {
  readonly state: ConsentState | null;
  /** When the state began. */
  readonly since: Date | null;
  /** Where the last word on it comes from. */
  readonly source: string | null;
}

/** The consents of one contact. */
export interface ContactConsents {
  /** Null: the contact is not known. */
  readonly contactId: string | null;
  readonly now: Readonly<Record<ConsentScope, ConsentNow>>;
  /** The last hundred that were said, newest first. */
  readonly history: readonly (RecordedConsent & { readonly recordedAt: Date })[];
}

type Queries = Pick<EntityManager, 'query'>;

const historyMax = 100;

/**
 * Records consents in their order, and what each contact may not get because of them. The caller's transaction has
 * learnt the contacts, so no other one changes them meanwhile.
 */
export async function recordConsents(
  manager: EntityManager,
  consents: readonly ContactConsent[],
): Promise<ConsentOutcome[]> {
  if (consents.length === 0) return [];
  const clock = await sql.readConsentTime.row(manager);
  const now = clock?.now ?? new Date();
  const contactIds = [...new Set(consents.map(({ contactId }) => contactId))];
  const rows = await sql.findLatestConsents.rows(manager, { contactIds });
  const latest = new Map(rows.map((row) => [`${row.contactId} ${row.scope}`, row]));
  const changed = new Set<string>();
  const stored: (RecordedConsent & { contactId: string })[] = [];
  const outcomes = consents.map(({ contactId, scope, state, source, evidence, at }) => {
    const key = `${contactId} ${scope}`;
    const before = latest.get(key);
    // A time in the future becomes now: a wrong clock must not outweigh what a user says later.
    const said = { contactId, scope, state, source, evidence, at: at && at < now ? at : now };
    const isRepeated =
      before?.state === state && before.source === source && before.evidence === evidence;
    const isOld = at !== null && before?.at.getTime() !== said.at.getTime();
    if (isRepeated && !isOld) return { isStored: false, isChange: false };
    stored.push(said);
    if (before && !replaces(said.at, before.at)) return { isStored: true, isChange: false };
    latest.set(key, said);
    const isChange = before?.state !== state;
    if (isChange) changed.add(contactId);
    return { isStored: true, isChange };
  });
  const column = <T>(pick: (row: (typeof stored)[number]) => T): T[] => stored.map(pick);
  if (stored.length > 0) {
    await sql.addConsents.run(manager, {
      contactIds: column(({ contactId }) => contactId),
      scopes: column(({ scope }) => scope),
      states: column(({ state }) => state),
      sources: column(({ source }) => source),
      evidences: column(({ evidence }) => evidence),
      times: column(({ at }) => at),
    });
  }
  if (changed.size > 0) {
    const ids = [...changed].toSorted();
    const isOut = (id: string, scope: ConsentScope) =>
      latest.get(`${id} ${scope}`)?.state === 'opted_out';
    const scopes = ids.map((id) =>
      isOut(id, 'all') ? 'all' : isOut(id, 'marketing') ? 'marketing' : null,
    );
    await sql.setOptOuts.run(manager, { ids, scopes });
  }
  return outcomes;
}

/** Gives the consents of a merged contact to the one that stays. The later word counts. */
export async function mergeConsents(
  manager: EntityManager,
  merge: { readonly id: string; readonly into: string },
): Promise<void> {
  await sql.settleConsentTies.run(manager, merge);
  await sql.moveConsents.run(manager, merge);
  await sql.resetOptOut.run(manager, { id: merge.into });
}

/** The consents of a user; with a number and a user id, of the one with the number. */
export async function readConsents(
  queries: Queries,
  { accountId, mode }: ContactScope,
  { phone, userId }: ContactIds,
): Promise<ContactConsents> {
  const rows = await sql.readConsents.rows(queries, { accountId, mode, phone, userId });
  const said = rows.filter(({ scope }) => scope !== null);
  return {
    contactId: rows[0]?.contactId ?? null,
    now: Object.fromEntries(
      consentScopes.map((scope) => [scope, nowOf(said.filter((row) => row.scope === scope))]),
    ) as Record<ConsentScope, ConsentNow>,
    history: said.slice(0, historyMax),
  };
}

/** @param said in one scope, the last word first. */
function nowOf(said: readonly RecordedConsent[]): ConsentNow {
  const [last] = said;
  if (!last) return { state: null, since: null, source: null };
  const end = said.findIndex(({ state }) => state !== last.state);
  const first = said.at(end === -1 ? -1 : end - 1) ?? last;
  return { state: last.state, since: first.at, source: last.source };
}

/** What counts for a contact in one scope, as an export has it. */
export interface ExportedConsent extends ContactIds, RecordedConsent {
  readonly contactId: string;
}

const firstId = '00000000-0000-0000-0000-000000000000';
const exportedAtOnce = 500;

/** What counts for every contact that has said something, in pages. */
export async function* exportConsents(
  queries: Queries,
  { accountId, mode }: ContactScope,
): AsyncGenerator<ExportedConsent[]> {
  for (let after: string | undefined = firstId; after !== undefined; ) {
    const page: ExportedConsent[] = await sql.exportConsents.rows(queries, {
      accountId,
      mode,
      after,
      limit: exportedAtOnce,
    });
    if (page.length > 0) yield page;
    after = page.at(-1)?.contactId;
  }
}
