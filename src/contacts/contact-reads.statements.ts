import type { Mode } from '../access/mode.js';
import { as, type ValuesOf } from '../database/statements/sql-types.js';
import { family, statement, whereGiven } from '../database/statements/statement.js';
import type { ConsentScope } from './consent.js';
import { endsSo, formsOf } from './forms/number-forms.js';

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

const keyListParams = {
  accountId: 'uuid?',
  mode: 'text?',
  phone: 'text?',
  userId: 'text?',
  beforeId: 'uuid?',
  limit: 'int8',
} as const;

/** The values of a list of contacts. What it leaves out does not restrict. */
type KeyListValues = ValuesOf<typeof keyListParams>;

/** The indexes of user ids and of forms begin with account and mode. */
const whereOwn = ({ accountId, mode }: Pick<KeyListValues, 'accountId' | 'mode'>) =>
  whereGiven({ accountId, mode }, { accountId: 'account_id = :accountId', mode: 'mode = :mode' });

const hasUserId = (own: string) => `c.id in (
      select id from contacts where ${own} and user_id = :userId
      union all select id from contacts where ${own} and parent_user_id = :userId
      union all select contact_id from contact_former_ids where ${own} and user_id = :userId)`;

const keyListExamples: KeyListValues[] = [
  { limit: 1 },
  { phone: '', userId: '', limit: 1 },
  { accountId: '', mode: '', phone: '', userId: '', beforeId: '', limit: 1 },
];

/** Newest first. */
export const listContacts = family({
  name: 'list-contacts',
  params: keyListParams,
  columns: contactColumns,
  text: (given: KeyListValues) => `
  select ${contactSql} from contacts c where c.merged_into is null and ${whereGiven(given, {
    accountId: 'c.account_id = :accountId',
    mode: 'c.mode = :mode',
    phone: `c.phone = any (${formsOf({ where: `${whereOwn(given)} and ` }, ':phone::text')})`,
    userId: hasUserId(whereOwn(given)),
    beforeId: 'c.id < :beforeId',
  })}
  order by c.id desc limit :limit`,
  examples: keyListExamples,
});

const writerListParams = {
  accountIds: 'uuid[]',
  modes: 'text[]',
  userId: 'text?',
  ids: 'uuid[]?',
  phoneStart: 'text?',
  phoneEnds: 'text[]?',
  start: 'text?',
  /** Regular expressions of the words of a name. */
  wordForms: 'text[]?',
  afterHour: 'timestamptz?',
  afterTime: 'timestamptz?',
  afterId: 'uuid?',
  limit: 'int8',
} as const;

type WriterListValues = ValuesOf<typeof writerListParams> & {
  /** Stands in the text, as the index of opt-outs needs it. */
  readonly optedOutOf?: ConsentScope;
  /**
   * The newest first instead, whether they wrote or not. A text that many contacts of many accounts match is looked for like that:
   * account by account, it would be looked for to the end of those where nobody matches.
   */
  readonly isByAge?: boolean;
};

const ofOne = 'c.account_id = a.id and c.mode = m.mode';

const writersOf = (owner: string, wanted: string) =>
  `select * from contacts c where ${owner} and c.merged_into is null and ${wanted}`;

const isAfterWriter = `c.wrote_at <= :afterHour
        and (c.wrote_at, c.last_inbound_at, c.id) < (:afterHour, :afterTime, :afterId)`;

/**
 * Who wrote last first, then those who never wrote, the newest first. A list goes on after the row with `afterId`, which
 * has an `afterHour` and an `afterTime` unless it never wrote.
 */
export const listWriters = family({
  name: 'list-writers',
  params: writerListParams,
  columns: { ...contactColumns, wroteAt: 'timestamptz?' },
  text: (given: WriterListValues) => {
    const wanted = whereGiven(given, {
      userId: hasUserId('account_id = any (:accountIds::uuid[]) and mode = any (:modes::text[])'),
      ids: 'c.id = any (:ids::uuid[])',
      start: `starts_with(plain_name(c.name), plain_name(:start)) or starts_with(lower(c.username), ltrim(:start, '@'))
      or starts_with(c.phone, :phoneStart)
      or ${endsSo('c.phone', ':phoneEnds')}
      or plain_name(c.name) ~ all (array(select plain_name(form) from unnest(:wordForms::text[]) form))`,
      optedOutOf: given.optedOutOf === 'all' ? `c.opted_out = 'all'` : 'c.opted_out is not null',
    });
    const silent = `c.wrote_at is null${given.afterId != null && given.afterHour == null ? ' and c.id < :afterId' : ''}`;
    const writers =
      given.afterId == null
        ? 'c.wrote_at is not null'
        : given.afterHour == null
          ? 'false'
          : isAfterWriter;
    const ofAll = 'c.account_id = any (:accountIds::uuid[]) and c.mode = any (:modes::text[])';
    if (given.isByAge) {
      return `
  select ${contactSql}, c.wrote_at as "wroteAt"
  from (${writersOf(ofAll, wanted)} ${given.afterId == null ? '' : 'and c.id < :afterId'}) c
  order by c.id desc limit :limit`;
    }
    const isFew = given.ids != null || given.userId != null;
    const found = isFew
      ? `(${writersOf(ofAll, `${wanted} and (${writers} or ${silent})`)}) c`
      : // Each part in the order of the index.
        `unnest(:accountIds::uuid[]) as a (id) cross join unnest(:modes::text[]) as m (mode)
  cross join lateral (
    (${writersOf(ofOne, `${wanted} and ${writers}`)}
      order by c.wrote_at desc nulls last, c.last_inbound_at desc, c.id desc limit :limit)
    union all
    (${writersOf(ofOne, `${wanted} and ${silent}`)}
      order by c.id desc limit :limit)) c`;
    return `
  select ${contactSql}, c.wrote_at as "wroteAt" from ${found}
  order by c.wrote_at desc nulls last, c.last_inbound_at desc nulls last, c.id desc limit :limit`;
  },
  examples: [
    { accountIds: [], modes: [], limit: 1 },
    {
      accountIds: [],
      modes: [],
      userId: '',
      ids: [],
      phoneEnds: [],
      start: '',
      optedOutOf: 'all',
      afterHour: '',
      afterTime: '',
      afterId: '',
      limit: 1,
    },
    { accountIds: [], modes: [], afterId: '', limit: 1 },
    { accountIds: [], modes: [], start: '', isByAge: true, afterId: '', limit: 1 },
  ],
});
