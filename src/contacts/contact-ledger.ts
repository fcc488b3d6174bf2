import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { phoneForms } from '#libs/phone-numbers';
import { plainArray } from '../database/array-literals.js';
import { HotStatements } from '../database/hot-statements.js';
import { newId } from '../database/ids.js';
import { storableText } from '../database/storable-text.js';
import {
  type Contact,
  type ContactChange,
  type ContactIds,
  type ContactScope,
  type NumberForm,
  type Sighting,
} from './contact.js';
import { ContactBook } from './contact-book.js';
import { mergeConsents } from './contact-consents.js';
import { formsOf } from './forms/number-forms.js';

/** The result of taking sightings. */
export interface Learnt {
  /** The contact of each sighting; null where it names nobody. */
  readonly contactIds: readonly (string | null)[];
  readonly changes: readonly ContactChange[];
  /** Contacts that have taken over others, or got another number: what they said holds for more messages. */
  readonly joined: readonly string[];
}

interface LoadedRow extends Contact, ContactScope {
  /** The requested ids that the platform has replaced. */
  readonly formerIds: readonly string[];
}

const textMax = 255;

/** More forms than any number has: a platform that calls all numbers the same does not make one contact of them. */
const formsMax = 8;

/** Each number that is one with either of two, with each other that `phone_forms` does not know. */
const uniteSql = `
  with owner as (
    select $1::uuid as account_id, $2::text as mode
  ), named as (
    select form as phone from unnest(phone_forms($3) || phone_forms($4)) as form
  ), member as (
    select distinct form as phone
    from owner o cross join named n cross join lateral unnest(${formsOf('o', 'n.phone')}) as form
  )
  insert into number_forms (account_id, mode, phone, form)
  select o.account_id, o.mode, one.phone, other.phone
  from owner o cross join member one cross join member other
  where other.phone <> all (phone_forms(one.phone)) and (select count(*) from member) <= $5
  on conflict do nothing`;

const readFormsSql = `
  select k.account_id as "accountId", k.mode, k.phone, k.form
  from (select distinct * from unnest($1::uuid[], $2::text[], $3::text[]) as t (account_id, mode, phone)) a
  join number_forms k on k.account_id = a.account_id and k.mode = a.mode and k.phone = a.phone`;

/** Writers of one account's contacts take turns, in whatever order they name the contacts. */
const turnSql = 'select pg_advisory_xact_lock(7242, hashtext(key)) from unnest($1::text[]) as key';

const loadSql = `
  with asked as (
    select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
      as t (account_id, mode, phone, user_id)
  ), found as (
    select c.id, null as former_id from asked t join contacts c
      on c.account_id = t.account_id and c.mode = t.mode and c.phone = t.phone
    union all
    select c.id, null from asked t join contacts c
      on c.account_id = t.account_id and c.mode = t.mode and c.user_id = t.user_id
    union all
    select f.contact_id, f.user_id from asked t join contact_former_ids f
      on f.account_id = t.account_id and f.mode = t.mode and f.user_id = t.user_id
  )
  select c.id, c.account_id as "accountId", c.mode, c.phone, c.user_id as "userId",
    c.parent_user_id as "parentUserId", c.username, c.name, c.last_inbound_at as "lastInboundAt",
    array(select former_id from found f where f.id = c.id and former_id is not null) as "formerIds"
  from contacts c where c.id in (select id from found)
  order by c.id for no key update`;

const mergeSql = `
  with merged as (
    update contacts c set merged_into = t.kept, phone = null, user_id = null, parent_user_id = null
    from unnest($1::uuid[], $2::uuid[]) as t (id, kept)
    where c.id = t.id or c.merged_into = t.id
  )
  update contact_former_ids f set contact_id = t.kept
  from unnest($1::uuid[], $2::uuid[]) as t (id, kept) where f.contact_id = t.id`;

/* A number that moves from one contact to another is thus never stored with both. */
const clearSql = 'update contacts set phone = null, user_id = null where id = any ($1::uuid[])';

const writeSql = `
  insert into contacts as c (id, account_id, mode, phone, user_id, parent_user_id, username, name,
    last_inbound_at)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[],
    $7::text[], $8::text[], $9::timestamptz[])
  on conflict (id) do update set phone = excluded.phone, user_id = excluded.user_id,
    parent_user_id = excluded.parent_user_id, username = excluded.username, name = excluded.name,
    last_inbound_at = excluded.last_inbound_at, active_at = now()`;

const replaceSql = `
  insert into contact_former_ids (account_id, mode, user_id, contact_id)
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[])
  on conflict (account_id, mode, user_id) do update set contact_id = excluded.contact_id`;

/*
 * Nearly all pairs are new to the ledger, or already stored unchanged. Writers that read first take turns with this
 * statement, so none of them meets a contact that it did not see. Two such statements run side by side.
 */
const pairsStatement = {
  name: 'learn-contact-pairs',
  text: `
  with turn as materialized (
    select count(pg_advisory_xact_lock_shared(7242, hashtext(key))) from unnest($1::text[]) as key
  ), input as materialized (
    select t.* from turn cross join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
      as t (id, account_id, mode, phone, user_id, parent_user_id)
  ), made as (
    insert into contacts (id, account_id, mode, phone, user_id, parent_user_id)
    select * from input i
    where not exists (select from contacts c where c.account_id = i.account_id and c.mode = i.mode
        and c.phone = any (${formsOf('i', 'i.phone')}))
      and not exists (select from contacts c where c.account_id = i.account_id and c.mode = i.mode
        and c.user_id = i.user_id)
      and not exists (select from contact_former_ids f where f.account_id = i.account_id
        and f.mode = i.mode and f.user_id = i.user_id)
    order by phone
    on conflict do nothing
    returning id
  ), unheard as materialized (
    select c.id from contacts c join input i on c.account_id = i.account_id and c.mode = i.mode
      and c.user_id = i.user_id
    where c.active_at < now() - interval '1 day' order by c.id for no key update of c
  ), heard as (
    update contacts c set active_at = now() from unheard u where c.id = u.id
  )
  select m.id is not null or exists (
    select from contacts c where c.account_id = i.account_id and c.mode = i.mode
      and c.user_id = i.user_id and c.phone = any (${formsOf('i', 'i.phone')})) as "isKnown"
  from input i left join made m on m.id = i.id order by i.id`,
};

/** Stores which numbers and user ids belong to one contact. Nothing else writes contacts. */
@Injectable()
export class ContactLedger {
  constructor(private readonly statements: HotStatements) {}

  /**
   * Takes sightings that only name a number and a user id, as long as they change no contact.
   * @returns the others, for `learn`.
   */
  async learnPairs(sightings: readonly Sighting[]): Promise<Sighting[]> {
    const rows = sightings
      .map((sighting) => ({ id: newId(), sighting }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const texts = (pick: (sighting: Sighting) => string | null) =>
      plainArray(rows.map(({ sighting }) => pick(sighting)));
    // The next commit flushes this one to disk as well.
    const answers = await this.statements.runLazily<{ isKnown: boolean }>(pairsStatement, [
      [...new Set(sightings.map(keyOf))].toSorted(),
      plainArray(rows.map(({ id }) => id)),
      texts(({ accountId }) => accountId),
      texts(({ mode }) => mode),
      texts(({ phone }) => phone),
      texts(({ userId }) => userId),
      texts(({ parentUserId }) => parentUserId),
    ]);
    return rows.flatMap(({ sighting }, index) => (answers[index]?.isKnown ? [] : [sighting]));
  }

  /** Takes sightings in their order, in the caller's transaction. */
  async learn(manager: EntityManager, sightings: readonly Sighting[]): Promise<Learnt> {
    const known = sightings.filter(({ phone, userId }) => phone !== null || userId !== null);
    if (known.length === 0)
      return { contactIds: sightings.map(() => null), changes: [], joined: [] };
    const keys = [...new Set(sightings.map(keyOf))].toSorted();
    await manager.query(turnSql, [keys]);
    const books = await this.open(manager, sightings);
    const seen = sightings.map(
      (sighting) => books.get(keyOf(sighting))?.book.see(clean(sighting)) ?? null,
    );
    return this.close(manager, books, sightings, seen);
  }

  /** Takes what the platform calls numbers, in the caller's transaction: the contacts of two forms become one. */
  async learnForms(manager: EntityManager, told: readonly NumberForm[]): Promise<Learnt> {
    await manager.query(turnSql, [[...new Set(told.map(keyOf))].toSorted()]);
    for (const { accountId, mode, phone, form } of told) {
      await manager.query(uniteSql, [accountId, mode, phone, form, formsMax]);
    }
    const named = told.map(({ phone, ...scope }) => ({ ...scope, phone, userId: null }));
    const books = await this.open(manager, named);
    const seen = told.map((each) => books.get(keyOf(each))?.book.unite(each.phone) ?? null);
    const learnt = await this.close(manager, books, told, seen);
    const known = learnt.contactIds.filter((id) => id !== null);
    return { ...learnt, joined: [...new Set([...learnt.joined, ...known])] };
  }

  private async close(
    manager: EntityManager,
    books: Books,
    taken: readonly ContactScope[],
    seen: readonly (Contact | null)[],
  ): Promise<Learnt> {
    for (const { scope, book } of books.values()) await this.write(manager, scope, book);
    const all = [...books.values()].map(({ book }) => book);
    return {
      contactIds: taken.map((scope, index) => {
        const id = seen[index]?.id;
        return (id && books.get(keyOf(scope))?.book.survivorOf(id)) ?? null;
      }),
      changes: all.flatMap(({ changes }) => changes),
      joined: [
        ...new Set(all.flatMap((book) => book.merges.map(({ into }) => book.survivorOf(into)))),
      ],
    };
  }

  private async open(manager: EntityManager, sightings: readonly Named[]): Promise<Books> {
    const forms = await this.readForms(manager, sightings);
    const asked = sightings.flatMap(({ accountId, mode, phone, userId, previous }) =>
      [phone, previous?.phone]
        .flatMap((each) => (each ? (forms.get(`${accountId} ${mode} ${each}`) ?? []) : []))
        .map((each): AskedRow => [accountId, mode, each, null])
        .concat(
          [userId, previous?.userId].flatMap((each): AskedRow[] =>
            each ? [[accountId, mode, null, each]] : [],
          ),
        ),
    );
    const rows: LoadedRow[] = await manager.query(
      loadSql,
      [0, 1, 2, 3].map((column) => asked.map((row) => row[column])),
    );
    return new Map(
      sightings.map((sighting) => {
        const key = keyOf(sighting);
        const own = rows.filter((row) => keyOf(row) === key);
        const formerIds = own.flatMap(({ id, formerIds: ids }) =>
          ids.map((each): [string, string] => [each, id]),
        );
        const scope = { accountId: sighting.accountId, mode: sighting.mode };
        const formsOfPhone = (phone: string) => forms.get(`${key} ${phone}`) ?? [phone];
        return [
          key,
          { scope, book: new ContactBook(scope, own, new Map(formerIds), formsOfPhone) },
        ];
      }),
    );
  }

  /** The forms of the numbers of sightings, by account, mode and number. */
  private async readForms(
    manager: EntityManager,
    sightings: readonly Named[],
  ): Promise<Map<string, string[]>> {
    const asked = sightings.flatMap(({ accountId, mode, phone, previous }) =>
      [phone, previous?.phone].flatMap((each) => (each ? [[accountId, mode, each]] : [])),
    );
    const rows: (ContactScope & { phone: string; form: string })[] =
      asked.length === 0
        ? []
        : await manager.query(
            readFormsSql,
            [0, 1, 2].map((column) => asked.map((row) => row[column])),
          );
    const forms = new Map(
      asked.map(([accountId, mode, phone = '']) => [
        `${accountId} ${mode} ${phone}`,
        phoneForms(phone),
      ]),
    );
    for (const row of rows) forms.get(`${keyOf(row)} ${row.phone}`)?.push(row.form);
    return forms;
  }

  private async write(
    manager: EntityManager,
    { accountId, mode }: ContactScope,
    { merges, moved, changed, replaced }: ContactBook,
  ): Promise<void> {
    if (moved.length > 0) await manager.query(clearSql, [moved]);
    for (const merge of merges) {
      await manager.query(mergeSql, [[merge.id], [merge.into]]);
      await mergeConsents(manager, merge);
    }
    const rows = changed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const column = <T>(pick: (row: Contact) => T): T[] => rows.map(pick);
    if (rows.length > 0) {
      await manager.query(writeSql, [
        column(({ id }) => id),
        column(() => accountId),
        column(() => mode),
        column(({ phone }) => phone),
        column(({ userId }) => userId),
        column(({ parentUserId }) => parentUserId),
        column(({ username }) => username),
        column(({ name }) => name),
        column(({ lastInboundAt }) => lastInboundAt),
      ]);
    }
    if (replaced.size === 0) return;
    const pairs = [...replaced];
    await manager.query(replaceSql, [
      pairs.map(() => accountId),
      pairs.map(() => mode),
      pairs.map(([userId]) => userId),
      pairs.map(([, contactId]) => contactId),
    ]);
  }
}

type Named = ContactScope & ContactIds & { readonly previous?: ContactIds | null };

type Books = Map<string, { scope: ContactScope; book: ContactBook }>;

type AskedRow = [accountId: string, mode: string, phone: string | null, userId: string | null];

const keyOf = ({ accountId, mode }: ContactScope) => `${accountId} ${mode}`;

function clean(sighting: Sighting): Sighting {
  const text = (value: string | null) => value && storableText(value).slice(0, textMax);
  return { ...sighting, username: text(sighting.username), name: text(sighting.name) };
}
