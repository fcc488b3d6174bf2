import type { TemplateDefinitionComponent } from '#libs/whatsapp';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';
import type { MappedVariables } from '../plan/mapped-variables.js';

export const writeTemplates = statement({
  name: 'write-templates',
  params: { accountId: 'uuid', mode: 'text', rows: 'jsonb', asOf: 'timestamptz?' },
  columns: { id: 'uuid', added: 'bool' },
  text: `
  insert into templates (id, account_id, mode, name, language, platform_id, category, status,
    parameter_format, components, quality_score, rejected_reason)
  select id, :accountId, :mode, name, language, platform_id, category, status, parameter_format,
    components, quality_score, rejected_reason
  from jsonb_to_recordset(:rows::jsonb) as t (id uuid, name text, language text, platform_id text,
    category text, status text, parameter_format text, components jsonb, quality_score text,
    rejected_reason text)
  on conflict (account_id, mode, name, language) do update set
    platform_id = excluded.platform_id, category = excluded.category, status = excluded.status,
    parameter_format = excluded.parameter_format, components = excluded.components,
    quality_score = excluded.quality_score, rejected_reason = excluded.rejected_reason,
    deleted_at = null, updated_at = now()
  where (:asOf::timestamptz is null or templates.updated_at <= :asOf) and (templates.deleted_at is not null
    or (templates.platform_id, templates.category, templates.status, templates.parameter_format,
        templates.components, templates.quality_score, templates.rejected_reason)
      is distinct from (excluded.platform_id, excluded.category, excluded.status,
        excluded.parameter_format, excluded.components, excluded.quality_score,
        excluded.rejected_reason))
  returning id, xmax = 0 as added`,
});

export const removeTemplates = statement({
  name: 'remove-templates',
  params: {
    accountId: 'uuid',
    mode: 'text',
    name: 'text?',
    names: 'text[]',
    languages: 'text[]',
    asOf: 'timestamptz?',
  },
  columns: { id: 'uuid' },
  text: `
  update templates set deleted_at = now(), updated_at = now()
  where account_id = :accountId and mode = :mode and deleted_at is null and (:name::text is null or name = :name)
    and (:asOf::timestamptz is null or updated_at <= :asOf)
    and id not in (
      select t.id from templates t
      join unnest(:names::text[], :languages::text[]) as k (name, language)
        on t.name = k.name and t.language = k.language
      where t.account_id = :accountId and t.mode = :mode)
  returning id`,
});

export const findMappingsOfTemplates = statement({
  name: 'find-mappings-of-templates',
  params: { templateIds: 'uuid[]' },
  columns: {
    api_key_id: 'uuid',
    template_id: 'uuid',
    variables: as<MappedVariables>('jsonb'),
    broken_reason: 'text?',
    parameter_format: as<'POSITIONAL' | 'NAMED'>('text'),
    components: as<TemplateDefinitionComponent[]>('jsonb'),
    deleted: 'bool',
  },
  text: `
  select m.api_key_id, m.template_id, m.variables, m.broken_reason, t.parameter_format,
    t.components, t.deleted_at is not null as deleted
  from template_mappings m join templates t on t.id = m.template_id
  where m.template_id = any (:templateIds::uuid[]) order by m.api_key_id, m.template_id`,
});

export const judgeMapping = statement({
  name: 'judge-mapping',
  params: { apiKeyId: 'uuid', templateId: 'uuid', reason: 'text?' },
  text: `
  update template_mappings set broken_reason = :reason, updated_at = now()
  where api_key_id = :apiKeyId and template_id = :templateId`,
});
