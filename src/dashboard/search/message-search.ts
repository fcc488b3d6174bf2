import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../../access/mode.js';
import { MessageReads } from '../../messages/reads/message-reads.js';
import { allMessages } from '../../messages/reads/message-tables.js';
import type { MessageStatus } from '../../messages/rows/message-status.js';
import type { SearchResultDto } from './search.dto.js';
import type { SearchQuery } from './search-query.js';
import { lastCharacter, type SearchScope } from './search-scope.js';

interface FoundMessage {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly status: MessageStatus;
  readonly recipient: string | null;
  readonly toUserId: string | null;
  readonly reference: string | null;
  readonly createdAt: Date;
}

/** The search reads this many of a recipient's messages, the newest first. */
const ofRecipientMax = 500;

/** Finds messages by id, by recipient and by the beginning of their reference, in indexes alone. */
@Injectable()
export class MessageSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: MessageReads,
  ) {}

  /**
   * The best first: ids, the latest to these recipients, references.
   * @param phones the recipients: the numbers that the query can mean, and those of contacts that were found.
   */
  async find(
    query: SearchQuery,
    phones: readonly string[],
    scope: SearchScope,
    limit: number,
  ): Promise<SearchResultDto[]> {
    const found = await this.ids(query, phones, scope, limit);
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return [];
    const [messages, contents] = await Promise.all([this.rows(ids), this.reads.contents(ids)]);
    const textOf = new Map(contents.map(({ id, text }) => [id, text]));
    const messageOf = new Map(messages.map((message) => [message.id, message]));
    return ids.flatMap((id) => {
      const message = messageOf.get(id);
      return message ? [resultOf(message, textOf.get(id) ?? '', scope)] : [];
    });
  }

  private ids(
    query: SearchQuery,
    phones: readonly string[],
    scope: SearchScope,
    limit: number,
  ): Promise<{ id: string }[]> {
    const parameters: unknown[] = [scope.accountIds, limit];
    const parameter = (value: unknown) => `$${parameters.push(value)}`;
    const branches: string[] = [];
    if (query.id !== null) {
      branches.push(`select m.id, 0 from messages m
        where m.id = ${parameter(query.id)} and m.account_id = any ($1::uuid[])`);
    }
    if (query.platformId !== null) {
      branches.push(`select m.id, 0 from messages m
        where m.platform_message_id = ${parameter(query.platformId)} and m.account_id = any ($1::uuid[])`);
    }
    if (phones.length > 0) {
      // A range instead of equality, so that the index is read backwards: among the same recipient its entries are in
      // the order of the table. An index that goes on with the id would be taken by statements that look rows up by id.
      branches.push(`select m.id, 1 from unnest($1::uuid[]) as a (id)
        cross join unnest(${parameter(phones)}::text[]) as p (phone)
        cross join lateral (select r.id from (select m.id from messages m
            where (m.account_id, m.recipient) >= (a.id, p.phone)
              and (m.account_id, m.recipient) <= (a.id, p.phone)
            order by m.account_id desc, m.recipient desc limit ${ofRecipientMax}) r
          order by r.id desc limit $2) m`);
    }
    if (query.userId !== null) {
      branches.push(`select m.id, 1 from unnest($1::uuid[]) as a (id)
        cross join lateral (select m.id from messages m
          where m.account_id = a.id and m.to_user_id = ${parameter(query.userId)}
          order by m.id desc limit $2) m`);
    }
    if (query.id === null) {
      const [from, to] = [parameter(query.text), parameter(query.text + lastCharacter)];
      // In the order of the index: a beginning that all references have costs no more than a rare one.
      branches.push(`select m.id, 2 from unnest($1::uuid[]) as a (id)
        cross join lateral (select m.id from messages m
          where m.account_id = a.id and m.reference ~>=~ ${from} and m.reference ~<~ ${to}
          order by m.reference using ~<~ limit $2) m`);
    }
    branches.push(...scheduledBranches(query, phones, parameter));
    return this.dataSource.query(
      `select found.id from (${branches.join(' union all ')}) found (id, rank)
       group by found.id order by min(found.rank), found.id desc limit $2`,
      parameters,
    );
  }

  private rows(ids: readonly string[]): Promise<FoundMessage[]> {
    return this.dataSource.query(
      `select id, account_id as "accountId", mode, coalesce(receipt, status) as status, recipient,
         to_user_id as "toUserId", reference, created_at as "createdAt"
       from ${allMessages} m where id = any ($1::uuid[])`,
      [ids],
    );
  }
}

/** The same among scheduled messages, which are few enough for plain conditions. */
function scheduledBranches(
  query: SearchQuery,
  phones: readonly string[],
  parameter: (value: unknown) => string,
): string[] {
  const branch = (rank: number, condition: string) => `
    select m.id, ${rank} from (select s.id from scheduled_messages s
      where s.account_id = any ($1::uuid[]) and not s.withdrawn and ${condition}
      order by s.id desc limit $2) m`;
  if (query.id !== null) return [branch(0, `s.id = ${parameter(query.id)}`)];
  const [from, to] = [parameter(query.text), parameter(query.text + lastCharacter)];
  return [
    ...(phones.length > 0 ? [branch(1, `s.recipient = any (${parameter(phones)}::text[])`)] : []),
    ...(query.userId === null ? [] : [branch(1, `s.to_user_id = ${parameter(query.userId)}`)]),
    branch(2, `s.reference ~>=~ ${from} and s.reference ~<~ ${to}`),
  ];
}

function resultOf(message: FoundMessage, text: string, scope: SearchScope): SearchResultDto {
  const { id, accountId, mode, status, recipient, toUserId, reference, createdAt } = message;
  return {
    kind: 'message',
    id,
    title: [recipient ?? toUserId, text.slice(0, 80)].filter(Boolean).join(' · '),
    subtitle: scope.subtitle(
      accountId,
      status.charAt(0).toUpperCase() + status.slice(1),
      reference && `reference ${reference}`,
      mode === 'test' ? 'test mode' : null,
    ),
    at: createdAt,
    href: `/dashboard/messages/${id}`,
  };
}

/** The list of everything that was sent to a number. */
export function messagesToNumber(phone: string): SearchResultDto {
  return {
    kind: 'message',
    id: phone,
    title: `All messages to ${phone}`,
    subtitle: 'The list of messages, filtered by this number',
    at: null,
    href: `/dashboard/messages?q=${encodeURIComponent(phone)}`,
  };
}
