import type { Mode } from '../../access/mode.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';

export const findKeysByText = statement({
  name: 'find-keys-by-text',
  params: {
    accountIds: 'uuid[]',
    text: 'text',
    id: 'uuid?',
    shown: 'text',
    shownMin: 'int4',
    limit: 'int8',
  },
  columns: {
    id: 'uuid',
    account_id: 'uuid',
    name: 'text',
    display: 'text',
    mode: as<Mode>('text'),
    is_revoked: 'bool',
  },
  text: `
  select k.id, k.account_id, k.name, k.display, k.mode, k.revoked_at is not null as is_revoked
  from api_keys k where k.account_id = any (:accountIds::uuid[]) and (position(plain_name(:text) in plain_name(k.name)) > 0
    or k.id = :id or (length(:shown) >= :shownMin and position(:shown in k.display) > 0))
  order by k.revoked_at is not null, not starts_with(plain_name(k.name), plain_name(:text)), k.name, k.id limit :limit`,
});

/** Campaigns and endpoints by a part of the name, endpoints by one of the address, too; both by id. */
export const findNamedByText = statement({
  name: 'find-named-by-text',
  params: { accountIds: 'uuid[]', text: 'text', id: 'uuid?', limit: 'int8' },
  columns: {
    kind: as<'campaign' | 'endpoint'>('text'),
    id: 'uuid',
    account_id: 'uuid',
    name: 'text',
    about: 'text?',
    mode: as<Mode>('text'),
  },
  text: `
  (select 'campaign' as kind, c.id, c.account_id, c.name, c.status as about, c.mode
   from campaigns c where c.account_id = any (:accountIds::uuid[])
     and (position(plain_name(:text) in plain_name(c.name)) > 0 or c.id = :id)
   order by not starts_with(plain_name(c.name), plain_name(:text)), c.id desc limit :limit)
  union all
  (select 'endpoint', e.id, e.account_id, e.name, e.url, e.mode
   from webhook_endpoints e where e.account_id = any (:accountIds::uuid[]) and e.url is not null
     and (position(plain_name(:text) in plain_name(e.name)) > 0 or position(lower(:text) in lower(e.url)) > 0 or e.id = :id)
   order by not starts_with(plain_name(e.name), plain_name(:text)), e.name, e.id limit :limit)`,
});

/** Accounts by a part of the name or of the number, users by one of the address; both by id. */
export const findOperatedByText = statement({
  name: 'find-operated-by-text',
  params: { text: 'text', digits: 'text?', id: 'uuid?', limit: 'int8' },
  columns: {
    kind: as<'account' | 'user'>('text'),
    id: 'uuid',
    name: 'text',
    about: 'text?',
  },
  text: `
  (select 'account' as kind, a.id, a.name, a.display_phone_number as about
   from accounts a where position(plain_name(:text) in plain_name(a.name)) > 0 or a.id = :id
     or a.phone_number_id = :text or a.business_account_id = :text
     or (:digits::text is not null and position(:digits in a.display_phone_number) > 0)
   order by not starts_with(plain_name(a.name), plain_name(:text)), a.name, a.id limit :limit)
  union all
  (select 'user', u.id, u.email, u.role
   from users u where position(lower(:text) in lower(u.email)) > 0 or u.id = :id
   order by not starts_with(lower(u.email), lower(:text)), u.email limit :limit)`,
});

export const findTemplatesByText = statement({
  name: 'find-templates-by-text',
  params: { accountIds: 'uuid[]', text: 'text', id: 'uuid?', limit: 'int8' },
  columns: {
    id: 'uuid',
    account_id: 'uuid',
    name: 'text',
    language: 'text',
    category: 'text',
    status: 'text',
    mode: as<Mode>('text'),
  },
  text: `
  select t.id, t.account_id, t.name, t.language, t.category, t.status, t.mode
  from templates t where t.account_id = any (:accountIds::uuid[]) and t.deleted_at is null
    and (position(:text in lower(t.name)) > 0 or t.id = :id)
  order by not starts_with(lower(t.name), :text), t.name, t.language, t.id limit :limit`,
});
