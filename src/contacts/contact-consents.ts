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
import { contactOf } from './contact-of-message.js';

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

/** The last word of each contact in each scope. */
const latestSql = `
  select distinct on (contact_id, scope) contact_id as "contactId", scope, state, source, evidence, at
  from contact_consents where contact_id = any ($1::uuid[])
  order by contact_id, scope, date_trunc('second', at) desc, seq desc`;

const addSql = `
  insert into contact_consents (contact_id, scope, state, source, evidence, at)
  select contact_id, scope, state, source, evidence, at
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
    with ordinality as t (contact_id, scope, state, source, evidence, at, position)
  order by position`;

const setSql = `
  update contacts c set opted_out = t.opted_out, active_at = now()
  from unnest($1::uuid[], $2::text[]) as t (id, opted_out) where c.id = t.id`;

/**
 * Records consents in their order, and what each contact may not get because of them. The caller's transaction has
 * learnt the contacts, so no other one changes them meanwhile.
 */
export async function recordConsents(
  manager: EntityManager,
  consents: readonly ContactConsent[],
): Promise<ConsentOutcome[]> {
  if (consents.length === 0) return [];
  const [clock]: { now: Date }[] = await manager.query('select clock_timestamp() as now');
  const now = clock?.now ?? new Date();
  const contactIds = [...new Set(consents.map(({ contactId }) => contactId))];
  const rows: (RecordedConsent & { contactId: string })[] = await manager.query(latestSql, [
    contactIds,
  ]);
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
    await manager.query(addSql, [
      column(({ contactId }) => contactId),
      column(({ scope }) => scope),
      column(({ state }) => state),
      column(({ source }) => source),
      column(({ evidence }) => evidence),
      column(({ at }) => at),
    ]);
  }
  if (changed.size > 0) {
    const ids = [...changed].toSorted();
    const isOut = (id: string, scope: ConsentScope) =>
      latest.get(`${id} ${scope}`)?.state === 'opted_out';
    await manager.query(setSql, [
      ids,
      ids.map((id) => (isOut(id, 'all') ? 'all' : isOut(id, 'marketing') ? 'marketing' : null)),
    ]);
  }
  return outcomes;
}

/*
 * Where both contacts said something else in the same second, the opt-out counts: it is said once more.
 */
const settleTieSql = `
  with latest as (
    select distinct on (contact_id, scope) * from contact_consents where contact_id in ($1, $2)
    order by contact_id, scope, date_trunc('second', at) desc, seq desc
  )
  insert into contact_consents (contact_id, scope, state, source, evidence, at)
  select $2, o.scope, o.state, o.source, o.evidence, o.at from latest o join latest i
    on i.scope = o.scope and i.state = 'opted_in'
      and date_trunc('second', i.at) = date_trunc('second', o.at)
  where o.state = 'opted_out'`;

const moveSql = 'update contact_consents set contact_id = $2 where contact_id = $1';

const resetSql = `
  update contacts set opted_out = (
    select l.scope from (
      select distinct on (scope) scope, state from contact_consents where contact_id = $1
      order by scope, date_trunc('second', at) desc, seq desc
    ) l where l.state = 'opted_out' order by l.scope limit 1)
  where id = $1`;

/** Gives the consents of a merged contact to the one that stays. The later word counts. */
export async function mergeConsents(
  manager: EntityManager,
  { id, into }: { readonly id: string; readonly into: string },
): Promise<void> {
  await manager.query(settleTieSql, [id, into]);
  await manager.query(moveSql, [id, into]);
  await manager.query(resetSql, [into]);
}

const readSql = `
  select t.contact_id as "contactId", c.scope, c.state, c.source, c.evidence, c.at,
    c.created_at as "recordedAt"
  from (select ${contactOf('m')} as contact_id
        from (select $1::uuid as account_id, $2::text as mode, $3::text as recipient,
                     $4::text as to_user_id) m) t
  left join contact_consents c on c.contact_id = t.contact_id
  order by date_trunc('second', c.at) desc, c.seq desc`;

/** The consents of a user; with a number and a user id, of the one with the number. */
export async function readConsents(
  queries: Queries,
  { accountId, mode }: ContactScope,
  ids: ContactIds,
): Promise<ContactConsents> {
  const rows: (RecordedConsent & { contactId: string | null; recordedAt: Date })[] =
    await queries.query(readSql, [accountId, mode, ids.phone, ids.userId]);
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

/*
 * The last word of each contact in each scope, a page of contacts at a time.
 */
const exportSql = `
  select k.id as "contactId", k.phone, k.user_id as "userId", l.scope, l.state, l.at, l.source, l.evidence
  from (select id, phone, user_id from contacts c
        where account_id = $1 and mode = $2 and merged_into is null and id > $3
          and exists (select from contact_consents where contact_id = c.id)
        order by id limit $4) k
  cross join lateral (
    select distinct on (scope) scope, state, at, source, evidence from contact_consents
    where contact_id = k.id order by scope, date_trunc('second', at) desc, seq desc) l
  order by k.id, l.scope`;

const firstId = '00000000-0000-0000-0000-000000000000';
const exportedAtOnce = 500;

/** What counts for every contact that has said something, in pages. */
export async function* exportConsents(
  queries: Queries,
  { accountId, mode }: ContactScope,
): AsyncGenerator<ExportedConsent[]> {
  for (let after: string | undefined = firstId; after !== undefined; ) {
    const page: ExportedConsent[] = await queries.query(exportSql, [
      accountId,
      mode,
      after,
      exportedAtOnce,
    ]);
    if (page.length > 0) yield page;
    after = page.at(-1)?.contactId;
  }
}
