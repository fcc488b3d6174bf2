import type { TemplateDefinitionComponent } from '#libs/whatsapp';
import type { Mode } from '../access/mode.js';
import { as, type ValuesOf } from '../database/statements/sql-types.js';
import { family, whereGiven } from '../database/statements/statement.js';
import type { MappedVariables } from './plan/mapped-variables.js';

const listParams = {
  apiKeyId: 'uuid?',
  accountId: 'uuid?',
  id: 'uuid?',
  mode: 'text?',
  name: 'text?',
  nameContains: 'text?',
  category: 'text?',
  platformId: 'text?',
  language: 'text?',
  status: 'text?',
  configured: 'bool?',
  afterName: 'text?',
  afterLanguage: 'text?',
  afterId: 'uuid?',
  limit: 'int8',
} as const;

/** The values of a list of templates. What it leaves out does not restrict. */
type ListValues = ValuesOf<typeof listParams>;

const whereListed = (given: ListValues) =>
  whereGiven(given, {
    accountId: 't.account_id = :accountId',
    id: 't.id = :id',
    mode: 't.mode = :mode',
    name: 't.name = :name',
    nameContains: 'strpos(t.name, :nameContains) > 0',
    category: 't.category = :category',
    platformId: 't.platform_id = :platformId',
    language: 't.language = :language',
    status: 't.status = :status',
    configured: 'm.configured = :configured',
    afterId: '(t.name, t.language, t.id) > (:afterName, :afterLanguage, :afterId::uuid)',
  });

export const listedColumns = {
  id: 'uuid',
  /** The platform's; null where it gave none. */
  platform_id: 'text?',
  account_id: 'uuid',
  mode: as<Mode>('text'),
  name: 'text',
  language: 'text',
  category: 'text',
  status: 'text',
  parameter_format: as<'POSITIONAL' | 'NAMED'>('text'),
  components: as<TemplateDefinitionComponent[]>('jsonb'),
  quality_score: 'text?',
  rejected_reason: 'text?',
  configured: 'bool',
  /** The asked key's mapping, or null. */
  variables: as<MappedVariables | null>('jsonb'),
  last_synced_at: 'timestamptz',
} as const;

const examples: ListValues[] = [
  { limit: 1 },
  {
    accountId: '',
    id: '',
    mode: '',
    name: '',
    nameContains: '',
    category: '',
    platformId: '',
    language: '',
    status: '',
    configured: true,
    afterName: '',
    afterLanguage: '',
    afterId: '',
    limit: 1,
  },
];

/** By name and language. What the platform no longer has is not listed. */
export const listTemplates = family({
  name: 'list-templates',
  params: listParams,
  columns: listedColumns,
  text: (given: ListValues) => `
  select t.id, t.platform_id, t.account_id, t.mode, t.name, t.language, t.category, t.status,
    t.parameter_format, t.components, t.quality_score, t.rejected_reason, m.configured,
    m.variables, greatest(t.updated_at, s.synced_at) as last_synced_at
  from templates t
  left join template_syncs s on s.account_id = t.account_id and s.mode = t.mode
  cross join lateral (
    select count(*) filter (where broken_reason is null) > 0 as configured,
      case when :apiKeyId::uuid is not null then (jsonb_agg(variables))->0 end as variables
    from template_mappings
    where template_id = t.id and (:apiKeyId::uuid is null or api_key_id = :apiKeyId)) m
  where t.deleted_at is null and ${whereListed(given)}
  order by t.name, t.language, t.id limit :limit`,
  examples,
});
