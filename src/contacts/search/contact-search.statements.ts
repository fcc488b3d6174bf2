import type { Mode } from '../../access/mode.js';
import { as, type ValuesOf } from '../../database/statements/sql-types.js';
import { family } from '../../database/statements/statement.js';
import { formsOf } from '../forms/number-forms.js';

const params = {
  accountIds: 'uuid[]',
  limit: 'int8',
  id: 'uuid?',
  userId: 'text?',
  phones: 'text[]?',
  endFrom: 'text?',
  endTo: 'text?',
  otherEndFrom: 'text?',
  otherEndTo: 'text?',
  startFrom: 'text?',
  startTo: 'text?',
  nameFrom: 'text?',
  nameTo: 'text?',
  usernameFrom: 'text?',
  usernameTo: 'text?',
  words: 'text?',
} as const;

/** What a contact can be found by; what is absent finds none. */
export type ContactMatch = ValuesOf<typeof params>;

/** How many contacts of one account and mode are compared for which was active last. */
const comparedMax = 200;

const examples: ContactMatch[] = [
  {
    accountIds: [],
    limit: 1,
    id: '',
    userId: '',
    phones: [],
    endFrom: '',
    otherEndFrom: '',
    startFrom: '',
    nameFrom: '',
    usernameFrom: '',
    words: '',
  },
];

/**
 * In indexes alone. The best first: whole numbers, ends of numbers, beginnings, names, words of names; then those of live
 * mode, and who was active last.
 */
export const findMatchingContacts = family({
  name: 'find-matching-contacts',
  params,
  columns: {
    id: 'uuid',
    accountId: 'uuid',
    mode: as<Mode>('text'),
    phone: 'text?',
    userId: 'text?',
    username: 'text?',
    name: 'text?',
    phones: 'text[]',
  },
  text: (match: ContactMatch) => `
  select c.id, c.account_id as "accountId", c.mode, c.phone, c.user_id as "userId", c.username, c.name,
    case when c.phone is null then '{}' else ${formsOf('c', 'c.phone')} end as phones
  from (select f.id, min(f.rank) as rank
    from unnest(:accountIds::uuid[]) as a (id) cross join unnest(array['live', 'test']) as m (mode)
    cross join lateral (${branchesOf(match).join(' union all ')}) f group by f.id
    ${match.words == null ? '' : `union all ${wordsBranch}`}) found
  join contacts c on c.id = found.id and c.merged_into is null
  group by c.id order by min(found.rank), c.mode, c.active_at desc, c.id desc limit :limit`,
  examples,
});

/** Once for all accounts: its index knows none. */
const wordsBranch = `(select c.id, 100 from contacts c
    where to_tsvector('simple', plain_name(c.name)) @@ to_tsquery('simple', plain_name(:words)) and c.account_id = any (:accountIds::uuid[])
      and c.merged_into is null limit ${comparedMax})`;

function branchesOf(match: ContactMatch): string[] {
  const branches: string[] = [];
  const where = (condition: string, order = '') =>
    branches.push(`(select c.id, ${branches.length} as rank from contacts c
      where c.account_id = a.id and c.mode = m.mode and c.merged_into is null and ${condition}
      ${order} limit ${comparedMax})`);
  // In the order of the index, so that a frequent beginning is no reason to read everything.
  const beginning = (column: string, place: string, isIndexed = 'true') =>
    where(
      `${column} ~>=~ :${place}From and ${column} ~<~ :${place}To and ${isIndexed}`,
      `order by ${column} using ~<~`,
    );
  if (match.id != null) where('c.id = :id');
  if (match.userId != null) {
    where('c.user_id = :userId');
    branches.push(`(select f.contact_id, ${branches.length} as rank from contact_former_ids f
      where f.account_id = a.id and f.mode = m.mode and f.user_id = :userId)`);
  }
  if (match.phones != null) {
    where(`c.phone = any (:phones::text[] || array(select known.form from number_forms known
      where known.account_id = a.id and known.mode = m.mode and known.phone = any (:phones::text[])))`);
  }
  for (const place of ['end', 'otherEnd'] as const) {
    if (match[`${place}From`] != null) beginning('reverse(c.phone)', place, 'length(c.phone) > 0');
  }
  if (match.startFrom != null) beginning('c.phone', 'start');
  if (match.nameFrom != null) beginning('lower(c.name)', 'name');
  if (match.usernameFrom != null) beginning('lower(c.username)', 'username');
  return branches;
}
