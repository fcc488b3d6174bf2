import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../access/mode.js';
import type { ConsentScope } from './consent.js';
import type { Contact, ContactScope } from './contact.js';
import * as sql from './contact-reads.statements.js';

/** Which contacts are asked for; absent fields do not restrict. */
export interface ContactFilter {
  /** E.164. */
  readonly phone?: string;
  /** A user id, of now or before, or a parent id. */
  readonly userId?: string;
  /** Only these. */
  readonly ids?: readonly string[];
  /** Those whose number begins or ends so, or whose name or username begins so, in lower case. */
  readonly like?: {
    readonly phoneStart: string | null;
    readonly phoneEnds: readonly string[];
    readonly start: string;
  };
  /** Contacts that have opted out of marketing (which includes those who want no templates), or of all templates. */
  readonly optedOutOf?: ConsentScope;
  /** Contacts older than this id, exclusive. */
  readonly beforeId?: string;
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
    const { like, ...rest } = filter;
    const given = { ...rest, ...like, accountId, mode };
    return sql.listContacts.of(given).rows(this.dataSource, given);
  }
}
