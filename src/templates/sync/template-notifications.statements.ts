import { family, statement } from '../../database/statements/statement.js';

export const askForTemplateSync = statement({
  name: 'ask-for-template-sync',
  params: { accountId: 'uuid', mode: 'text?' },
  text: `
  update template_syncs set started_at = now() - interval '1 day'
  where account_id = :accountId and (:mode::text is null or mode = :mode)`,
});

/** Columns that notifications tell. */
export type ToldColumn = 'status' | 'category' | 'quality_score';

export const changeTemplate = family({
  name: 'change-template',
  params: {
    accountId: 'uuid',
    mode: 'text?',
    value: 'text',
    isStatus: 'bool',
    reason: 'text?',
    templateId: 'text?',
    name: 'text?',
    language: 'text?',
  },
  text: (column: ToldColumn) => `
  update templates set ${column} = :value,
    rejected_reason = case when :isStatus then :reason else rejected_reason end, updated_at = now()
  where account_id = :accountId and (:mode::text is null or mode = :mode) and deleted_at is null
    and case when :templateId::text is null or platform_id is null then name = :name and language = :language
      -- A template that was deleted and made again has another id, and may be another one.
      else platform_id = :templateId end and ${column} is distinct from :value`,
  examples: ['status', 'category', 'quality_score'],
});
