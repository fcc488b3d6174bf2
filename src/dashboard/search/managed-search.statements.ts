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
  from api_keys k where k.account_id = any (:accountIds::uuid[]) and (position(lower(:text) in lower(k.name)) > 0
    or k.id = :id or (length(:shown) >= :shownMin and position(:shown in k.display) > 0))
  order by k.revoked_at is not null, not starts_with(lower(k.name), lower(:text)), k.name, k.id limit :limit`,
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
