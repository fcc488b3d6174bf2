import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Contact, ContactScope } from './contact.js';

/** Which contacts are asked for; absent fields do not restrict. */
export interface ContactFilter {
  /** E.164. */
  readonly phone?: string;
  /** A user id, of now or before, or a parent id. */
  readonly userId?: string;
  /** Contacts older than this id, exclusive. */
  readonly beforeId?: string;
  readonly limit: number;
}

const columns = `c.id, c.phone, c.user_id as "userId", c.parent_user_id as "parentUserId",
  c.username, c.name, c.last_inbound_at as "lastInboundAt"`;

/** Reads of contacts. */
@Injectable()
export class ContactReads {
  constructor(private readonly dataSource: DataSource) {}

  /** The contact with an id, or the one that it was merged into. */
  async findContact(id: string, { accountId, mode }: ContactScope): Promise<Contact | null> {
    const [contact]: Contact[] = await this.dataSource.query(
      `select ${columns} from contacts given join contacts c on c.id = coalesce(given.merged_into, given.id)
       where given.id = $1 and given.account_id = $2 and given.mode = $3`,
      [id, accountId, mode],
    );
    return contact ?? null;
  }

  /** Newest first. */
  list(
    { accountId, mode }: ContactScope,
    { phone, userId, beforeId, limit }: ContactFilter,
  ): Promise<Contact[]> {
    return this.dataSource.query(
      `select ${columns} from contacts c
       where c.account_id = $1 and c.mode = $2 and c.merged_into is null
         and ($3::text is null or c.phone = any (phone_forms($3)))
         and ($4::text is null or c.id in (
           select id from contacts where account_id = $1 and mode = $2 and user_id = $4
           union all
           select id from contacts where account_id = $1 and mode = $2 and parent_user_id = $4
           union all
           select contact_id from contact_former_ids
           where account_id = $1 and mode = $2 and user_id = $4))
         and ($5::uuid is null or c.id < $5)
       order by c.id desc limit $6`,
      [accountId, mode, phone ?? null, userId ?? null, beforeId ?? null, limit],
    );
  }
}
