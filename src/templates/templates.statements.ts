import type { Mode } from '../access/mode.js';
import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import type { SyncError } from './sync/template-sync.statements.js';

export const listMappingsOfTemplate = statement({
  name: 'list-mappings-of-template',
  params: { templateId: 'uuid' },
  columns: {
    api_key_id: 'uuid',
    api_key_name: 'text',
    broken: 'bool',
    broken_reason: 'text?',
    updated_at: 'timestamptz',
    variables: 'int4',
  },
  text: `
  select m.api_key_id, k.name as api_key_name, m.broken_reason is not null as broken,
    m.broken_reason, m.updated_at,
    (select count(*)::int from jsonb_object_keys(m.variables)) as variables
  from template_mappings m join api_keys k on k.id = m.api_key_id
  where m.template_id = :templateId order by k.name`,
});

export const listTemplateSyncs = statement({
  name: 'list-template-syncs',
  params: { accountId: 'uuid?', mode: 'text?' },
  columns: {
    account_id: 'uuid',
    mode: as<Mode>('text'),
    running: 'bool',
    synced_at: 'timestamptz?',
    failed_at: 'timestamptz?',
    error: as<SyncError | null>('jsonb'),
  },
  text: `
  select account_id, mode, coalesce(running_until > now(), false) as running, synced_at,
    failed_at, error
  from template_syncs
  where (:accountId::uuid is null or account_id = :accountId) and (:mode::text is null or mode = :mode)
  order by account_id, mode`,
});
