import type { Mode } from '../access/mode.js';
import { as, type ValuesOf } from '../database/statements/sql-types.js';
import { family, statement, whereGiven } from '../database/statements/statement.js';
import type { ConsentScope } from './consent.js';
import { formsOf } from './forms/number-forms.js';

const contactSql = `c.id, c.account_id as "accountId", c.mode, c.phone, c.user_id as "userId",
  c.parent_user_id as "parentUserId", c.username, c.name, c.last_inbound_at as "lastInboundAt",
  c.opted_out as "optedOutOf", c.created_at as "createdAt"`;

const contactColumns = {
  id: 'uuid',
  accountId: 'uuid',
  mode: as<Mode>('text'),
  phone: 'text?',
  userId: 'text?',
  parentUserId: 'text?',
  username: 'text?',
  name: 'text?',
  lastInboundAt: 'timestamptz?',
  optedOutOf: as<ConsentScope | null>('text'),
  createdAt: 'timestamptz',
} as const;

/** The contact with an id, or the one that it was merged into. */
export const findContact = statement({
  name: 'find-contact',
  params: { id: 'uuid', accountId: 'uuid?', mode: 'text?' },
  columns: contactColumns,
  text: `
  select ${contactSql} from contacts given join contacts c on c.id = coalesce(given.merged_into, given.id)
  where given.id = :id and (:accountId::uuid is null or given.account_id = :accountId)
    and (:mode::text is null or given.mode = :mode)`,
});

export const findFormerUserIds = statement({
  name: 'find-former-user-ids',
  params: { contactId: 'uuid' },
  columns: { user_id: 'text' },
  text: 'select user_id from contact_former_ids where contact_id = :contactId order by user_id',
});

export const findFormsOfNumber = statement({
  name: 'find-forms-of-number',
  params: { accountId: 'uuid', mode: 'text', phone: 'text' },
  columns: { phones: 'text[]' },
  text: `
  select ${formsOf('t', 't.phone')} as phones
  from (select :accountId::uuid as account_id, :mode::text as mode, :phone::text as phone) t`,
});

const listParams = {
  accountId: 'uuid?',
  mode: 'text?',
  phone: 'text?',
  userId: 'text?',
  ids: 'uuid[]?',
  phoneStart: 'text?',
  phoneEnds: 'text[]?',
  start: 'text?',
  beforeId: 'uuid?',
  limit: 'int8',
} as const;

/** The values of a list of contacts. What it leaves out does not restrict. */
type ListValues = ValuesOf<typeof listParams> & { readonly optedOutOf?: ConsentScope };

/** The indexes of user ids and of forms begin with account and mode. */
const whereOwn = ({ accountId, mode }: ListValues) =>
  whereGiven({ accountId, mode }, { accountId: 'account_id = :accountId', mode: 'mode = :mode' });

const whereListed = (given: ListValues) =>
  whereGiven(given, {
    accountId: 'c.account_id = :accountId',
    mode: 'c.mode = :mode',
    phone: `c.phone = any (${formsOf({ where: `${whereOwn(given)} and ` }, ':phone::text')})`,
    userId: `c.id in (
      select id from contacts where ${whereOwn(given)} and user_id = :userId
      union all select id from contacts where ${whereOwn(given)} and parent_user_id = :userId
      union all select contact_id from contact_former_ids where ${whereOwn(given)} and user_id = :userId)`,
    ids: 'c.id = any (:ids::uuid[])',
    start: `starts_with(lower(c.name), :start) or starts_with(lower(c.username), ltrim(:start, '@'))
      or starts_with(c.phone, :phoneStart)
      or exists (select from unnest(:phoneEnds::text[]) as e (digits) where right(c.phone, length(e.digits)) = e.digits)`,
    optedOutOf: given.optedOutOf === 'all' ? `c.opted_out = 'all'` : 'c.opted_out is not null',
    beforeId: 'c.id < :beforeId',
  });

/** Newest first. */
export const listContacts = family({
  name: 'list-contacts',
  params: listParams,
  columns: contactColumns,
  text: (given: ListValues) => `
  select ${contactSql} from contacts c where c.merged_into is null and ${whereListed(given)}
  order by c.id desc limit :limit`,
  examples: [
    { limit: 1 },
    { phone: '', userId: '', limit: 1 },
    {
      accountId: '',
      mode: '',
      phone: '',
      userId: '',
      ids: [],
      phoneEnds: [],
      start: '',
      optedOutOf: 'all',
      beforeId: '',
      limit: 1,
    },
  ],
});
