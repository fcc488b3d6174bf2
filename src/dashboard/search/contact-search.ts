import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../../access/mode.js';
import { formsOf } from '../../contacts/forms/number-forms.js';
import type { SearchResultDto } from './search.dto.js';
import type { SearchQuery } from './search-query.js';
import { lastCharacter, type SearchScope } from './search-scope.js';

/** A contact that was found. */
export interface FoundContact {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly phone: string | null;
  /** Every number that messages to it may have. */
  readonly phones: readonly string[];
  readonly userId: string | null;
  readonly username: string | null;
  readonly name: string | null;
}

/** How many contacts of one account and mode are compared for which was active last. */
const comparedMax = 200;

/** Finds contacts by number, id and name, in indexes alone. */
@Injectable()
export class ContactSearch {
  constructor(private readonly dataSource: DataSource) {}

  /** The best first: whole numbers, ends of numbers, beginnings, names; then those of live mode, and who was active last. */
  async find(query: SearchQuery, scope: SearchScope, limit: number): Promise<FoundContact[]> {
    const parameters: unknown[] = [scope.accountIds];
    const branches: string[] = [];
    const parameter = (value: unknown) => `$${parameters.push(value)}`;
    const where = (condition: string, order = '') =>
      branches.push(`(select c.id, ${branches.length} as rank from contacts c
        where c.account_id = a.id and c.mode = m.mode and ${condition} ${order} limit ${comparedMax})`);
    const beginning = (column: string, value: string | null, isIndexed = 'true') => {
      if (value === null) return;
      const [from, to] = [parameter(value), parameter(value + lastCharacter)];
      // In the order of the index, so that a frequent beginning is no reason to read everything.
      where(
        `${column} ~>=~ ${from} and ${column} ~<~ ${to} and ${isIndexed}`,
        `order by ${column} using ~<~`,
      );
    };
    if (query.id !== null) where(`c.id = ${parameter(query.id)}`);
    if (query.userId !== null) {
      where(`c.user_id = ${parameter(query.userId)}`);
      branches.push(`(select f.contact_id, ${branches.length} as rank from contact_former_ids f
        where f.account_id = a.id and f.mode = m.mode and f.user_id = ${parameter(query.userId)})`);
    }
    if (query.phones.length > 0) {
      const asked = `${parameter(query.phones)}::text[]`;
      where(`c.phone = any (${asked} || array(select known.form from number_forms known
        where known.account_id = a.id and known.mode = m.mode and known.phone = any (${asked})))`);
    }
    for (const end of query.phoneEnds) {
      const start = Array.from(end).toReversed().join('');
      beginning('reverse(c.phone)', start, 'length(c.phone) > 0');
    }
    beginning('c.phone', query.phoneStart);
    if (query.id === null && query.platformId === null) {
      beginning('lower(c.name)', query.text.toLowerCase());
      beginning('lower(c.username)', query.text.toLowerCase().replace(/^@/, ''));
    }
    if (branches.length === 0) return [];
    return this.dataSource.query(
      `select c.id, c.account_id as "accountId", c.mode, c.phone, c.user_id as "userId", c.username, c.name,
         case when c.phone is null then '{}' else ${formsOf('c', 'c.phone')} end as phones
       from (select f.id, min(f.rank) as rank
         from unnest($1::uuid[]) as a (id) cross join unnest(array['live', 'test']) as m (mode)
         cross join lateral (${branches.join(' union all ')}) f group by f.id) found
       join contacts c on c.id = found.id and c.merged_into is null
       order by found.rank, c.mode, c.active_at desc, c.id desc limit ${parameter(limit)}`,
      parameters,
    );
  }
}

/** A contact as the search shows it. */
export function contactResult(contact: FoundContact, scope: SearchScope): SearchResultDto {
  const { id, accountId, mode, phone, userId, username, name } = contact;
  const [title = 'Unknown contact', ...others] = [
    name,
    username && `@${username.replace(/^@/, '')}`,
    phone,
    userId,
  ].filter((each) => each !== null);
  const subtitle = scope.subtitle(
    accountId,
    ...others,
    'Contact',
    mode === 'test' ? 'test mode' : null,
  );
  return { kind: 'contact', id, title, subtitle, at: null, href: `/dashboard/contacts/${id}` };
}
