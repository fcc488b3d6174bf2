import { endsSo } from '../../contacts/forms/number-forms.js';
import type { ValuesOf } from '../../database/statements/sql-types.js';
import { family } from '../../database/statements/statement.js';

const params = {
  accountIds: 'uuid[]',
  limit: 'int8',
  id: 'uuid?',
  platformId: 'text?',
  userId: 'text?',
  phones: 'text[]?',
  ends: 'text[]?',
  referenceFrom: 'text?',
  referenceTo: 'text?',
} as const;

/** What a message can be found by; what is absent finds none. */
export type MessageMatch = ValuesOf<typeof params>;

const examples: MessageMatch[] = [
  {
    accountIds: [],
    limit: 1,
    id: '',
    platformId: '',
    userId: '',
    phones: [],
    ends: [],
    referenceFrom: '',
  },
];

/** How many messages are compared with the end of a number. */
const comparedMax = 4_000;

/**
 * In indexes alone, but for the ends of numbers: these are compared with what was sent last, failed last, or is
 * unconfirmed, because a message to somebody who is no contact is one of these.
 * The best first: ids, the latest to these recipients, ends of numbers, references.
 */
export const findMatchingMessages = family({
  name: 'find-matching-messages',
  params,
  columns: { id: 'uuid' },
  text: (match: MessageMatch) => `
  select found.id from (${[...branchesOf(match), ...scheduledBranchesOf(match)].join(' union all ')}) found (id, rank)
  group by found.id order by min(found.rank), found.id desc limit :limit`,
  examples,
});

function branchesOf(match: MessageMatch): string[] {
  const branches: string[] = [];
  if (match.id != null)
    branches.push(`select m.id, 0 from messages m
      where m.id = :id and m.account_id = any (:accountIds::uuid[])`);
  if (match.platformId != null)
    branches.push(`select m.id, 0 from messages m
      where m.platform_message_id = :platformId and m.account_id = any (:accountIds::uuid[])`);
  // "offset 0" keeps the limit out of the choice of the index: towards it, PostgreSQL would read the messages of the
  // whole account, the newest first, until it has enough of a recipient who may have few.
  if (match.phones != null)
    branches.push(`select m.id, 1 from unnest(:accountIds::uuid[]) as a (id)
      cross join unnest(:phones::text[]) as p (phone)
      cross join lateral (select r.id from (select m.id from messages m
          where m.account_id = a.id and m.recipient = p.phone offset 0) r
        order by r.id desc limit :limit) m`);
  if (match.userId != null)
    branches.push(`select m.id, 1 from unnest(:accountIds::uuid[]) as a (id)
      cross join lateral (select r.id from (select m.id from messages m
          where m.account_id = a.id and m.to_user_id = :userId offset 0) r
        order by r.id desc limit :limit) m`);
  if (match.ends != null)
    branches.push(`select m.id, 2 from (
        (select id, recipient from messages where account_id = any (:accountIds::uuid[])
          order by id desc limit ${comparedMax})
        union (select id, recipient from messages
          where account_id = any (:accountIds::uuid[]) and status = 'unconfirmed' limit ${comparedMax})
        union (select id, recipient from (
            select id, account_id, recipient from messages where status = 'failed'
            order by id desc limit ${comparedMax}) f
          where account_id = any (:accountIds::uuid[]))) m
      where ${endsSo('m.recipient', ':ends')}`);
  // In the order of the index: a beginning that all references have costs no more than a rare one.
  if (match.referenceFrom != null)
    branches.push(`select m.id, 3 from unnest(:accountIds::uuid[]) as a (id)
      cross join lateral (select m.id from messages m
        where m.account_id = a.id and m.reference ~>=~ :referenceFrom and m.reference ~<~ :referenceTo
        order by m.reference using ~<~ limit :limit) m`);
  return branches;
}

/** The same among scheduled messages, which are few enough for plain conditions. */
function scheduledBranchesOf(match: MessageMatch): string[] {
  const branch = (rank: number, condition: string) => `
    select m.id, ${rank} from (select s.id from scheduled_messages s
      where s.account_id = any (:accountIds::uuid[]) and not s.withdrawn and ${condition}
      order by s.id desc limit :limit) m`;
  return [
    ...(match.id == null ? [] : [branch(0, 's.id = :id')]),
    ...(match.phones == null ? [] : [branch(1, 's.recipient = any (:phones::text[])')]),
    ...(match.userId == null ? [] : [branch(1, 's.to_user_id = :userId')]),
    ...(match.ends == null ? [] : [branch(2, endsSo('s.recipient', ':ends'))]),
    ...(match.referenceFrom == null
      ? []
      : [branch(3, 's.reference ~>=~ :referenceFrom and s.reference ~<~ :referenceTo')]),
  ];
}
