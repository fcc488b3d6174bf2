import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ContactIds, ContactScope } from './contact.js';
import { contactOf } from './contact-of-message.js';

/** Whether free-form messages reach a user now: within 24 hours of their last message. */
export interface ContactWindow {
  /** `unknown` where the user may have written without our knowledge. */
  readonly state: 'open' | 'closed' | 'unknown';
  /** When it closes, or closed; null where no message of the user is known. */
  readonly expiresAt: Date | null;
  readonly lastInboundAt: Date | null;
}

/**
 * The window of the recipient of a message, as a query with the columns of `ContactWindow`. `row` is the name of the
 * message's row: it has `account_id`, `mode`, `recipient` and `to_user_id`.
 *
 * Once notifications have come for 24 hours, an account knows of every message in the window. Some may still be
 * on their way while notifications wait, and for an hour after the API was away.
 */
export const windowOf = (row: string) => `
  select c.last_inbound_at as "lastInboundAt", c.last_inbound_at + interval '24 hours' as "expiresAt",
    case when c.last_inbound_at + interval '24 hours' > now() then 'open'
      when exists (select from account_notifications n
          where n.account_id = ${row}.account_id and n.mode = ${row}.mode
            and n.since <= now() - interval '24 hours' and n.history = database_history())
        and not exists (select from api_presence where returned_at > now() - interval '1 hour')
        and not exists (select from platform_notifications p
          where p.next_attempt_at is not null and p.received_at < now() - interval '60 seconds'
            and (p.account_ids is null or ${row}.account_id = any (p.account_ids))
            and (p.mode is null or p.mode = ${row}.mode))
      then 'closed' else 'unknown' end as state
  from (values (1)) one left join contacts c on c.id = ${contactOf(row)}`;

const windowSql = `
  select w.* from (select $1::uuid as account_id, $2::text as mode, $3::text as recipient,
    $4::text as to_user_id) m cross join lateral (${windowOf('m')}) w`;

/** Reads windows. */
@Injectable()
export class ContactWindows {
  constructor(private readonly dataSource: DataSource) {}

  /** The window of a user; with a number and a user id, of the one with the number. */
  async findWindow({ accountId, mode }: ContactScope, ids: ContactIds): Promise<ContactWindow> {
    const [window]: ContactWindow[] = await this.dataSource.query(windowSql, [
      accountId,
      mode,
      ids.phone,
      ids.userId,
    ]);
    if (!window) throw new Error('a window is always answered');
    return window;
  }
}
