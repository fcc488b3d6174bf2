import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountEntity } from '../../accounts/account.entity.js';
import type { Row } from '../../database/statements/statement.js';
import * as sql from './contact-search.statements.js';
import { lastCharacter, type SearchQuery, wordQueryOf } from './search-query.js';

/** A contact that was found; `phones` are all numbers that messages to it may have. */
export type FoundContact = Readonly<Row<ReturnType<(typeof sql.findMatchingContacts)['of']>>>;

/** Finds contacts by number, id and name. */
@Injectable()
export class ContactSearch {
  constructor(private readonly dataSource: DataSource) {}

  /** The best first: whole numbers, ends of numbers, beginnings, names; then those of live mode, and who was active last. */
  async find(
    query: SearchQuery,
    accountIds: readonly string[],
    limit: number,
  ): Promise<FoundContact[]> {
    const match = matchOf(query);
    if (Object.keys(match).length === 0) return [];
    const given = { ...match, accountIds, limit };
    return sql.findMatchingContacts.of(given).rows(this.dataSource, given);
  }
}

/** The accounts that a search is about. @param accountId the only one; null: all. */
export async function accountIdsOf(
  dataSource: DataSource,
  accountId: string | null,
): Promise<string[]> {
  if (accountId !== null) return [accountId];
  const accounts = await dataSource.getRepository(AccountEntity).find({ select: { id: true } });
  return accounts.map(({ id }) => id);
}

function matchOf(query: SearchQuery): Omit<sql.ContactMatch, 'accountIds' | 'limit'> {
  const { id, userId, phones, phoneStart, phoneEnds, platformId, text } = query;
  const [end, otherEnd] = phoneEnds.map((digits) => Array.from(digits).toReversed().join(''));
  const isName = id === null && platformId === null;
  const name = text.toLowerCase();
  const words = wordQueryOf(query);
  return {
    ...(id !== null && { id }),
    ...(userId !== null && { userId }),
    ...(phones.length > 0 && { phones }),
    ...beginning('end', end),
    ...beginning('otherEnd', otherEnd),
    ...beginning('start', phoneStart ?? undefined),
    ...(isName && {
      ...beginning('name', name),
      ...beginning('username', name.replace(/^@/, '')),
      ...(words !== null && { words }),
    }),
  };
}

const beginning = (place: string, text: string | undefined) =>
  text !== undefined && { [`${place}From`]: text, [`${place}To`]: text + lastCharacter };
