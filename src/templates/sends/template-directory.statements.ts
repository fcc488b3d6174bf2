import type { TemplateDefinitionComponent } from '#libs/whatsapp';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';
import type { MappedVariables } from '../plan/mapped-variables.js';

export const loadTemplate = statement({
  name: 'load-template',
  params: { accountId: 'uuid', mode: 'text', name: 'text', language: 'text', apiKeyId: 'uuid' },
  columns: {
    name: 'text',
    language: 'text',
    status: 'text',
    category: 'text',
    parameter_format: as<'POSITIONAL' | 'NAMED'>('text'),
    components: as<TemplateDefinitionComponent[]>('jsonb'),
    variables: as<MappedVariables | null>('jsonb'),
    broken_reason: 'text?',
  },
  text: `
  select t.name, t.language, t.status, t.category, t.parameter_format, t.components, m.variables, m.broken_reason
  from templates t
  left join template_mappings m on m.template_id = t.id and m.api_key_id = :apiKeyId
  where t.account_id = :accountId and t.mode = :mode and t.name = :name and t.language = :language
    and t.deleted_at is null`,
});

export const findTemplateLanguages = statement({
  name: 'find-template-languages',
  params: { accountId: 'uuid', mode: 'text', name: 'text' },
  columns: { language: 'text' },
  text: `
  select language from templates
  where account_id = :accountId and mode = :mode and name = :name and deleted_at is null order by 1 limit 20`,
});
