import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SearchQuery } from '../../contacts/search/search-query.js';
import type { Row } from '../../database/statements/statement.js';
import { MessageMatches } from '../../messages/reads/message-matches.js';
import { MessageReads } from '../../messages/reads/message-reads.js';
import * as sql from './message-search.statements.js';
import type { SearchResultDto } from './search.dto.js';
import type { SearchScope } from './search-scope.js';

type FoundMessage = Row<typeof sql.findFoundMessages>;

/** Finds messages by id, by recipient and by the beginning of their reference, in indexes alone. */
@Injectable()
export class MessageSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly matches: MessageMatches,
    private readonly reads: MessageReads,
  ) {}

  /**
   * The best first: ids, the latest to these recipients, references.
   * @param phones the recipients: the numbers that the query can mean, and those of contacts that were found.
   * @returns the recipients of what was found, too.
   */
  async find(
    query: SearchQuery,
    phones: readonly string[],
    scope: SearchScope,
    limit: number,
  ): Promise<{ results: SearchResultDto[]; recipients: ReadonlySet<string | null> }> {
    const ids = await this.matches.ids(query, phones, scope.accountIds, limit);
    if (ids.length === 0) return { results: [], recipients: new Set() };
    const [messages, contents] = await Promise.all([
      sql.findFoundMessages.rows(this.dataSource, { ids }),
      this.reads.contents(ids),
    ]);
    const textOf = new Map(contents.map(({ id, text }) => [id, text]));
    const messageOf = new Map(messages.map((message) => [message.id, message]));
    const results = ids.flatMap((id) => {
      const message = messageOf.get(id);
      return message ? [resultOf(message, textOf.get(id) ?? '', scope)] : [];
    });
    return { results, recipients: new Set(messages.map(({ recipient }) => recipient)) };
  }
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
    ),
    mode,
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
    mode: null,
    at: null,
    href: `/dashboard/messages?q=${encodeURIComponent(phone)}`,
  };
}
