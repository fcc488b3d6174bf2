import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ContactSearch } from '../../contacts/search/contact-search.js';
import { lastCharacter, readSearch, type SearchQuery } from '../../contacts/search/search-query.js';
import * as sql from './message-matches.statements.js';

/** What a list is restricted to by a text. */
export interface TextMatch {
  /** The messages; null where there are too many to name. */
  readonly ids: readonly string[] | null;
  readonly recipients: readonly string[];
  readonly toUserId: string | null;
  readonly referenceStart: string;
}

/** A text that finds more messages than this is looked for while the list is read. */
const namedMax = 1_000;

/** A name that more contacts have says too little. */
const contactsMax = 100;

/** Finds messages by what people type: ids, recipients in any notation, and the beginning of references. */
@Injectable()
export class MessageMatches {
  constructor(
    private readonly dataSource: DataSource,
    private readonly contacts: ContactSearch,
  ) {}

  /** What a text means for a list of these accounts: also the contacts of that name, and ends of numbers. */
  async read(typed: string, accountIds: readonly string[]): Promise<TextMatch> {
    const query = readSearch(typed);
    const contacts = await this.contacts.find(query, accountIds, contactsMax);
    const recipients = [...new Set([...query.phones, ...contacts.flatMap(({ phones }) => phones)])];
    const ids = await this.ids(query, recipients, accountIds, namedMax + 1);
    return {
      ids: ids.length > namedMax ? null : ids,
      recipients,
      toUserId: query.userId,
      referenceStart: query.text,
    };
  }

  /**
   * The best first: ids, the latest to these recipients, to numbers that end so, references.
   * @param recipients the numbers that the query can mean, and those of contacts that were found.
   */
  async ids(
    { id, platformId, userId, phoneEnds, text }: SearchQuery,
    recipients: readonly string[],
    accountIds: readonly string[],
    limit: number,
  ): Promise<string[]> {
    const given = {
      accountIds,
      limit,
      id,
      platformId,
      userId,
      ...(recipients.length > 0 && id === null && { phones: recipients }),
      ...(phoneEnds.length > 0 && { ends: phoneEnds }),
      ...(id === null && { referenceFrom: text, referenceTo: text + lastCharacter }),
    };
    const rows = await sql.findMatchingMessages.of(given).rows(this.dataSource, given);
    return rows.map((row) => row.id);
  }
}
