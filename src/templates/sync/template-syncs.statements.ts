import type { Mode } from '../../access/mode.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';

/** The longest waiting first. */
export const findDueTemplateSyncs = statement({
  name: 'find-due-template-syncs',
  params: { modes: 'text[]', everySeconds: 'float8', retrySeconds: 'float8' },
  columns: { accountId: 'uuid', mode: as<Mode>('text') },
  text: `
  select a.id as "accountId", m.mode
  from accounts a cross join unnest(:modes::text[]) as m (mode)
  left join template_syncs s on s.account_id = a.id and s.mode = m.mode
  where a.active and (s.started_at is null
    or s.started_at <= now() - make_interval(secs => :everySeconds)
    or s.failed_at <= now() - make_interval(secs => :retrySeconds)
    or s.running_until < now())
  order by s.started_at nulls first, a.id`,
});
