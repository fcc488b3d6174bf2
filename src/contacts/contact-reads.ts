import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../access/mode.js';
import type { Row } from '../database/statements/statement.js';
import { pageOf } from '../http/validation/page.dto.js';
import type { ConsentScope } from './consent.js';
import type { Contact, ContactScope } from './contact.js';
import * as sql from './contact-reads.statements.js';

/** Which contacts a key asks for; absent fields do not restrict. */
export interface ContactFilter {
  /** E.164. */
  readonly phone?: string;
  /** A user id, of now or before, or a parent id. */
  readonly userId?: string;
  /** Contacts older than this id, exclusive. */
  readonly beforeId?: string;
  readonly limit: number;
}

/** Which contacts a person asks for; absent fields do not restrict. */
export interface WriterFilter {
  /** A user id, of now or before, or a parent id. */
  readonly userId?: string;
  /** Only these. */
  readonly ids?: readonly string[];
  /** Those whose number begins or ends so, whose name or username begins so, in lower case, or whose name has the words. */
  readonly like?: {
    readonly phoneStart: string | null;
    readonly phoneEnds: readonly string[];
    readonly start: string;
    readonly wordForms: readonly string[] | null;
  };
  /** Contacts that have opted out of marketing (which includes those who want no templates), or of all templates. */
  readonly optedOutOf?: ConsentScope;
  /** Where the list goes on: `next` of the page before. */
  readonly after?: string;
  readonly limit: number;
}

/** Restricts contacts to those that the reader may see; null means no restriction, for the dashboard only. */
export interface ContactReadScope {
  readonly accountId: string | null;
  readonly mode: Mode | null;
}

/** A contact as it is stored. */
export interface ContactRecord extends Contact, ContactScope {
  /** What it does not want to get; `all` includes marketing. */
  readonly optedOutOf: ConsentScope | null;
  readonly createdAt: Date;
}

/** Reads of contacts. */
@Injectable()
export class ContactReads {
  constructor(private readonly dataSource: DataSource) {}

  /** The contact with an id, or the one that it was merged into. */
  findContact(id: string, { accountId, mode }: ContactReadScope): Promise<ContactRecord | null> {
    return sql.findContact.row(this.dataSource, { id, accountId, mode });
  }

  /** The user ids that WhatsApp has replaced. */
  async formerUserIds(contactId: string): Promise<string[]> {
    const rows = await sql.findFormerUserIds.rows(this.dataSource, { contactId });
    return rows.map(({ user_id }) => user_id);
  }

  /** Every number that messages to the contact may have. */
  async phonesOf({ accountId, mode, phone }: ContactRecord): Promise<string[]> {
    if (phone === null) return [];
    const row = await sql.findFormsOfNumber.row(this.dataSource, { accountId, mode, phone });
    return row?.phones ?? [];
  }

  /** Newest first. */
  list({ accountId, mode }: ContactReadScope, filter: ContactFilter): Promise<ContactRecord[]> {
    const given = { ...filter, accountId, mode };
    return sql.listContacts.of(given).rows(this.dataSource, given);
  }

  /**
   * Who wrote last first, then those who never wrote, the newest first; those of many accounts who are like a text, the
   * newest first.
   * @returns a page, and where the next begins; null at the end.
   */
  async listWriters(
    accountIds: readonly string[],
    modes: readonly Mode[],
    { like, after, limit, ...rest }: WriterFilter,
  ): Promise<{ contacts: ContactRecord[]; next: string | null }> {
    const isByAge = like !== undefined && accountIds.length > 1;
    const place = { ...placeOf(after), limit: limit + 1 };
    const given = { ...rest, ...like, ...place, accountIds, modes, isByAge };
    const rows = await sql.listWriters.of(given).rows(this.dataSource, given);
    const { page, next_cursor: next } = pageOf(rows, limit, isByAge ? undefined : cursorOf);
    return { contacts: page, next };
  }
}

/** A place in the list of writers: `<hour>_<time>_<id>`, in milliseconds; of those who never wrote the id alone. */
export const writerCursor = /^(?:\d{1,13}_\d{1,13}_)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function cursorOf({ id, wroteAt, lastInboundAt }: Row<ReturnType<(typeof sql.listWriters)['of']>>) {
  return wroteAt && lastInboundAt ? `${wroteAt.getTime()}_${lastInboundAt.getTime()}_${id}` : id;
}

function placeOf(cursor: string | undefined) {
  if (cursor === undefined) return {};
  const [afterId, time, hour] = cursor.split('_').toReversed();
  if (hour === undefined || time === undefined) return { afterId };
  return { afterId, afterHour: new Date(Number(hour)), afterTime: new Date(Number(time)) };
}
