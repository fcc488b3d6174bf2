import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import type { ConsentScope, ConsentState } from './consent.js';
import { contactOf } from './contact-of-message.js';

/** What was said, as a row of `contact_consents` has it. */
const consentColumns = {
  scope: as<ConsentScope>('text'),
  state: as<ConsentState>('text'),
  source: 'text',
  evidence: 'text?',
  at: 'timestamptz',
} as const;

export const readConsentTime = statement({
  name: 'read-consent-time',
  columns: { now: 'timestamptz' },
  text: 'select clock_timestamp() as now',
});

/** The last word of each contact in each scope. */
export const findLatestConsents = statement({
  name: 'find-latest-consents',
  params: { contactIds: 'uuid[]' },
  columns: { contactId: 'uuid', ...consentColumns },
  text: `
  select distinct on (contact_id, scope) contact_id as "contactId", scope, state, source, evidence, at
  from contact_consents where contact_id = any (:contactIds::uuid[])
  order by contact_id, scope, date_trunc('second', at) desc, seq desc`,
});

export const addConsents = statement({
  name: 'add-consents',
  params: {
    contactIds: 'uuid[]',
    scopes: 'text[]',
    states: 'text[]',
    sources: 'text[]',
    evidences: 'text[]',
    times: 'timestamptz[]',
  },
  text: `
  insert into contact_consents (contact_id, scope, state, source, evidence, at)
  select contact_id, scope, state, source, evidence, at
  from unnest(:contactIds::uuid[], :scopes::text[], :states::text[], :sources::text[], :evidences::text[],
      :times::timestamptz[])
    with ordinality as t (contact_id, scope, state, source, evidence, at, position)
  order by position`,
});

export const setOptOuts = statement({
  name: 'set-opt-outs',
  params: { ids: 'uuid[]', scopes: 'text[]' },
  text: `
  update contacts c set opted_out = t.opted_out, active_at = now()
  from unnest(:ids::uuid[], :scopes::text[]) as t (id, opted_out) where c.id = t.id`,
});

/** Where both contacts said something else in the same second, the opt-out counts: it is said once more. */
export const settleConsentTies = statement({
  name: 'settle-consent-ties',
  params: { id: 'uuid', into: 'uuid' },
  text: `
  with latest as (
    select distinct on (contact_id, scope) * from contact_consents where contact_id in (:id, :into)
    order by contact_id, scope, date_trunc('second', at) desc, seq desc
  )
  insert into contact_consents (contact_id, scope, state, source, evidence, at)
  select :into, o.scope, o.state, o.source, o.evidence, o.at from latest o join latest i
    on i.scope = o.scope and i.state = 'opted_in'
      and date_trunc('second', i.at) = date_trunc('second', o.at)
  where o.state = 'opted_out'`,
});

export const moveConsents = statement({
  name: 'move-consents',
  params: { id: 'uuid', into: 'uuid' },
  text: 'update contact_consents set contact_id = :into where contact_id = :id',
});

export const resetOptOut = statement({
  name: 'reset-opt-out',
  params: { id: 'uuid' },
  text: `
  update contacts set opted_out = (
    select l.scope from (
      select distinct on (scope) scope, state from contact_consents where contact_id = :id
      order by scope, date_trunc('second', at) desc, seq desc
    ) l where l.state = 'opted_out' order by l.scope limit 1)
  where id = :id`,
});

/** One row without a consent where the user has said nothing. */
export const readConsents = statement({
  name: 'read-consents',
  params: { accountId: 'uuid', mode: 'text', phone: 'text?', userId: 'text?' },
  columns: { contactId: 'uuid?', ...consentColumns, recordedAt: 'timestamptz' },
  text: `
  select t.contact_id as "contactId", c.scope, c.state, c.source, c.evidence, c.at,
    c.created_at as "recordedAt"
  from (select ${contactOf('m')} as contact_id
        from (select :accountId::uuid as account_id, :mode::text as mode, :phone::text as recipient,
                     :userId::text as to_user_id) m) t
  left join contact_consents c on c.contact_id = t.contact_id
  order by date_trunc('second', c.at) desc, c.seq desc`,
});

/** The last word of each contact in each scope, a page of contacts at a time. */
export const exportConsents = statement({
  name: 'export-consents',
  params: { accountId: 'uuid', mode: 'text', after: 'uuid', limit: 'int8' },
  columns: { contactId: 'uuid', phone: 'text?', userId: 'text?', ...consentColumns },
  text: `
  select k.id as "contactId", k.phone, k.user_id as "userId", l.scope, l.state, l.at, l.source, l.evidence
  from (select id, phone, user_id from contacts c
        where account_id = :accountId and mode = :mode and merged_into is null and id > :after
          and exists (select from contact_consents where contact_id = c.id)
        order by id limit :limit) k
  cross join lateral (
    select distinct on (scope) scope, state, at, source, evidence from contact_consents
    where contact_id = k.id order by scope, date_trunc('second', at) desc, seq desc) l
  order by k.id, l.scope`,
});
