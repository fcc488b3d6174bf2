import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../access/mode.js';
import type { ConsentScope } from './consent.js';
import type { Contact, ContactScope } from './contact.js';
import { formsOf } from './forms/number-forms.js';

/** Which contacts are asked for; absent fields do not restrict. */
export interface ContactFilter {
  /** E.164. */
  readonly phone?: string;
  /** A user id, of now or before, or a parent id. */
  readonly userId?: string;
  /** In any case, without the @. */
  readonly username?: string;
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

const columns = `c.id, c.account_id as "accountId", c.mode, c.phone, c.user_id as "userId",
  c.parent_user_id as "parentUserId", c.username, c.name, c.last_inbound_at as "lastInboundAt",
  c.opted_out as "optedOutOf", c.created_at as "createdAt"`;

/** Reads of contacts. */
@Injectable()
export class ContactReads {
  constructor(private readonly dataSource: DataSource) {}

  /** The contact with an id, or the one that it was merged into. */
  async findContact(
    id: string,
    { accountId, mode }: ContactReadScope,
  ): Promise<ContactRecord | null> {
    const [contact]: ContactRecord[] = await this.dataSource.query(
      `select ${columns} from contacts given join contacts c on c.id = coalesce(given.merged_into, given.id)
       where given.id = $1 and ($2::uuid is null or given.account_id = $2)
         and ($3::text is null or given.mode = $3)`,
      [id, accountId, mode],
    );
    return contact ?? null;
  }

  /** The user ids that WhatsApp has replaced. */
  async formerUserIds(contactId: string): Promise<string[]> {
    const rows: { user_id: string }[] = await this.dataSource.query(
      'select user_id from contact_former_ids where contact_id = $1 order by user_id',
      [contactId],
    );
    return rows.map(({ user_id }) => user_id);
  }

  /** Every number that messages to the contact may have. */
  async phonesOf({ accountId, mode, phone }: ContactRecord): Promise<string[]> {
    if (phone === null) return [];
    const [row]: { phones: string[] }[] = await this.dataSource.query(
      `select ${formsOf('t', 't.phone')} as phones
       from (select $1::uuid as account_id, $2::text as mode, $3::text as phone) t`,
      [accountId, mode, phone],
    );
    return row?.phones ?? [];
  }

  /** Newest first. */
  list(scope: ContactReadScope, filter: ContactFilter): Promise<ContactRecord[]> {
    const parameters: unknown[] = [];
    const conditions = ['c.merged_into is null'];
    const where = (condition: string, value: unknown) => {
      if (value === undefined || value === null) return;
      parameters.push(value);
      conditions.push(condition.replaceAll('?', `$${parameters.length}`));
    };
    where('c.account_id = ?', scope.accountId);
    where('c.mode = ?', scope.mode);
    // The indexes of user ids and of forms begin with account and mode.
    const own = conditions
      .slice(1)
      .map((condition) => `${condition.replace('c.', '')} and `)
      .join('');
    where(`c.phone = any (${formsOf({ where: own }, '?::text')})`, filter.phone);
    where(
      `c.id in (
         select id from contacts where ${own}user_id = ?
         union all select id from contacts where ${own}parent_user_id = ?
         union all select contact_id from contact_former_ids where ${own}user_id = ?)`,
      filter.userId,
    );
    where('lower(c.username) = lower(?)', filter.username);
    if (filter.optedOutOf === 'marketing') conditions.push('c.opted_out is not null');
    if (filter.optedOutOf === 'all') conditions.push(`c.opted_out = 'all'`);
    where('c.id < ?', filter.beforeId);
    parameters.push(filter.limit);
    return this.dataSource.query(
      `select ${columns} from contacts c where ${conditions.join(' and ')}
       order by c.id desc limit $${parameters.length}`,
      parameters,
    );
  }
}
