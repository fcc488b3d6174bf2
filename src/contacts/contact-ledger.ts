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
import * as sql from './contact-ledger.statements.js';

/** The result of taking sightings. */
export interface Learnt {
  /** The contact of each sighting; null where it names nobody. */
  readonly contactIds: readonly (string | null)[];
  readonly changes: readonly ContactChange[];
  /** Contacts that have taken over others, or got another number: what they said holds for more messages. */
  readonly joined: readonly string[];
}

const textMax = 255;

/** More forms than any number has: a platform that calls all numbers the same does not make one contact of them. */
const formsMax = 8;

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
    const answers = await sql.learnContactPairs.rows(this.statements.lazily, {
      keys: [...new Set(sightings.map(keyOf))].toSorted(),
      ids: plainArray(rows.map(({ id }) => id)),
      accountIds: texts(({ accountId }) => accountId),
      modes: texts(({ mode }) => mode),
      phones: texts(({ phone }) => phone),
      userIds: texts(({ userId }) => userId),
      parentUserIds: texts(({ parentUserId }) => parentUserId),
    });
    return rows.flatMap(({ sighting }, index) => (answers[index]?.isKnown ? [] : [sighting]));
  }

  /** Takes sightings in their order, in the caller's transaction. */
  async learn(manager: EntityManager, sightings: readonly Sighting[]): Promise<Learnt> {
    const known = sightings.filter(({ phone, userId }) => phone !== null || userId !== null);
    if (known.length === 0)
      return { contactIds: sightings.map(() => null), changes: [], joined: [] };
    const keys = [...new Set(sightings.map(keyOf))].toSorted();
    await sql.takeContactTurns.run(manager, { keys });
    const books = await this.open(manager, sightings);
    const seen = sightings.map(
      (sighting) => books.get(keyOf(sighting))?.book.see(clean(sighting)) ?? null,
    );
    return this.close(manager, books, sightings, seen);
  }

  /** Takes what the platform calls numbers, in the caller's transaction: the contacts of two forms become one. */
  async learnForms(manager: EntityManager, told: readonly NumberForm[]): Promise<Learnt> {
    await sql.takeContactTurns.run(manager, { keys: [...new Set(told.map(keyOf))].toSorted() });
    for (const each of told) await sql.uniteNumbers.run(manager, { ...each, formsMax });
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
    const rows = await sql.loadContacts.rows(manager, {
      accountIds: asked.map(([accountId]) => accountId),
      modes: asked.map(([, mode]) => mode),
      phones: asked.map(([, , phone]) => phone),
      userIds: asked.map(([, , , userId]) => userId),
    });
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
      [phone, previous?.phone].flatMap((each) => (each ? [{ accountId, mode, phone: each }] : [])),
    );
    const forms = new Map(
      asked.map((each) => [`${keyOf(each)} ${each.phone}`, phoneForms(each.phone)]),
    );
    if (asked.length === 0) return forms;
    const rows = await sql.findNumberForms.rows(manager, {
      accountIds: asked.map(({ accountId }) => accountId),
      modes: asked.map(({ mode }) => mode),
      phones: asked.map(({ phone }) => phone),
    });
    for (const row of rows) forms.get(`${keyOf(row)} ${row.phone}`)?.push(row.form);
    return forms;
  }

  private async write(
    manager: EntityManager,
    { accountId, mode }: ContactScope,
    { merges, moved, changed, replaced }: ContactBook,
  ): Promise<void> {
    if (moved.length > 0) await sql.clearContactNames.run(manager, { ids: moved });
    for (const merge of merges) {
      await sql.mergeContacts.run(manager, { ids: [merge.id], into: [merge.into] });
      await mergeConsents(manager, merge);
    }
    const rows = changed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const column = <T>(pick: (row: Contact) => T): T[] => rows.map(pick);
    if (rows.length > 0) {
      await sql.writeContacts.run(manager, {
        ids: column(({ id }) => id),
        accountIds: column(() => accountId),
        modes: column(() => mode),
        phones: column(({ phone }) => phone),
        userIds: column(({ userId }) => userId),
        parentUserIds: column(({ parentUserId }) => parentUserId),
        usernames: column(({ username }) => username),
        names: column(({ name }) => name),
        inboundTimes: column(({ lastInboundAt }) => lastInboundAt),
      });
    }
    if (replaced.size === 0) return;
    const pairs = [...replaced];
    await sql.replaceUserIds.run(manager, {
      accountIds: pairs.map(() => accountId),
      modes: pairs.map(() => mode),
      userIds: pairs.map(([userId]) => userId),
      contactIds: pairs.map(([, contactId]) => contactId),
    });
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
