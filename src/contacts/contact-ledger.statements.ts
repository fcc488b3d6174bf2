import type { Mode } from '../access/mode.js';
import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import { formsOf } from './forms/number-forms.js';

/** To the day, so that a contact who writes often changes no index. */
const isUnheard = (contact: string) => `${contact}.active_at < now() - interval '1 day'`;

/** Each number that is one with either of two, with each other that `phone_forms` does not know. */
export const uniteNumbers = statement({
  name: 'unite-numbers',
  params: { accountId: 'uuid', mode: 'text', phone: 'text', form: 'text', formsMax: 'int8' },
  text: `
  with owner as (
    select :accountId::uuid as account_id, :mode::text as mode
  ), named as (
    select form as phone from unnest(phone_forms(:phone) || phone_forms(:form)) as form
  ), member as (
    select distinct form as phone
    from owner o cross join named n cross join lateral unnest(${formsOf('o', 'n.phone')}) as form
  )
  insert into number_forms (account_id, mode, phone, form)
  select o.account_id, o.mode, one.phone, other.phone
  from owner o cross join member one cross join member other
  where other.phone <> all (phone_forms(one.phone)) and (select count(*) from member) <= :formsMax
  on conflict do nothing`,
});

export const findNumberForms = statement({
  name: 'find-number-forms',
  params: { accountIds: 'uuid[]', modes: 'text[]', phones: 'text[]' },
  columns: { accountId: 'uuid', mode: as<Mode>('text'), phone: 'text', form: 'text' },
  text: `
  select k.account_id as "accountId", k.mode, k.phone, k.form
  from (select distinct * from unnest(:accountIds::uuid[], :modes::text[], :phones::text[])
      as t (account_id, mode, phone)) a
  join number_forms k on k.account_id = a.account_id and k.mode = a.mode and k.phone = a.phone`,
});

/** Writers of one account's contacts take turns, in whatever order they name the contacts. */
export const takeContactTurns = statement({
  name: 'take-contact-turns',
  params: { keys: 'text[]' },
  columns: { pg_advisory_xact_lock: 'void' },
  text: 'select pg_advisory_xact_lock(7242, hashtext(key)) from unnest(:keys::text[]) as key',
});

/** With the requested ids that the platform has replaced. */
export const loadContacts = statement({
  name: 'load-contacts',
  params: { accountIds: 'uuid[]', modes: 'text[]', phones: 'text[]', userIds: 'text[]' },
  columns: {
    id: 'uuid',
    accountId: 'uuid',
    mode: as<Mode>('text'),
    phone: 'text?',
    userId: 'text?',
    parentUserId: 'text?',
    username: 'text?',
    name: 'text?',
    lastInboundAt: 'timestamptz?',
    formerIds: 'text[]',
  },
  text: `
  with asked as (
    select * from unnest(:accountIds::uuid[], :modes::text[], :phones::text[], :userIds::text[])
      as t (account_id, mode, phone, user_id)
  ), found as (
    select c.id, null as former_id from asked t join contacts c
      on c.account_id = t.account_id and c.mode = t.mode and c.phone = t.phone
    union all
    select c.id, null from asked t join contacts c
      on c.account_id = t.account_id and c.mode = t.mode and c.user_id = t.user_id
    union all
    select f.contact_id, f.user_id from asked t join contact_former_ids f
      on f.account_id = t.account_id and f.mode = t.mode and f.user_id = t.user_id
  )
  select c.id, c.account_id as "accountId", c.mode, c.phone, c.user_id as "userId",
    c.parent_user_id as "parentUserId", c.username, c.name, c.last_inbound_at as "lastInboundAt",
    array(select former_id from found f where f.id = c.id and former_id is not null) as "formerIds"
  from contacts c where c.id in (select id from found)
  order by c.id for no key update`,
});

export const mergeContacts = statement({
  name: 'merge-contacts',
  params: { ids: 'uuid[]', into: 'uuid[]' },
  text: `
  with merged as (
    update contacts c set merged_into = t.kept, phone = null, user_id = null, parent_user_id = null
    from unnest(:ids::uuid[], :into::uuid[]) as t (id, kept)
    where c.id = t.id or c.merged_into = t.id
  )
  update contact_former_ids f set contact_id = t.kept
  from unnest(:ids::uuid[], :into::uuid[]) as t (id, kept) where f.contact_id = t.id`,
});

/** A number that moves from one contact to another is thus never stored with both. */
export const clearContactNames = statement({
  name: 'clear-contact-names',
  params: { ids: 'uuid[]' },
  text: 'update contacts set phone = null, user_id = null where id = any (:ids::uuid[])',
});

export const writeContacts = statement({
  name: 'write-contacts',
  params: {
    ids: 'uuid[]',
    accountIds: 'uuid[]',
    modes: 'text[]',
    phones: 'text[]',
    userIds: 'text[]',
    parentUserIds: 'text[]',
    usernames: 'text[]',
    names: 'text[]',
    inboundTimes: 'timestamptz[]',
  },
  text: `
  insert into contacts as c (id, account_id, mode, phone, user_id, parent_user_id, username, name,
    last_inbound_at, wrote_at)
  select t.*, date_bin('1 hour', t.last_inbound_at, 'epoch')
  from unnest(:ids::uuid[], :accountIds::uuid[], :modes::text[], :phones::text[], :userIds::text[],
    :parentUserIds::text[], :usernames::text[], :names::text[], :inboundTimes::timestamptz[])
    as t (id, account_id, mode, phone, user_id, parent_user_id, username, name, last_inbound_at)
  on conflict (id) do update set phone = excluded.phone, user_id = excluded.user_id,
    parent_user_id = excluded.parent_user_id, username = excluded.username, name = excluded.name,
    last_inbound_at = excluded.last_inbound_at, wrote_at = excluded.wrote_at,
    active_at = case when ${isUnheard('c')} then now() else c.active_at end`,
});

export const replaceUserIds = statement({
  name: 'replace-user-ids',
  params: { accountIds: 'uuid[]', modes: 'text[]', userIds: 'text[]', contactIds: 'uuid[]' },
  text: `
  insert into contact_former_ids (account_id, mode, user_id, contact_id)
  select * from unnest(:accountIds::uuid[], :modes::text[], :userIds::text[], :contactIds::uuid[])
  on conflict (account_id, mode, user_id) do update set contact_id = excluded.contact_id`,
});

/**
 * Nearly all pairs are new to the ledger, or already stored unchanged. Writers that read first take turns with this
 * statement, so none of them meets a contact that it did not see. Two such statements run side by side.
 */
export const learnContactPairs = statement({
  name: 'learn-contact-pairs',
  params: {
    keys: 'text[]',
    ids: 'uuid[]',
    accountIds: 'uuid[]',
    modes: 'text[]',
    phones: 'text[]',
    userIds: 'text[]',
    parentUserIds: 'text[]',
  },
  columns: { isKnown: 'bool' },
  text: `
  with turn as materialized (
    select count(pg_advisory_xact_lock_shared(7242, hashtext(key))) from unnest(:keys::text[]) as key
  ), input as materialized (
    select t.* from turn cross join unnest(:ids::uuid[], :accountIds::uuid[], :modes::text[], :phones::text[],
        :userIds::text[], :parentUserIds::text[])
      as t (id, account_id, mode, phone, user_id, parent_user_id)
  ), made as (
    insert into contacts (id, account_id, mode, phone, user_id, parent_user_id)
    select * from input i
    where not exists (select from contacts c where c.account_id = i.account_id and c.mode = i.mode
        and c.phone = any (${formsOf('i', 'i.phone')}))
      and not exists (select from contacts c where c.account_id = i.account_id and c.mode = i.mode
        and c.user_id = i.user_id)
      and not exists (select from contact_former_ids f where f.account_id = i.account_id
        and f.mode = i.mode and f.user_id = i.user_id)
    order by phone
    on conflict do nothing
    returning id
  ), unheard as materialized (
    select c.id from contacts c join input i on c.account_id = i.account_id and c.mode = i.mode
      and c.user_id = i.user_id
    where ${isUnheard('c')} order by c.id for no key update of c
  ), heard as (
    update contacts c set active_at = now() from unheard u where c.id = u.id
  )
  select m.id is not null or exists (
    select from contacts c where c.account_id = i.account_id and c.mode = i.mode
      and c.user_id = i.user_id and c.phone = any (${formsOf('i', 'i.phone')})) as "isKnown"
  from input i left join made m on m.id = i.id order by i.id`,
});
